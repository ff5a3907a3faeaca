import assert from "node:assert/strict";
import { ralphPlugin } from "../../../plugins/ralph/plugin.ts";
import { RefraktError } from "../../../src/errors.ts";
import { openProject } from "../../../src/project/project.ts";
import type { CallContext } from "../../../src/surface/context.ts";
import { defineSchema } from "../../../src/surface/schema.ts";
import { type Data, inLab, type Lab, putSpec, snapshot } from "./support.ts";

function contextOf(lab: Lab): CallContext {
  return {
    project: openProject(lab.cwd),
    signal: new AbortController().signal,
    progress: () => {},
    log: () => {},
  };
}

Deno.test("without specs there is one sentence, and it names the tool", () =>
  inLab(async (lab) => {
    assert.equal(await lab.text("ralph_status"), "No specs found. Run ralph_start to begin.");
    const data = await lab.call("ralph_status");
    assert.deepEqual(
      [data["current"], data["specs"], data["next"]],
      [null, [], "ralph_start"],
    );
    assert.ok(!lab.exists("specs"));
  }));

Deno.test("every spec is a row, and every situation has its word", () =>
  inLab(async (lab) => {
    putSpec(lab, "a-research", { phase: "research" });
    putSpec(lab, "b-waiting", { phase: "design", awaitingApproval: true });
    lab.write("specs/b-waiting/research.md", "r");
    lab.write("specs/b-waiting/requirements.md", " \n");
    putSpec(
      lab,
      "c-running",
      { phase: "execution", taskIndex: 0, totalTasks: 99 },
      "- [x] 1.1 A\n- [ ] V1 B\n",
    );
    putSpec(lab, "d-complete", { phase: "execution", completedAt: "2026-01-01" }, "- [x] 1.1 A\n");
    lab.write("specs/e-corrupt/.ralph-state.json", "{");
    lab.write("specs/f-lost/design.md", "d");
    putSpec(lab, "g-counters", { phase: "execution", taskIndex: 5, totalTasks: 10 });
    lab.write("specs/.index/x", "");
    lab.write("specs/_epics/x", "");
    lab.write("specs/README.md", "");
    const before = snapshot(lab.cwd);
    const data = await lab.call("ralph_status");
    assert.deepEqual(snapshot(lab.cwd), before);
    assert.equal(data["current"], "g-counters");
    assert.deepEqual(
      data["specs"].map((row: Data) => [
        row["name"],
        row["phase"],
        row["status"],
        `${row["done"]}/${row["total"]}`,
        row["artifacts"].join(),
        row["next"],
      ]),
      [
        ["a-research", "research", "active", "0/0", "", "ralph_research"],
        ["b-waiting", "design", "awaiting-approval", "0/0", "research.md", "ralph_design"],
        ["c-running", "execution", "active", "1/2", "tasks.md", "ralph_implement"],
        ["d-complete", "execution", "complete", "1/1", "tasks.md", "ralph_start"],
        ["e-corrupt", "corrupt", "corrupt", "0/0", "", "ralph_start"],
        ["f-lost", "unknown", "no-state", "0/0", "design.md", "ralph_start"],
        ["g-counters", "execution", "active", "5/10", "", "ralph_implement"],
      ],
    );
    const text = await lab.text("ralph_status");
    assert.match(text, /\| g-counters \* \| execution \| 5\/10 \|/);
    assert.match(text, /\| d-complete \| complete \| 1\/1 \|/);
    assert.match(text, /\| e-corrupt \| corrupt \|/);
    const detail = await lab.call("ralph_status", { spec_name: "c-running" });
    assert.deepEqual(detail["specs"].length, 1);
    assert.deepEqual(detail["spec"].open, [{ id: "V1", title: "B" }]);
  }));

Deno.test("rows are capped, and the current spec is always among them", () =>
  inLab(async (lab) => {
    for (let at = 100; at < 175; at++) putSpec(lab, `spec-${at}`, { phase: "research" });
    const data = await lab.call("ralph_status");
    assert.deepEqual([data["count"], data["specs"].length, data["more"]], [75, 50, 25]);
    assert.ok(data["specs"].some((row: Data) => row["name"] === "spec-174" && row["current"]));
    assert.match(await lab.text("ralph_status"), /and 25 more/);
    const size = JSON.stringify([await lab.text("ralph_status"), data]).length;
    assert.ok(size < 24_000, `${size}`);
  }));

