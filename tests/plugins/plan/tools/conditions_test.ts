/** `plan.update { if }`: compares with what the file has, and never validates. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { inProcess } from "../../../support/in_process.ts";
import { entity, makeProject, readTree } from "../../../support/project.ts";

const PLAN = {
  "plan/work/WORK-001.md": entity(
    "work",
    { id: "WORK-001", status: "todo", priority: "urgent", owner: "ada" },
    "First `one`",
    "Text.\r\nMore.\r\n\n## Acceptance Criteria\n\n- [x] One\n- [ ] Two\n\n## Assignee\n\nBob\n\n" +
      "## sections\n\nThree\n\n## Title\n\nSir\n",
  ),
  "plan/work/WORK-002.md": entity("work", { id: "WORK-002", status: "ready" }, "Second", ""),
  "plan/specs/SPEC-001.md": entity("spec", { id: "SPEC-001", status: "finished" }, "Spec", ""),
};

Deno.test("a condition compares attributes, title, criteria and sections", async (t) => {
  const cwd = makeProject(PLAN);
  await inProcess(cwd, async ({ ok, call }) => {
    const id = "WORK-001";
    const { items: [row] } = await ok("plan.list", { status: "todo", fields: ["criteria"] });
    const { title, sections } = await ok("plan.get", { id });
    const holds: [string, Record<string, unknown>][] = [
      ["values that no version knows", { status: "todo", priority: "urgent", owner: "ada" }],
      ["what is not there, of any kind", { Dependencies: "", tags: "", nonsense: "", pr: "" }],
      ["a name of every object", { constructor: "", toString: "" }],
      ["the attribute, not the section of its name", { assignee: "", milestone: "" }],
      ["a heading, as it is spelled or not", { Assignee: "Bob", "acceptance  criteria": BOXES }],
      ["a section named like the title", { title: "First one", sections: { title: "Sir" } }],
      ["what the list answers", { criteria: row.criteria }],
      ["what plan.get answers", { title, ...sections, sections }],
      ["line ends and space around a text", { description: "\nText.\nMore.\n\n" }],
    ];
    for (const [name, condition] of holds) {
      await t.step(name, async () => {
        await ok("plan.update", { id, complexity: "simple", if: condition });
      });
    }
    const before = readTree(cwd);
    const fails: [Record<string, unknown>, Record<string, unknown>, RegExp][] = [
      [{ status: "ready" }, { status: "todo" }, /status is "todo", not "ready"/],
      [{ assignee: "Bob" }, { assignee: "" }, /it has no assignee/],
      [{ Assignee: "" }, { Assignee: "Bob" }, /Assignee is "Bob", not ""/],
      [{ Nowhere: "x" }, { Nowhere: "" }, /it has no Nowhere/],
      [{ criteria: "2/2" }, { criteria: "1/2" }, /criteria/],
      [{ criteria: "" }, { criteria: BOXES }, /"criteria" has another text/],
      [{ title: "Other" }, { title: "First one" }, /title is "First one"/],
      [{ sections: { assignee: "" } }, { sections: { assignee: "Bob" } }, /assignee is "Bob"/],
    ];
    for (const [condition, current, message] of fails) {
      const answer = await call("plan.update", { id, status: "ready", if: condition });
      assert.equal(answer.errorCode, "CONFLICT", JSON.stringify(condition));
      assert.match(answer.content[0].text, message);
      assert.deepEqual(answer._meta!["data"], { current });
    }
    assert.deepEqual(readTree(cwd), before);
  });
});

const BOXES = "- [x] One\n- [ ] Two";

Deno.test("a criterion is named by its text before its number", async () => {
  const boxes = ["404", "2", "Has 7 columns", "all"];
  const text = entity("work", { id: "WORK-001", status: "ready" }, "Numbers", boxesOf(boxes, []));
  const cwd = makeProject({ "plan/work/WORK-001.md": text });
  await inProcess(cwd, async ({ ok, call }) => {
    const cases: [string | number | (string | number)[], string[]][] = [
      ["404", ["404"]],
      [2, ["2"]],
      ["2", ["2"]],
      [["3", 1], ["404", "Has 7 columns"]],
      ["7", ["Has 7 columns"]],
      ["all", ["all"]],
    ];
    for (const [check, expected] of cases) {
      const { changes } = await ok("plan.update", { id: "WORK-001", check });
      assert.deepEqual(changes.length, expected.length);
      assert.ok(changes.every(({ field }: { field: string }) => field === "criterion"));
      const text = Deno.readTextFileSync(join(cwd, "plan/work/WORK-001.md"));
      assert.ok(text.includes(boxesOf(boxes, expected)), text);
      await ok("plan.update", { id: "WORK-001", uncheck: expected });
    }
    for (const check of [404, "405"]) {
      const { hint, errorCode } = await call("plan.update", { id: "WORK-001", check });
      assert.equal(errorCode, "VALIDATION_ERROR");
      assert.match(hint!, /from 1 to 4|give its number/);
    }
  });
});

Deno.test("a criterion that goes on in a second line is the same whole text everywhere", async () => {
  const boxes =
    "- [ ] Wraps **here**\n  and there  \n- [ ] Two\nlazily\n  - a note\n\n  More.\n- [x] 3";
  const cwd = makeProject({
    "plan/work/WORK-001.md": entity("work", { id: "WORK-001", status: "ready" }, "W", boxes),
  });
  const [one, two] = ["Wraps **here** and there", "Two lazily"];
  await inProcess(cwd, async ({ ok }) => {
    const id = "WORK-001";
    const textsIn = async () => {
      const { criteria } = await ok("plan.get", { id });
      const { items: [next] } = await ok("plan.next");
      const sql = "select text from criteria order by n";
      const { rows } = await ok("refrakt.query", { sql });
      const all = [criteria, next.criteria].map((found: { text: string }[]) =>
        found.map(({ text }) => text)
      );
      return [...all, rows.flat()];
    };
    for (const texts of await textsIn()) assert.deepEqual(texts, [one, two, "3"]);
    const criteria = `- [ ] ${one}\n- [ ] ${two}\n- [x] 3`;
    const path = join(cwd, "plan/work/WORK-001.md");
    const before = Deno.readTextFileSync(path);
    const ticked = await ok("plan.update", { id, if: { criteria }, check: one });
    assert.deepEqual(ticked.open, [{ n: 2, text: two }]);
    assert.equal(
      Deno.readTextFileSync(path),
      before.replace("[ ] Wraps", "[x] Wraps"),
    );
    await ok("plan.undo", { token: ticked.undo });
    const reword = { "and there": "One", [two]: "2" };
    const reworded = await ok("plan.update", { id, criteria: { reword } });
    assert.equal(
      Deno.readTextFileSync(path),
      before.replace("Wraps **here**\n  and there", "One").replace("Two\nlazily", "2"),
    );
    for (const texts of await textsIn()) assert.deepEqual(texts, ["One", "2", "3"]);
    await ok("plan.undo", { token: reworded.undo });
    assert.equal(Deno.readTextFileSync(path), before);
  });
});

function boxesOf(texts: readonly string[], ticked: readonly string[]): string {
  return texts.map((text) => `- [${ticked.includes(text) ? "x" : " "}] ${text}\n`).join("");
}
