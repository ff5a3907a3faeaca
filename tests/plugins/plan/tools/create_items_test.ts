/** Several new entities of one `plan_create`. */

import assert from "node:assert/strict";
import { inProcess } from "../../../support/in_process.ts";
import { makeProject, readTree, SMALL_PLAN } from "../../../support/project.ts";

const FEATURE = [
  {
    key: "ui",
    type: "work",
    title: "Search box",
    dependsOn: ["$index"],
    attrs: { source: "$spec" },
  },
  { key: "index", type: "work", title: "Index", attrs: { source: "$spec", status: "ready" } },
  {
    key: "docs",
    type: "work",
    title: "Docs",
    attrs: { status: "ready" },
    criteria: ["For $ui, $$5"],
  },
  {
    key: "spec",
    type: "spec",
    title: "Offline search",
    sections: { Overview: 'See {% ref "$decision" /%} and {% ref "$ui" /%}.' },
  },
  { key: "decision", type: "decision", title: "In the page", blocks: ["$docs"] },
  { key: "v2", type: "milestone", title: "Second", id: "v2.0.0" },
];

Deno.test("plan_create { items } creates what refers to each other, all or nothing, with one undo", async () => {
  const cwd = makeProject(SMALL_PLAN);
  await inProcess(cwd, async ({ ok, call }) => {
    const before = readTree(cwd);
    const planned = await ok("plan_create", { items: FEATURE, preview: true });
    assert.deepEqual(readTree(cwd), before);
    const made = await ok("plan_create", { items: FEATURE });
    const ids = (answer: typeof made) =>
      Object.fromEntries(answer.items.map(({ key, id }: { key: string; id: string }) => [key, id]));
    assert.deepEqual(ids(planned), ids(made));
    const { ui, index, docs, spec, decision, v2 } = ids(made);
    const pathOf = (wanted: string) =>
      made.items.find(({ key }: { key: string }) => key === wanted).path;
    assert.equal(v2, "v2.0.0");
    assert.deepEqual(made.offered, [index]);
    const get = (id: string) => ok("plan_get", { id });
    const box = await get(ui);
    assert.equal(box.attributes.source, spec);
    assert.deepEqual(box.dependencies.map(({ id }: { id: string }) => id), [index]);
    assert.deepEqual(
      (await get(docs)).dependencies.map(({ id }: { id: string }) => id),
      [decision],
    );
    // Beside what is given, nothing of the template is left.
    const criterion = `## Acceptance Criteria\n- [ ] For ${ui}, $5\n`;
    assert.ok(readTree(cwd)[pathOf("docs")]!.includes(`# Docs\n\n${criterion}\n## Dependencies`));
    assert.ok((await get(spec)).sections.Overview.includes(`"${decision}"`));
    assert.equal((await ok("plan_validate", {})).counts?.errors ?? 0, 0);
    await ok("plan_undo", { token: made.undo });
    assert.deepEqual(readTree(cwd), before);

    const item = (key: string, more: object = {}) => ({ key, type: "work", title: key, ...more });
    const wrong: readonly (readonly [object[], string, RegExp])[] = [
      [[item("a"), item("a")], "INVALID_ARGS", /key "a"/],
      [[item("a"), item("b", { blocks: ["$HOME"] })], "INVALID_ARGS", /"HOME".*\$\$/s],
      [[item("a"), item("b", { id: "WORK-001" })], "VALIDATION_ERROR", /WORK-001/],
    ];
    const errors = await call("plan_create", {
      items: [
        item("a", { attrs: { status: "shiny", colour: "red" }, criteria: ["x\ny"] }),
        item("b", { dependsOn: ["$a", "WORK-999"] }),
        item("c", { title: "{% x %}" }),
        item("d", { dependsOn: ["$c"] }),
        { key: "e", type: "spec", title: "E", attrs: { milestone: "v2" } },
      ],
    });
    assert.equal(errors.errorCode, "VALIDATION_ERROR");
    const said = errors.content[0].text;
    const lines = [
      ["a", "shiny", "colour", "one line"],
      ["b", "WORK-999"],
      ["c", "title"],
      ["e", "milestone"],
    ].map(([key, ...words]) => `${key}: [^\\n]*${words.join("[^\\n]*")}[^\\n]*\n`);
    assert.match(said, new RegExp(`^${lines.join("")}\nNothing was written. [^\n]*$`));
    assert.deepEqual(readTree(cwd), before);
    for (const [items, code, message] of wrong) {
      const { errorCode, content } = await call("plan_create", { items });
      assert.equal(errorCode, code, content[0].text);
      assert.match(content[0].text, message);
      assert.deepEqual(readTree(cwd), before);
    }
  });
});
