/** What is offered, withheld and blocked is the same in every tool, and as the CLI says. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { askOracle, lab } from "../../../support/lab.ts";
import {
  commitAll,
  entity,
  git,
  makeProject,
  planFile,
  writeFiles,
} from "../../../support/project.ts";
import { inProcess } from "../../../support/in_process.ts";
import { itemsOf } from "../../../support/rows.ts";

const work = (id: string, status: string, body: string) =>
  planFile(id, { status, milestone: "v1" }, body);

const ref = (id: string) => `{% ref "${id}" /%}`;

const PLAN = {
  "plan/milestones/v1.md": entity("milestone", { name: "v1", status: "active" }, "v1", "- Ship\n"),
  "plan/specs/SPEC-001-x.md": entity("spec", { id: "SPEC-001", status: "accepted" }, "Spec", ""),
  ...work("WORK-001", "in-progress", "Text.\n"),
  ...work("WORK-002", "ready", `See ${ref("SPEC-001")}.\n`),
  ...work("WORK-003", "ready", `## References\n- ${ref("SPEC-001")}\n`),
  ...work("WORK-004", "ready", `## Dependencies\n- ${ref("WORK-001")}\n`),
  ...work("WORK-005", "draft", "Later.\n"),
  ...work("WORK-006", "blocked", "Stuck.\n"),
  ...work("WORK-007", "draft", `After ${ref("SPEC-001")}.\n`),
};

/** The ids that the CLI offers, in order. */
async function cliOffers(cwd: string): Promise<string[]> {
  const theirs = makeProject({});
  Deno.symlinkSync(join(await lab(), "node_modules"), join(theirs, "node_modules"));
  writeFiles(theirs, { "package.json": '{ "devDependencies": { "@refrakt-md/plan": "*" } }' });
  Deno.symlinkSync(join(cwd, "plan"), join(theirs, "plan"));
  const [answer] = await askOracle(theirs, ["plan next --count 100 --format json".split(" ")]);
  // The CLI exits without JSON if it offers nothing.
  const { items = [] } = answer!.stdout.startsWith("{") ? JSON.parse(answer!.stdout) : {};
  return items.map(({ id }: { id: string }) => id);
}

Deno.test("every tool says the same about what is offered, and why so little is", async (test) => {
  const cwd = makeProject(PLAN);
  await inProcess(cwd, async ({ ok }) => {
    const why = "2 wait for SPEC-001 (accepted), 1 for WORK-001 (in-progress); 1 marked blocked; " +
      "2 draft";
    const offers = async (isCompared = false) => {
      const { items } = await ok("plan_next", { count: 100 });
      const ids: string[] = items.map(({ id }: { id: string }) => id);
      if (isCompared) assert.deepEqual(ids, await cliOffers(cwd));
      const { ready } = await ok("plan_status");
      assert.deepEqual(ready.map(({ id }: { id: string }) => id), ids);
      return ids;
    };
    await test.step("nothing is offered, and each answer has the reason", async () => {
      assert.deepEqual(await offers(), []);
      const { note, withheld } = await ok("plan_next", { detail: "short" });
      assert.ok(note.startsWith(`Nothing is offered: ${why}. Without a Dependencies`), note);
      assert.equal(withheld, 3);
      const status = await ok("plan_status");
      assert.deepEqual([status.note, status.withheld], [why, 3]);
      assert.equal(
        (await ok("plan_claim", { assignee: "ada" })).note,
        `Nothing is offered: ${why}`,
      );
      const { groups } = await ok("plan_validate", { severity: "warning" });
      const none = groups.find(({ type }: { type: string }) => type === "none-offered");
      assert.equal(none.message, `3 items are ready and none is offered: ${why}`);
    });
    await test.step("an edit tells that a mention withholds the item, with the correction", async () => {
      const { withheldBy, fix } = await ok("plan_update", { id: "WORK-007", status: "ready" });
      assert.deepEqual([withheldBy, fix.arguments], [["SPEC-001"], {
        id: "WORK-007",
        dependsOn: [],
      }]);
      await ok(fix.tool, fix.arguments);
      assert.deepEqual(await offers(), ["WORK-007"]);
    });
    await test.step("a created item states that its references are no dependencies", async () => {
      const made = await ok("plan_create", {
        type: "work",
        title: "New",
        attrs: { status: "ready", priority: "low" },
        sections: { References: `- ${ref("SPEC-001")}` },
      });
      assert.equal(made.withheldBy, undefined);
      assert.deepEqual(await offers(), ["WORK-007", made.id]);
    });
    await test.step("in a bug every reference counts, and no section ends that", async () => {
      const { id, withheldBy, fix } = await ok("plan_create", {
        type: "bug",
        title: "Broken",
        attrs: { status: "confirmed" },
        sections: { Actual: `Not as in ${ref("SPEC-001")}` },
      });
      assert.deepEqual([withheldBy, fix], [["SPEC-001"], undefined]);
      const { groups } = await ok("plan_validate", { type: "mention-blocks", id });
      assert.match(groups[0].message, /write the id without a tag/);
      assert.ok(!(await offers(true)).includes(id));
    });
  });
});

