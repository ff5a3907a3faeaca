/** `plan_update { if }`: compares with what the file has, and never validates. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { inProcess } from "../../../support/in_process.ts";
import { entity, makeProject, readTree } from "../../../support/project.ts";
import { itemsOf } from "../../../support/rows.ts";

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
    const [row] = itemsOf(await ok("plan_list", { status: "todo", fields: ["criteria"] }));
    const { title, sections } = await ok("plan_get", { id });
    const holds: [string, Record<string, unknown>][] = [
      ["values that no version knows", { status: "todo", priority: "urgent", owner: "ada" }],
      ["a name of every object", { constructor: "", toString: "" }],
      ["a heading, as it is spelled or not", { Assignee: "Bob", "acceptance  criteria": BOXES }],
      ["a section named like the title", { title: "First one", sections: { title: "Sir" } }],
      ["what the list answers", { criteria: row.criteria }],
      ["what plan_get answers", { title, ...sections, sections }],
      ["line ends and space around a text", { description: "\nText.\nMore.\n\n" }],
    ];
    for (const [name, condition] of holds) {
      await t.step(name, async () => {
        await ok("plan_update", { id, complexity: "simple", if: condition });
      });
    }
    const before = readTree(cwd);
    const fails: [Record<string, unknown>, Record<string, unknown>, RegExp][] = [
      [{ status: "ready" }, { status: "todo" }, /status is "todo", not "ready"/],
      [{ assignee: "Bob" }, { assignee: "" }, /it has no assignee/],
      [{ Assignee: "" }, { Assignee: "Bob" }, /Assignee is "Bob", not ""/],
      [{ criteria: "" }, { criteria: BOXES }, /"criteria" has another text/],
      [{ sections: { assignee: "" } }, { sections: { assignee: "Bob" } }, /assignee is "Bob"/],
    ];
    for (const [condition, current, message] of fails) {
      const answer = await call("plan_update", { id, status: "ready", if: condition });
      assert.equal(answer.errorCode, "CONFLICT", JSON.stringify(condition));
      assert.match(answer.content[0].text, message);
      assert.deepEqual(answer._meta!["data"], { current });
    }
    assert.deepEqual(readTree(cwd), before);
  });
});

const BOXES = "- [x] One\n- [ ] Two";

Deno.test("a criterion that goes on in a second line is the same whole text everywhere", async () => {
  const boxes =
    "- [ ] Wraps **here**\n  and there  \n- [ ] Two\nlazily\n  - a note\n\n  More.\n- [x] 3";
  const cwd = makeProject({
    "plan/work/WORK-001.md": entity("work", { id: "WORK-001", status: "ready" }, "W", boxes),
  });
  const [one, two] = ["Wraps **here** and there", "Two lazily"];
  await inProcess(cwd, async ({ ok }) => {
    const id = "WORK-001";
    const { criteria: got } = await ok("plan_get", { id });
    const { items: [next] } = await ok("plan_next");
    const { rows } = await ok("refrakt_query", { sql: "select text from criteria order by n" });
    const textOf = ({ text }: { text: string }) => text;
    for (const texts of [got.map(textOf), next.criteria.map(textOf), rows.flat()]) {
      assert.deepEqual(texts, [one, two, "3"]);
    }
    const criteria = `- [ ] ${one}\n- [ ] ${two}\n- [x] 3`;
    const path = join(cwd, "plan/work/WORK-001.md");
    const before = Deno.readTextFileSync(path);
    const ticked = await ok("plan_update", { id, if: { criteria }, check: one });
    assert.deepEqual(ticked.open, [{ n: 2, text: two }]);
    assert.equal(
      Deno.readTextFileSync(path),
      before.replace("[ ] Wraps", "[x] Wraps"),
    );
    await ok("plan_undo", { token: ticked.undo });
    const reword = { "and there": "One", [two]: "2" };
    await ok("plan_update", { id, criteria: { reword } });
    assert.equal(
      Deno.readTextFileSync(path),
      before.replace("Wraps **here**\n  and there", "One").replace("Two\nlazily", "2"),
    );
  });
});
