import assert from "node:assert/strict";
import {
  fieldOf,
  filesOf,
  isParallel,
  isVerification,
  parseTasks,
} from "../../../plugins/ralph/tasks.ts";
import { fixNumber, ticked, withBlock } from "../../../plugins/ralph/task_edit.ts";

/** `id` for open, `id*` for ticked. */
function shape(text: string): string {
  return parseTasks(text).tasks.map((task) => task.id + (task.done ? "*" : "")).join(" ");
}

Deno.test("every kind of task number is recognised, and nothing else", () => {
  const cases: [string, string][] = [
    ["- [ ] 1.1 A", "1.1"],
    ["- [x] 1.1 A", "1.1*"],
    ["- [X] 1.1 A", "1.1*"],
    ["* [ ] 1.1 A", "1.1"],
    ["- [ ] 1.1.1 A\n- [ ] 1.1.2.3 B", "1.1.1 1.1.2.3"],
    ["- [ ] V1 A\n- [ ] V12 B\n- [ ] VF C\n- [ ] VE1 D", "V1 V12 VF VE1"],
    ["- [ ] V1: [VERIFY] A", "V1"],
    ["- [ ] 1.1: A\n- [ ] 1.2. B\n- [ ] 1.3) C\n- [ ] 1.4 - D", "1.1 1.2 1.3 1.4"],
    ["- [ ] **1.1** A\n- [ ] **1.2 B**", "1.1 1.2"],
    ["- [ ] [P] 1.1 A", "1.1"],
    ["- [ ] 1.1", "1.1"],
    ["- [ ] 10.20 A", "10.20"],
    ["- [ ] 1.1abc A", ""],
    ["- [ ] 1.X A", ""],
    ["- [ ] 1.2.X A", ""],
    ["- [ ] 1 A", ""],
    ["- [ ] VE placement in the plan", ""],
    ["- [ ] V A", ""],
    ["- [ ] VFX A", ""],
    ["- [ ] v1 A", ""],
    ["  - [ ] 1.1 indented", ""],
    ["-[ ] 1.1 no space", ""],
    ["- [] 1.1 no box", ""],
    ["- [-] 1.1 other mark", ""],
    ["1.1 no box", ""],
    ["```\n- [ ] 1.1 fenced\n```", ""],
    ["~~~md\n- [ ] 1.1 fenced\n~~~\n- [ ] 1.2 B", "1.2"],
    ["````\n```\n- [ ] 1.1 fenced\n```\n````\n- [ ] 1.2 B", "1.2"],
    ["- [ ] 1.1 A\n  ```sh\n  - [ ] 9.9\n  ```\n- [ ] 1.2 B", "1.1 1.2"],
    ["- [ ] 1.1 A ```inline```\n- [ ] 1.2 B", "1.1 1.2"],
    ["\uFEFF- [ ] 1.1 A", "1.1"],
  ];
  for (const [text, expected] of cases) {
    assert.equal(shape(text), expected, text);
    assert.equal(shape(text.replaceAll("\n", "\r\n")), expected, `CRLF: ${text}`);
  }
});

Deno.test("a code fence that is never closed hides no task, and is reported", () => {
  const list = parseTasks("- [ ] 1.1 A\n```sh\nls\n- [ ] 1.2 B\n");
  assert.deepEqual(list.tasks.map((task) => task.id), ["1.1", "1.2"]);
  assert.match(list.warnings.join(), /line 2.*never closed/);
  assert.equal(shape("- [ ] 1.1 A\n  ```sh\n  ls\n- [ ] 1.2 B\n  ```sh\n  ls\n  ```\n"), "1.1 1.2");
});

Deno.test("a block ends at the next box or at a heading of any level", () => {
  const text = [
    "## Phase 1",
    "- [ ] 1.1 A",
    "  - **Do**: x",
    "  - [ ] sub-item",
    "",
    "### sub",
    "prose",
    "- [ ] 1.2 B",
    "  more",
    "- [ ] no number",
    "## Phase 2",
    "- [x] 2.1 C",
  ].join("\n");
  const { tasks, unnumbered } = parseTasks(text);
  assert.deepEqual(tasks.map((task) => task.block), [
    "- [ ] 1.1 A\n  - **Do**: x\n  - [ ] sub-item",
    "- [ ] 1.2 B\n  more",
    "- [x] 2.1 C",
  ]);
  assert.deepEqual(tasks.map((task) => task.section), ["Phase 1", "Phase 1", "Phase 2"]);
  assert.deepEqual(unnumbered, { open: 1, done: 0 });
});