Deno.test("of what equally many wait for, that comes first which the first of them names", async () => {
  const waits = [["B", "A"], ["A"], ["A"], ["B"], ["B"], ["C"], ["C"]];
  const ids: Record<string, string> = { A: "SPEC-001", B: "SPEC-002", C: "SPEC-003" };
  const items = waits.map((names, at) =>
    work(`WORK-00${at + 1}`, "ready", names.map((name) => ref(ids[name]!)).join(" "))
  );
  const specs = Object.values(ids).map((id) => planFile(id, { status: "draft" }));
  await inProcess(makeProject(Object.assign({}, ...items, ...specs)), async ({ ok }) => {
    const { note } = await ok("plan_status");
    assert.equal(
      note,
      "3 wait for SPEC-002 (draft), 2 for SPEC-001 (draft), 2 for SPEC-003 (draft)",
    );
  });
});

Deno.test("an item that depends on itself waits, and an id in another case is no dependency", async () => {
  const cwd = makeProject({
    ...work("WORK-001", "ready", `## Dependencies\n- ${ref("WORK-001")}\n`),
    ...work("WORK-002", "ready", `## Dependencies\n- ${ref("work-001")}\n`),
  });
  await inProcess(cwd, async ({ ok }) => {
    const { items, withheld } = await ok("plan_next", { count: 9 });
    const ids = items.map(({ id }: { id: string }) => id);
    assert.deepEqual([ids, withheld], [["WORK-002"], 1]);
    assert.deepEqual(ids, await cliOffers(cwd));
    await ok("plan_update", { id: "WORK-001", dependsOn: ["-WORK-001"] });
    assert.equal((await ok("plan_next")).items[0].id, "WORK-001");
  });
});

Deno.test("what is taken on another branch is withheld by every tool, with the branch", async () => {
  const cwd = makeProject({
    ...PLAN,
    ...work("WORK-002", "ready", ""),
    ...work("WORK-003", "ready", ""),
    ...work("WORK-008", "ready", ""),
  });
  commitAll(cwd, "Begin");
  git(cwd, "checkout", "-q", "-b", "feature/x");
  const mine = { id: "WORK-002", status: "in-progress", assignee: "ada", milestone: "v1" };
  writeFiles(cwd, { "plan/work/WORK-002.md": entity("work", mine, "Item WORK-002", "") });
  commitAll(cwd, "Begin work");
  git(cwd, "checkout", "-q", "-b", "feature/y", "main");
  writeFiles(cwd, work("WORK-003", "done", ""));
  commitAll(cwd, "Finish");
  git(cwd, "checkout", "-q", "main");
  const [ada, done] = ['in-progress on "feature/x" by "ada"', 'done on "feature/y"'];
  await inProcess(cwd, async ({ ok, client }) => {
    const { items, note } = await ok("plan_next", { count: 9 });
    assert.deepEqual(items.map(({ id }: { id: string }) => id), ["WORK-008"]);
    assert.match(note, new RegExp(`2 taken elsewhere \\(WORK-002 ${ada}\\)`));
    const { withheldItems } = await ok("plan_next", { explain: true });
    assert.deepEqual(
      withheldItems.map(({ id, reason }: { id: string; reason: string }) => [id, reason]),
      [
        ["WORK-002", `Taken elsewhere: ${ada}`],
        ["WORK-003", `Taken elsewhere: ${done}`],
        ["WORK-004", "Unfinished dependencies: WORK-001 (in-progress)"],
      ],
    );
    assert.equal((await ok("plan_get", { id: "WORK-002" })).taken, ada);
    const list = await ok("plan_list", { status: "ready", fields: ["withheldBy"] });
    assert.deepEqual(
      itemsOf(list).map(({ id, taken }: { id: string; taken?: string }) => [id, taken]),
      [["WORK-002", ada], ["WORK-003", done], ["WORK-004", undefined], ["WORK-008", undefined]],
    );
    const { messages } = await client.getPrompt({ name: "plan_work", arguments: {} });
    assert.match(JSON.stringify(messages), /Work on \\"WORK-008/);
    const claimed = await ok("plan_claim", { assignee: "bob" });
    assert.equal(claimed.items[0].id, "WORK-008");
    assert.equal(claimed.note, `Skipped: WORK-002 (${ada}); WORK-003 (${done})`);
    // A server that runs sees the next commit there.
    git(cwd, "branch", "-q", "-D", "feature/y");
    const next = await ok("plan_next");
    assert.deepEqual(next.items.map(({ id }: { id: string }) => id), ["WORK-003"]);
    const own = await ok("plan_claim", { assignee: "ada" });
    assert.deepEqual([own.items[0].id, own.note], ["WORK-002", undefined]);
  });
});
