/** Calls about what is not there, and texts that look like something else. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { inProcess } from "../../../support/in_process.ts";
import { commitAll, makeProject, planFile, writeFiles } from "../../../support/project.ts";

Deno.test("plan_history answers for an entity that was removed, and for no unknown one", async () => {
  const cwd = makeProject({
    ...planFile("WORK-001", { status: "ready" }),
    ...planFile("WORK-002", { status: "ready" }),
  });
  commitAll(cwd, "Begin");
  Deno.removeSync(join(cwd, "plan/work/WORK-002.md"));
  commitAll(cwd, "Drop it");
  await inProcess(cwd, async ({ ok, call }) => {
    for (const id of ["WORK-002", "work-002"]) {
      const { events, ...answer } = await ok("plan_history", { id });
      assert.deepEqual([answer.id, answer.type, answer.total], ["WORK-002", "work", 2]);
      assert.deepEqual(events.map(({ kind }: { kind: string }) => kind), ["removed", "created"]);
    }
    assert.equal((await call("plan_history", { id: "WORK-003" })).errorCode, "NOT_FOUND");
    assert.equal((await ok("plan_history", { id: "WORK-001" })).total, 1);
  });
});

Deno.test("words after a dollar are text, unless they are the key of an item", async () => {
  const cwd = makeProject(planFile("WORK-001", { status: "ready" }));
  await inProcess(cwd, async ({ ok, call }) => {
    const items = [
      { key: "ui", type: "work", title: "Ask", body: "In $HOME, $PATH and ${HOME}.\n" },
      { key: "b", type: "work", title: "After", criteria: ["$HOME and $ui, $$ui"] },
    ];
    await ok("plan_create", { items });
    const { sections } = await ok("plan_get", { id: "WORK-002", fields: ["sections"] });
    assert.match(JSON.stringify(sections), /In \$HOME, \$PATH and \$\{HOME\}\./);
    const { criteria } = await ok("plan_get", { id: "WORK-003", fields: ["criteria"] });
    assert.equal(criteria[0].text, "$HOME and WORK-002, $ui");
    for (
      const [name, expected] of [
        ["$HOME", /No item has the key "HOME"/],
        ["d", /d: A key, and not an id: "c"[^]*"\$key" stands for the id/],
      ] as const
    ) {
      const wrong = { key: "c", type: "work", title: "Wrong", dependsOn: [name] };
      const other = { key: "d", type: "work", title: "Other", dependsOn: ["c"] };
      const { errorCode, content } = await call("plan_create", { items: [wrong, other] });
      assert.equal(errorCode, "INVALID_ARGS");
      assert.match(content[0].text, expected);
    }
  });
});

Deno.test("the number decides between criteria of equal texts", async () => {
  const text = "- [ ] 2\n- [ ] 2\n- [ ] all\n- [ ] all\n- [ ] 9\n";
  const cwd = makeProject(planFile("WORK-001", { status: "ready" }, text));
  await inProcess(cwd, async ({ ok, call }) => {
    const ticked = async () => {
      const { criteria } = await ok("plan_get", { id: "WORK-001", fields: ["criteria"] });
      return criteria.flatMap(({ n, checked }: { n: number; checked?: true }) => checked ? n : []);
    };
    await ok("plan_update", { id: "WORK-001", check: ["2"] });
    assert.deepEqual(await ticked(), [2]);
    await ok("plan_update", { id: "WORK-001", check: ["9"] });
    assert.deepEqual(await ticked(), [2, 5]);
    const both = await call("plan_update", { id: "WORK-001", check: ["all"] });
    assert.equal(both.errorCode, "VALIDATION_ERROR");
    assert.deepEqual(await ticked(), [2, 5]);
  });
});

Deno.test("nothing is cut inside a character", async () => {
  const emoji = "🎉".repeat(900);
  const texts = ["", "x"].map((start) =>
    `## Approach\n\n${start}${emoji}\n\n## Context\n\n${emoji}\n`
  );
  const cwd = makeProject({
    ...planFile("WORK-001", { status: "ready" }, `- [ ] x${emoji}\n\n${texts[0]}${texts[1]}`),
    ...planFile("WORK-002", { status: "ready" }, `- [ ] ${emoji}\n\n${texts[1]}${texts[0]}`),
  });
  commitAll(cwd, emoji);
  writeFiles(cwd, planFile("WORK-003", { status: "done" }));
  commitAll(cwd, `x${emoji}`);
  await inProcess(cwd, async ({ call }) => {
    const calls: [string, Record<string, unknown>][] = [
      ["plan_history", {}],
      ["plan_get", { id: "WORK-001" }],
      ["plan_get", { id: "WORK-002" }],
      ["plan_update", { id: "WORK-001", check: ["1"], note: `x${emoji}` }],
      ["plan_update", { ids: ["WORK-001", "WORK-002"], assignee: "🎉".repeat(200) }],
      ["refrakt_query", { sql: "select message, message m2 from commits" }],
    ];
    for (const [name, input] of calls) {
      const { content } = await call(name, input);
      assert.ok(content[0].text.isWellFormed(), name);
      assert.ok(!content[0].text.includes("\ufffd"), name);
    }
  });
});

Deno.test("a second entity with the title of an open one is written with a warning", async () => {
  const cwd = makeProject({
    ...planFile("WORK-001", { status: "ready" }, "", "Draw tables"),
    ...planFile("WORK-002", { status: "done" }, "", "Draw lines"),
    ...planFile("BUG-001", { status: "confirmed" }, "", "Draw maps"),
  });
  await inProcess(cwd, async ({ ok }) => {
    const warningsOf = async (title: string) =>
      (await ok("plan_create", { type: "work", title })).warnings;
    assert.deepEqual(await warningsOf("draw  Tables"), [
      "Open with the same title: WORK-001 (ready)",
    ]);
    assert.equal(await warningsOf("Draw lines"), undefined);
    assert.deepEqual(await warningsOf("Draw maps"), [
      "Open with the same title: BUG-001 (confirmed)",
    ]);
  });
});

Deno.test("of two files with one id, that in the folder of its type is read, with a warning", async () => {
  const [text] = Object.values(planFile("WORK-001", { status: "ready" }, "", "Right"));
  const cwd = makeProject({
    "plan/work/WORK-001.md": text!,
    "plan/archive/WORK-001.md": text!.replace("Right", "Old"),
    "plan/bugs/BUG-001.md": Object.values(planFile("BUG-001"))[0]!,
    "plan/a/BUG-001.md": Object.values(planFile("BUG-001", {}, "", "Copy"))[0]!,
  });
  await inProcess(cwd, async ({ ok }) => {
    const { title, warnings } = await ok("plan_get", { id: "WORK-001" });
    assert.equal(title, "Right");
    assert.match(warnings.join(), /2 files have the id WORK-001: .*work\/WORK-001\.md/);
    const several = await ok("plan_get", { ids: ["BUG-001", "WORK-001"] });
    assert.deepEqual(several.items.map(({ title }: { title: string }) => title), [
      "Item BUG-001",
      "Right",
    ]);
    assert.equal(several.warnings.length, 2);
  });
});