Deno.test("help is made from the tools, and says where one is", () =>
  inLab(async (lab) => {
    const data = await lab.call("ralph_help");
    assert.deepEqual(
      data["tools"].map((tool: Data) => tool["name"]).sort(),
      ralphPlugin.commands.map((command) => command.toolName).sort(),
    );
    assert.equal(data["next"], "ralph_start");
    const start = data["tools"].find((tool: Data) => tool["name"] === "ralph_start");
    for (const name of ["name?", "goal?", "quick?"]) assert.ok(start.arguments.includes(name));
    putSpec(lab, "auth", { phase: "design" });
    assert.match(await lab.text("ralph_help"), /You are here: auth, phase design/);
    await lab.fail("ralph_help", "INVALID_ARGS", { topic: "x" });
  }));

Deno.test("the tools carry the names, annotations and schemas that clients need", () => {
  const names = ralphPlugin.commands.map((command) => command.toolName);
  for (
    const name of [
      "ralph_start",
      "ralph_status",
      "ralph_switch",
      "ralph_cancel",
      "ralph_complete_phase",
      "ralph_help",
      "ralph_research",
      "ralph_requirements",
      "ralph_design",
      "ralph_tasks",
      "ralph_implement",
    ]
  ) assert.ok(names.includes(name), name);
  for (const command of ralphPlugin.commands) {
    const input = defineSchema(command.inputSchema!).json;
    assert.equal(input["type"], "object");
    assert.equal(input["additionalProperties"], false, command.name);
    const output = defineSchema(command.outputSchema!).json;
    assert.ok(Object.hasOwn(output["properties"] as Data, "warnings"), command.name);
    assert.ok(command.title && command.description.length < 160);
    const reads = ["status", "help", "check"].includes(command.name);
    assert.equal(command.annotations!.readOnlyHint, reads, command.name);
    assert.equal(command.annotations!.destructiveHint === true, command.name === "cancel");
  }
});

Deno.test("the linter finds what a plan lacks, and which requirement has no task", () =>
  inLab(async (lab) => {
    putSpec(
      lab,
      "auth",
      { phase: "tasks" },
      [
        "- [x] 1.1 Log in",
        "  - **Do**: x",
        "  - **Files**: `a`",
        "  - **Done when**: y",
        "  - **Verify**: `deno test`",
        "  - _Requirements: FR-1, US-1_",
        "- [ ] 1.2 Look at it",
        "  - **Verify**: check the page manually",
        "  - _Requirements: FR-9_",
        "- [ ] 1.3 No verify",
        "- [ ] V1 [VERIFY] All",
      ].join("\n"),
    );
    lab.write(
      "specs/auth/requirements.md",
      [
        "### US-1: Log in",
        "- [ ] AC-1.1: When the key is right, then 200",
        "- [ ] AC-2.1: The page is fast",
        "| FR-1 | Log in | High | AC-1.1 |",
        "| FR-2 | Log out | High | AC-1.1 |",
        "| FR-2 | Twice | High | AC-1.1 |",
      ].join("\n"),
    );
    lab.write("specs/auth/design.md", "FR-1 is met by the form");
    const data = await lab.call("ralph_check");
    const rules = new Set(data["findings"].map((finding: Data) => `${finding["rule"]}`));
    for (
      const rule of [
        "duplicate-id",
        "orphan-criterion",
        "vague-wording",
        "not-designed",
        "no-verify",
        "manual-verification",
        "unknown-reference",
        "uncovered",
      ]
    ) assert.ok(rules.has(rule), `${rule} is missing of ${[...rules]}`);
    assert.equal(data["ok"], false);
    assert.deepEqual(data["coverage"].requirements, [
      { id: "FR-1", tasks: ["1.1"], done: true },
      { id: "FR-2", tasks: [], done: false },
    ]);
    assert.deepEqual(data["coverage"].uncovered, ["FR-2", "AC-2.1"]);
    assert.deepEqual(await lab.call("ralph_check"), data, "the same text, the same findings");
    const manual = data["findings"].find((finding: Data) =>
      finding["rule"] === "manual-verification"
    );
    assert.equal(manual.line, 7);
  }));

