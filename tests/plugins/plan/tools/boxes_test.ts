import assert from "node:assert/strict";
import { join } from "node:path";
import { makeProject, planFile } from "../../../support/project.ts";
import { inProcess } from "../../../support/in_process.ts";

const HEADING = "## Acceptance Criteria\n\n";

/** Lines that look like check boxes, and do not count upstream. */
const UNCOUNTED = [
  "- [~] half",
  "- [-] dropped",
  "* [ ] star",
  "+ [x] plus",
  "1. [ ] number",
  "2) [x] bracket",
  "> - [ ] quotation",
  "- - [ ] nested mark",
  "- []",
  "- [ ]",
  "- [\u00a0] no-break space",
  "- [ x ] spaces",
  "-[ ] no space before",
  "- [ ]no space after",
  "- [✓] tick",
  "- [х] Cyrillic",
];

/** Lines that are criteria, or no boxes at all. */
const OTHERS = [
  "- [ ] open",
  "-\u00a0[x] no-break space after the dash",
  "  - [X] nested",
  "- [1] a source",
  "- [a](b.md)",
  "- [name] text",
  "- \\[ ] escaped",
  "text [ ] in a sentence",
  "- `[ ]` code",
];

Deno.test("lines that only look like criteria are named, and prove nothing", async (test) => {
  const cwd = makeProject({
    ...planFile(
      "WORK-001",
      { status: "ready" },
      `${HEADING}- [x] counted\n${UNCOUNTED.join("\n")}\n`,
    ),
    ...planFile("WORK-002", { status: "ready" }, `${HEADING}${OTHERS.join("\n")}\n`),
    ...planFile("WORK-003", { status: "ready" }, `${HEADING}- [x] counted\n`),
    ...planFile("WORK-004", { status: "ready" }, `${HEADING}\`\`\`\n- [~] code\n\`\`\`\n`),
    ...planFile("WORK-005", { status: "ready" }, `${HEADING}- [x] counted\r\n- [~] half\r\n`),
    ...planFile("SPEC-001", { status: "accepted" }, "- [x] counted\n* [ ] other\n"),
    ...planFile("WORK-006", { status: "done", source: "SPEC-001" }),
  });
  const lineOf = (id: string, text: string) =>
    Deno.readTextFileSync(join(cwd, `plan/work/${id}.md`)).split(/\r?\n/).indexOf(text) + 1;
  await inProcess(cwd, async ({ ok }) => {
    await test.step("plan_validate names each line", async () => {
      const { issues } = await ok("plan_validate", { type: "uncounted-box", detail: "full" });
      const of = (id: string): string[] =>
        issues.filter((issue: { source: string }) => issue.source === id)
          .map(({ message }: { message: string }) => message.split(" does not")[0]);
      assert.deepEqual(of("WORK-001"), UNCOUNTED.map((line) => `Line ${lineOf("WORK-001", line)}`));
      for (const id of ["WORK-002", "WORK-003", "WORK-004"]) assert.deepEqual(of(id), [], id);
      assert.deepEqual(of("WORK-005"), [`Line ${lineOf("WORK-005", "- [~] half")}`]);
    });
    await test.step("plan_review does not call them proved", async () => {
      const { findings } = await ok("plan_review", {});
      const lines: string[] = findings["criteria-done"];
      assert.deepEqual(lines.map((line) => line.split(":")[0]), ["WORK-003"]);
      assert.equal(findings["work-done"], undefined);
    });
    await test.step("plan_update to done warns, and without them it does not", async () => {
      const done = (id: string) => ok("plan_update", { id, status: "done", resolve: "Done." });
      const line = lineOf("WORK-005", "- [~] half");
      assert.deepEqual((await done("WORK-005")).warnings, [
        `done with 1 check box that refrakt does not count (line ${line})`,
      ]);
      assert.equal((await done("WORK-003")).warnings, undefined);
    });
  });
});

Deno.test("a criterion is removed with what belongs to it", async (test) => {
  const list =
    "- [ ] parent\n  - [ ] child\n\n  second paragraph\n\n- [ ] other\n  more\n- [ ] last\n";
  const remaining = async (remove: string[]) => {
    const cwd = makeProject(planFile("WORK-001", { status: "ready" }, `${HEADING}${list}`));
    await inProcess(cwd, async ({ ok }) => {
      await ok("plan_update", { id: "WORK-001", criteria: { remove } });
    });
    const text = Deno.readTextFileSync(join(cwd, "plan/work/WORK-001.md"));
    return text.split(HEADING)[1]!.split("{% /work")[0]!.trim();
  };
  const cases: [string[], string][] = [
    [["1"], "- [ ] other\n  more\n- [ ] last"],
    [["1", "2"], "- [ ] other\n  more\n- [ ] last"],
    [["child", "parent"], "- [ ] other\n  more\n- [ ] last"],
    [["3"], "- [ ] parent\n  - [ ] child\n\n  second paragraph\n\n- [ ] last"],
    [["2"], "- [ ] parent\n\n  second paragraph\n\n- [ ] other\n  more\n- [ ] last"],
    [["all"], ""],
  ];
  for (const [remove, text] of cases) {
    await test.step(remove.join(", "), async () => {
      assert.equal(await remaining(remove), text);
    });
  }
});