Deno.test("a heading that names a phase begins a section, whatever its level", () => {
  const { tasks } = parseTasks(
    "## A\n### Phase 1\n- [ ] 1.1 A\n### Setup\n- [ ] 1.2 B\n### Phase 2: B\n- [ ] 2.1 C\n",
  );
  assert.deepEqual(tasks.map((task) => task.section), ["Phase 1", "Phase 1", "Phase 2: B"]);
});

Deno.test("tags and titles are told apart", () => {
  const [a, b, c, d] = parseTasks(
    "- [ ] 1.1 [P] [RED] Write a [link](x)\n- [ ] 1.2 [verify] Check\n- [ ] 1.2.1 [FIX 1.2] Mend\n- [ ] 1.3 [docs](x) are read",
  ).tasks;
  assert.deepEqual(a!.tags, ["P", "RED"]);
  assert.equal(a!.title, "Write a [link](x)");
  assert.ok(isParallel(a!) && !isVerification(a!));
  assert.ok(isVerification(b!) && !isParallel(b!));
  assert.deepEqual(c!.tags, ["FIX 1.2"]);
  assert.deepEqual([d!.tags, d!.title], [[], "[docs](x) are read"]);
});

Deno.test("numbers that occur twice are kept and reported", () => {
  const list = parseTasks("- [x] 1.1 A\n- [ ] 1.1 B");
  assert.deepEqual(list.tasks.map((task) => task.key), ["1.1", "1.1#2"]);
  assert.match(list.warnings.join(), /more than once: 1\.1/);
});

Deno.test("fields are read in the spellings that plans use", () => {
  const [task] = parseTasks([
    "- [ ] 1.1 A",
    "  - **Do**:",
    "    1. one",
    "    2. two",
    "  - **Files**: `a.ts`, `./b/c.ts` (create)",
    "  - **Done when:** it runs",
    "  - **Verify**: `deno test`",
    "  - _Requirements: FR-1, AC-1.1_",
  ].join("\n")).tasks;
  assert.equal(fieldOf(task!, "Do"), "1. one\n2. two");
  assert.deepEqual(filesOf(task!), ["a.ts", "b/c.ts"]);
  assert.equal(fieldOf(task!, "Done when"), "it runs");
  assert.equal(fieldOf(task!, "Verify"), "`deno test`");
  assert.equal(fieldOf(task!, "Requirements"), "FR-1, AC-1.1");
  assert.equal(fieldOf(task!, "Commit"), null);
});

Deno.test("ticking and inserting keep everything else, line endings included", () => {
  const text = "# T\r\n\r\n- [ ] 1.1 A\r\n  - x [ ] y\r\n- [ ] 1.2 B";
  const { tasks } = parseTasks(text);
  assert.equal(ticked(text, tasks[0]!), text.replace("- [ ] 1.1", "- [x] 1.1"));
  assert.equal(
    withBlock(text, tasks[0]!, "before", ["- [ ] 1.1.1 F"]),
    "# T\r\n\r\n- [ ] 1.1.1 F\r\n\r\n- [ ] 1.1 A\r\n  - x [ ] y\r\n- [ ] 1.2 B",
  );
  const behind = withBlock(text, tasks[1]!, "behind", ["- [ ] 1.3 C"]);
  assert.equal(shape(behind), "1.1 1.2 1.3");
  assert.ok(!/[^\r]\n/.test(behind), "no bare line feeds");
});

Deno.test("a fix gets the next free number below its task", () => {
  const { tasks } = parseTasks("- [ ] 1.1 A\n- [ ] 1.1.1 B\n- [ ] 2.3 C\n- [ ] V1 D");
  assert.equal(fixNumber(tasks[0]!, tasks), "1.1.2");
  assert.equal(fixNumber(tasks[2]!, tasks), "2.3.1");
  assert.equal(fixNumber(tasks[3]!, tasks), "2.1");
});
