import assert from "node:assert/strict";
import { join } from "node:path";
import { createServer } from "../../../../mod.ts";
import { entity, makeProject, readTree, SMALL_PLAN } from "../../../support/project.ts";
import { inProcess } from "../../../support/in_process.ts";
import { WIDE_PLAN } from "./plan.ts";

const FIRST = "plan/work/WORK-001-first.md";

Deno.test("plan.update changes entities and rejects damaging values", async (test) => {
  const cwd = makeProject({
    ...SMALL_PLAN,
    "notes.md": "From a file: $& and `$1`.\n",
    "plan/work/WORK-003-crlf.md": entity(
      "work",
      { id: "WORK-003", status: "ready", priority: "low" },
      "Windows",
      "## Acceptance Criteria\n- [ ] One\n",
    ).replaceAll("\n", "\r\n"),
    "plan/work/WORK-004-lines.md":
      '{% work\n  id="WORK-004"\n  status="ready" %}\n\n# Lines\n\n{% /work %}\n',
  });
  const file = (path: string) => Deno.readTextFileSync(join(cwd, path));
  await inProcess(cwd, async ({ ok, call, read }) => {
    await test.step("criteria are reworded and moved, and the old texts are said", async () => {
      const id = "WORK-003";
      await ok("plan.update", { id, criteria: { add: ["404"] } });
      const before = readTree(cwd);
      const criteria = { reword: { "404": "Not found" }, move: [2, 1] };
      const { changes, undo } = await ok("plan.update", { id, criteria });
      assert.deepEqual(changes, [
        { field: "criterion", old: "[ ] 404", new: "[ ] Not found" },
        { field: "criterion", old: "2 [ ] Not found", new: "1" },
      ]);
      assert.match(
        file("plan/work/WORK-003-crlf.md"),
        /Criteria\r\n- \[ \] Not found\r\n- \[ \] One\r\n/,
      );
      await ok("plan.undo", { token: undo });
      assert.deepEqual(readTree(cwd), before);
    });
    await test.step("an invalid value is rejected with the valid ones of that type", async () => {
      const before = readTree(cwd);
      const cases = [
        [{ id: "WORK-001", status: "nope" }, /draft, ready, in-progress/],
        [{ id: "WORK-001", status: "fixed" }, /draft, ready, in-progress/],
        [{ id: "BUG-001", status: "done" }, /reported, confirmed/],
        [{ id: "BUG-001", severity: "trivial" }, /critical, major, minor, cosmetic/],
        [{ id: "WORK-001", attrs: { nonsense: "x" } }, /status, priority/],
      ] as const;
      for (const [input, valid] of cases) {
        const answer = await call("plan.update", input);
        assert.equal(answer.errorCode, "VALIDATION_ERROR");
        assert.match(answer.hint!, valid);
        assert.match(answer.content[0].text, valid);
        assert.deepEqual(answer._meta!["hint"], answer.hint);
      }
      assert.deepEqual(readTree(cwd), before);
    });
    await test.step("values that cannot be stored are rejected, and nothing is written", async () => {
      const before = readTree(cwd);
      const cases = [
        ['a"b', "a double quote"],
        ["a\\b", "a backslash"],
        ["a\nb", "a line break"],
        ["a\tb", "a control character"],
        ["a %} b", '"%}"'],
        ["a {% b", '"{%"'],
        [" a", "white space"],
        ["x".repeat(501), "longer than 500"],
      ] as const;
      for (const [value, reason] of cases) {
        for (const input of [{ assignee: value }, { attrs: { tags: value } }]) {
          const answer = await call("plan.update", { id: "WORK-001", ...input });
          assert.equal(answer.errorCode, "VALIDATION_ERROR", JSON.stringify(value));
          assert.match(answer.content[0].text, /Attribute "(assignee|tags)"/);
          assert.ok(answer.content[0].text.includes(reason), answer.content[0].text);
        }
      }
      for (
        const [input, code] of [
          [{ id: "WORK-001", attrs: { id: "WORK-100" } }, "VALIDATION_ERROR"],
          [{ id: "WORK-001", status: "" }, "VALIDATION_ERROR"],
          [{ id: "WORK-001", resolve: "" }, "INVALID_ARGS"],
          [{ id: "SPEC-001", resolve: "x" }, "VALIDATION_ERROR"],
          [{ id: "WORK-001", resolve: "x", resolveFile: "notes.md" }, "INVALID_ARGS"],
          [{ id: "WORK-001", resolveFile: "missing.md" }, "NOT_FOUND"],
          [{ id: "WORK-001", resolveFile: "/etc/hostname" }, "PERMISSION_DENIED"],
          [{ id: "WORK-001", check: "It" }, "VALIDATION_ERROR"],
          [{ id: "WORK-00", status: "done" }, "NOT_FOUND"],
          [{ id: "WORK-001", dir: "..", status: "done" }, "PERMISSION_DENIED"],
          [{ id: "WORK-001", dir: "nowhere", status: "done" }, "PLAN_DIR_MISSING"],
          [{ status: "done" }, "INVALID_ARGS"],
          [{ id: "WORK-001", stauts: "done" }, "INVALID_ARGS"],
        ] as const
      ) {
        const answer = await call("plan.update", input);
        assert.equal(answer.errorCode, code, JSON.stringify([input, answer]));
        assert.ok(answer.isError && typeof answer.hint === "string" && answer.hint !== "");
      }
      assert.deepEqual(readTree(cwd), before);
    });
    await test.step("criteria are ticked and unticked, and a resolution is recorded", async () => {
      await ok("plan.update", { id: "WORK-001", check: "t runs" });
      assert.match(file(FIRST), /- \[x\] It runs\n- \[ \] It is tested/);
      await ok("plan.update", { id: "WORK-001", uncheck: "runs" });
      await ok("plan.update", {
        id: "WORK-001",
        status: "done",
        resolve: "Costs $5, $& and `$1`.",
      });
      assert.match(file(FIRST), /## Resolution[^]*Costs \$5, \$& and `\$1`\./);
      await ok("plan.update", { id: "WORK-002", resolveFile: "notes.md" });
      assert.match(file("plan/work/WORK-002-second.md"), /From a file: \$& and `\$1`\./);
      await ok("plan.update", { id: "WORK-003", status: "done", check: "One" });
      assert.match(file("plan/work/WORK-003-crlf.md"), /status="done"[^]*- \[x\] One\r\n/);
    });
    await test.step("the answer contains the entity's URI, which can be read", async () => {
      const { id, type, uri, changes } = await ok("plan.update", {
        id: "v1.0.0",
        status: "complete",
      });
      assert.deepEqual(
        [id, type, changes[0]],
        ["v1.0.0", "milestone", { field: "status", old: "active", new: "complete" }],
      );
      assert.match(await read(uri), /status="complete"/);
      assert.deepEqual((await ok("plan.update", { id: "v1.0.0" })).changes, []);
    });
  });
  assert.deepEqual(Object.keys(readTree(cwd)).filter((path) => /tmp|cache/.test(path)), []);
});

Deno.test("plan.update changes criteria, sections and the title in one call, all or nothing", async (test) => {
  const cwd = makeProject(WIDE_PLAN);
  const path = "plan/work/WORK-001-parser.md";
  await inProcess(cwd, async ({ ok, call }) => {
    await test.step("title, sections and criteria change together", async () => {
      const { changes, openCriteria, path: shown } = await ok("plan.update", {
        id: "WORK-001",
        title: "Parse every table",
        sections: { Approach: "A generator.", "Edge Cases": "Empty tables." },
        append: { References: '- {% ref "ADR-001" /%}' },
        check: "It is fast",
        criteria: { add: ["It is documented"], remove: ["It renders"] },
        status: "in-progress",
      });
      assert.equal(shown, path);
      assert.equal(openCriteria, 1);
      assert.deepEqual(
        changes.map(({ field }: { field: string }) => field),
        ["status", "title", "section", "section", "criterion", "criterion", "section", "criterion"],
      );
      const item = await ok("plan.get", { id: "WORK-001" });
      assert.equal(item.title, "Parse every table");
      assert.deepEqual(
        item.criteria.map((
          { text, checked = false }: { text: string; checked?: boolean },
        ) => [text, checked]),
        [["It parses", true], ["It is fast", true], ["It is documented", false]],
      );
      assert.deepEqual(
        Object.keys(item.sections),
        ["description", "Approach", "Edge Cases", "References", "Dependencies"],
      );
      assert.equal(item.sections.Approach, "A generator.");
      assert.equal(item.references.length, 2);
    });
    await test.step("done with open criteria and an unknown milestone are warnings", async () => {
      const done = await ok("plan.update", { id: "WORK-001", status: "done", milestone: "v7" });
      assert.equal(done.openCriteria, 1);
      assert.deepEqual(done.warnings, [
        "done with 1 open criteria",
        "done without a resolution",
        'The plan has no milestone "v7"',
      ]);
      const finished = await ok("plan.update", { id: "WORK-001", check: "all", resolve: "Done." });
      assert.equal(finished.warnings, undefined);
    });
    await test.step("if one part is invalid, nothing is written", async () => {
      const now = readTree(cwd);
      for (
        const input of [
          { status: "ready", check: "nothing like this" },
          { title: "New", check: 99 },
          { status: "nope", sections: { Approach: "x" } },
          { title: "New", sections: { Approach: "## Other\ntext" } },
          { title: "New", append: { Approach: "```\nopen" } },
          { criteria: { add: ["fine"], remove: ["not there"] } },
          { criteria: { ad: ["x"] } },
          { sections: { "A\nB": "x" } },
        ]
      ) {
        const answer = await call("plan.update", { id: "WORK-001", ...input });
        assert.equal(answer.isError, true, JSON.stringify(input));
        assert.ok(answer.hint, JSON.stringify(input));
      }
      assert.deepEqual(readTree(cwd), now);
    });
  });
});

Deno.test("an update scans the plan once, also with a milestone and dependencies", async () => {
  const cwd = makeProject({
    ...SMALL_PLAN,
    "plan/work/WORK-007-x.md": entity("work", { id: "WORK-007" }, "X", ""),
  });
  // A file that was just written is read again.
  await new Promise((resolve) => setTimeout(resolve, 50));
  const server = await createServer({ cwd });
  await server.callTool("plan.list", {});
  const { lstatSync } = Deno;
  const stamps: string[] = [];
  Deno.lstatSync = (path) => {
    // Other servers of this process may read ahead.
    if (String(path).startsWith(cwd)) stamps.push(String(path));
    return lstatSync(path);
  };
  try {
    const change = { milestone: "v9", dependsOn: ["SPEC-001"], blocks: ["WORK-002"] };
    const { warnings } = await server.callTool("plan.update", { id: "WORK-007", ...change }) as {
      warnings: string[];
    };
    assert.deepEqual(warnings, ['The plan has no milestone "v9"']);
  } finally {
    Deno.lstatSync = lstatSync;
  }
  // Files that are written are compared once more.
  const others = stamps.filter((path) => /\.md$/.test(path) && !/WORK-00[27]/.test(path)).sort();
  const unwritten = Object.keys(SMALL_PLAN).filter((path) => !path.includes("WORK-002"));
  assert.deepEqual(others, unwritten.map((path) => join(cwd, path)).sort());
});

Deno.test("criteria have the numbers of plan.get, whatever the call appends before them", async () => {
  const text = "## Done when\n- [ ] 404\n- [x] It is fast\n\n## Blocked by\nNothing.\n";
  const cwd = makeProject({
    "plan/work/WORK-001-a.md": entity("work", { id: "WORK-001", status: "ready" }, "A", text),
  });
  await inProcess(cwd, async ({ ok }) => {
    const append = { dependencies: "- [ ] Another one" };
    await ok("plan.update", { id: "WORK-001", check: 1, append });
    const { criteria } = await ok("plan.get", { id: "WORK-001" });
    assert.deepEqual(
      criteria.flatMap((one: { text: string; checked?: true }) => one.checked ? one.text : []),
      ["404", "It is fast"],
    );
  });
});