Deno.test("a sound plan passes the linter", () =>
  inLab(async (lab) => {
    lab.write(
      "specs/auth/requirements.md",
      "### US-1: A\n- [ ] AC-1.1: When a, then b\n| FR-1 | a | High | AC-1.1 |\n",
    );
    lab.write("specs/auth/design.md", "FR-1");
    lab.write("specs/auth/research.md", "r");
    putSpec(
      lab,
      "auth",
      { phase: "tasks" },
      "- [ ] 1.1 A\n  - **Do**: x\n  - **Files**: `a`\n  - **Done when**: y\n  - **Verify**: `z`\n  - _Requirements: FR-1, AC-1.1_\n- [ ] V1 [VERIFY] All\n  - **Verify**: `z`\n",
    );
    const data = await lab.call("ralph_check");
    assert.deepEqual([data["ok"], data["findings"]], [true, []]);
  }));

Deno.test("resources give the status and the documents, by exact names", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "design" }, "- [ ] 1.1 A\n");
    lab.write("secret.md", "SECRET");
    const context = contextOf(lab);
    const [specs, file] = ralphPlugin.resources!;
    assert.deepEqual([specs!.uri, file!.uri], ["ralph://specs", "ralph://spec/{name}/{file}"]);
    assert.deepEqual(await specs!.read({}, context), { data: await lab.call("ralph_status") });
    const read = async (name: string, wanted: string) =>
      await file!.read({ name, file: wanted }, context);
    assert.deepEqual(await read("auth", "tasks.md"), {
      text: "- [ ] 1.1 A\n",
      mimeType: "text/markdown",
    });
    assert.deepEqual(await read("auth", "tasks"), await read("auth", "tasks.md"));
    const fails = async (name: string, wanted: string, code: string) =>
      await assert.rejects(
        async () => await read(name, wanted),
        (error) => error instanceof RefraktError && error.code === code && error.hint !== undefined,
      );
    await fails("auth", "design.md", "NOT_FOUND");
    for (const wanted of ["../../secret.md", "..", "", "secret.md", "/etc/passwd"]) {
      await fails("auth", wanted, "NOT_FOUND");
    }
    for (const name of ["..", "../..", "", "Auth"]) await fails(name, "tasks.md", "SPEC_NOT_FOUND");
    assert.deepEqual(await file!.complete!("name", "a", context, {}), ["auth"]);
    assert.deepEqual(await file!.complete!("file", "ta", context, {}), ["tasks.md"]);
    assert.equal(
      await file!.fileOf!({ name: "auth", file: "tasks.md" }, context),
      `${lab.cwd}/specs/auth/tasks.md`,
    );
  }));

Deno.test("there is one prompt a phase, and picking one changes nothing", () =>
  inLab(async (lab) => {
    const context = contextOf(lab);
    const prompts = ralphPlugin.prompts!;
    assert.deepEqual(prompts.map((prompt) => prompt.name), [
      "ralph_research",
      "ralph_requirements",
      "ralph_design",
      "ralph_tasks",
      "ralph_implement",
    ]);
    putSpec(lab, "auth", { phase: "execution", awaitingApproval: true }, "- [ ] 1.1 A\n");
    const before = snapshot(lab.cwd);
    for (const prompt of prompts) {
      const text = await prompt.render({}, context);
      assert.ok(text.includes(`${prompt.name}`) && text.includes('"auth"'), prompt.name);
      assert.deepEqual(await prompt.complete!("spec_name", "au", context), ["auth"]);
    }
    assert.deepEqual(snapshot(lab.cwd), before);
    putSpec(lab, "auth", { phase: "research" });
    await assert.rejects(
      async () => await prompts[2]!.render({ spec_name: "auth" }, context),
      (error) => error instanceof RefraktError && error.code === "PHASE_MISMATCH",
    );
    await assert.rejects(
      async () => await prompts[0]!.render({ spec_name: ".." }, context),
      (error) => error instanceof RefraktError && error.code === "SPEC_NOT_FOUND",
    );
  }));
