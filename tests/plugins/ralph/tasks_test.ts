import assert from "node:assert/strict";
import { parseTasks, taskField } from "../../../plugins/ralph/tasks.ts";

/** `id` for open, `id*` for ticked. */
function shape(text: string): string {
  return parseTasks(text).tasks.map((task) => task.id + (task.done ? "*" : "")).join(" ");
}

Deno.test("parseTasks() recognises every kind of task id", () => {
  const cases: [string, string][] = [
    ["- [ ] 1.1 A", "1.1"],
    ["- [x] 1.1 A", "1.1*"],
    ["- [X] 1.1 A", "1.1*"],
    ["* [ ] 1.1 A", "1.1"],
    ["- [ ] 1.1.1 A\n- [ ] 1.1.2.3 B", "1.1.1 1.1.2.3"],
    ["- [ ] V1 A\n- [ ] V12 B\n- [ ] VF C\n- [ ] VE1 D", "V1 V12 VF VE1"],
    ["- [ ] 1.1: A\n- [ ] 1.2. B\n- [ ] 1.3) C\n- [ ] 1.4 - D", "1.1 1.2 1.3 1.4"],
    ["- [ ] **1.1** A\n- [ ] **1.2 B**", "1.1 1.2"],
    ["- [ ] [P] 1.1 A", "1.1"],
    ["- [ ] 1.1abc A", ""],
    ["- [ ] 1.X A", ""],
    ["- [ ] 1 A", ""],
    ["- [ ] VE placement in the plan", ""],
    ["  - [ ] 1.1 indented", ""],
    ["-[ ] 1.1 no space", ""],
    ["- [] 1.1 no box", ""],
    ["- [-] 1.1 other mark", ""],
    ["```\n- [ ] 1.1 fenced\n```", ""],
    ["~~~md\n- [ ] 1.1 fenced\n~~~\n- [ ] 1.2 B", "1.2"],
    ["````\n```\n- [ ] 1.1 fenced\n```\n````\n- [ ] 1.2 B", "1.2"],
    ["- [ ] 1.1 A\n  ```sh\n  - [ ] 9.9\n  ```\n- [ ] 1.2 B", "1.1 1.2"],
    ["\uFEFF- [ ] 1.1 A", "1.1"],
  ];
  for (const [text, expected] of cases) {
    assert.equal(shape(text), expected, text);
    assert.equal(shape(text.replaceAll("\n", "\r\n")), expected, `CRLF: ${text}`);
  }
});

Deno.test("parseTasks() reports an unclosed code fence, which hides no task", () => {
  const list = parseTasks("- [ ] 1.1 A\n```sh\nls\n- [ ] 1.2 B\n");
  assert.deepEqual(list.tasks.map((task) => task.id), ["1.1", "1.2"]);
  assert.match(list.warnings.join(), /never closed: line 2$/);
  assert.equal(shape("- [ ] 1.1 A\n  ```sh\n  ls\n- [ ] 1.2 B\n  ```sh\n  ls\n  ```\n"), "1.1 1.2");
});

Deno.test("a block ends at the next box or at a heading of any level", () => {
  const text = "## Phase 1\n- [ ] 1.1 A\n  - **Do**: x\n  - [ ] sub-item\n\n### sub\nprose\n" +
    "- [ ] 1.2 B\n  more\n- [ ] no number\n## Phase 2\n- [x] 2.1 C";
  const { tasks, strays } = parseTasks(text);
  assert.deepEqual(
    tasks.map((task) => task.block),
    ["- [ ] 1.1 A\n  - **Do**: x\n  - [ ] sub-item", "- [ ] 1.2 B\n  more", "- [x] 2.1 C"],
  );
  assert.deepEqual(strays.map((stray) => [stray.numbered, stray.done]), [[false, false], [
    false,
    false,
  ]]);
});

Deno.test("taskField() accepts several spellings of a field", () => {
  const [task] = parseTasks(
    "- [ ] 1.1 A\n  - **Do**:\n    1. one\n    2. two\n  - **Files**: `a.ts`\n" +
      "  - **Done when:** it runs\n  - _Requirements: FR-1, AC-1.1_\n",
  ).tasks;
  assert.deepEqual(
    ["Do", "Files", "Done when", "Requirements", "Commit"].map((name) => taskField(task!, name)),
    ["1. one\n2. two", "`a.ts`", "it runs", "FR-1, AC-1.1", null],
  );
});

Deno.test("parseTasks() reports lines that look like a box but are not a task", () => {
  const cases: [string, boolean, boolean][] = [
    ["-  [ ] 1.2 B", true, false],
    ["- [] 1.2 B", true, false],
    ["-[ ] 1.2 B", true, false],
    ["1. [ ] B", true, false],
    ["- [-] 1.2 B", true, false],
    ["  - [ ] 1.2.1 nested", true, false],
    ["> - [ ] 1.2 quoted", true, false],
    ["- [ ] Task 1.2: B", true, false],
    ["- [ ] 1.X B", true, false],
    ["- [ ] loose end", false, false],
    ["    1. [ ] a step", false, false],
    ["- [x] AC-1.1: holds", false, true],
  ];
  for (const [line, numbered, done] of cases) {
    const list = parseTasks(`- [ ] 1.1 A\n${line}\n- [ ] 1.3 C\n`);
    assert.deepEqual(list.tasks.map((task) => task.id), ["1.1", "1.3"], line);
    assert.deepEqual(
      list.strays.map((stray) => [stray.line, stray.numbered, stray.done]),
      [[1, numbered, done]],
      line,
    );
    assert.match(list.warnings.join(), /lines that look like a box but are no task: line 2 "/);
    assert.equal(list.advice !== null, numbered && !done, line);
  }
});

Deno.test("parseTasks() ignores links, code, comments and front matter", () => {
  const texts = [
    "- [x](http://a.b)",
    "- [P] 1.2 B",
    "- [1]: note",
    "```\n- [ ] 1.2 B\n-  [ ] 1.3 C\n```",
    "<!-- - [ ] 1.2 B -->",
    "<!--\n- [ ] 1.2 B\n1. [ ] C\n-->",
  ];
  for (const text of texts) {
    const list = parseTasks(`- [ ] 1.1 A\n\n${text}\n`);
    assert.deepEqual([list.tasks.length, list.strays], [1, []], text);
  }
  const front = parseTasks("---\ntodo:\n- [ ] 1.2 B\n---\n- [ ] 1.1 A\n");
  assert.deepEqual([front.tasks.map((task) => task.id), front.strays], [["1.1"], []]);
});
