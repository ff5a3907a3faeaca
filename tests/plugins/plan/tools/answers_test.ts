/** Consistency and size of the answers of several tools. */

import assert from "node:assert/strict";
import {
  commitAll,
  entity,
  type Files,
  makeProject,
  writeFiles,
} from "../../../support/project.ts";
import { inProcess } from "../../../support/in_process.ts";

const needs = (...ids: string[]) =>
  `## Dependencies\n${ids.map((id) => `- {% ref "${id}" /%}\n`).join("")}`;
const work = (id: string, status: string, body = "", more: Record<string, string> = {}) =>
  entity("work", { id, status, milestone: "v1", ...more }, `Item ${id}`, body);

const PLAN: Files = {
  "plan/work/WORK-1-a.md": work("WORK-1", "done"),
  "plan/work/WORK-2-b.md": work("WORK-2", "ready", needs("WORK-10"), { tags: "b, a, b" }),
  "plan/work/WORK-3-c.md": work("WORK-3", "blocked", needs("WORK-1"), { tags: "a" }),
  "plan/work/WORK-4-d.md": work("WORK-4", "blocked", "As SPEC-1 says, like WORK-10."),
  "plan/work/WORK-5-e.md": work("WORK-5", "ready", needs("BUG-1")),
  "plan/work/WORK-6-f.md": work("WORK-6", "ready", 'As {% ref "SPEC-1" /%} says.'),
  "plan/work/WORK-7-g.md": work("WORK-7", "done", needs("WORK-10")),
  "plan/work/WORK-10-h.md": work("WORK-10", "in-progress", "See WORK-1, [x](WORK-2-b.md)."),
  "plan/bugs/BUG-1-x.md": entity("bug", { id: "BUG-1", status: "wontfix" }, "Wontfix", ""),
  "plan/specs/SPEC-1-x.md": entity("spec", { id: "SPEC-1", status: "draft" }, "Spec", ""),
  "plan/milestones/v1.md": entity("milestone", { name: "v1", status: "active" }, "v1", ""),
};

const ids = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);

Deno.test("ids are found in plain text, as a whole", async () => {
  await inProcess(makeProject(PLAN), async ({ ok }) => {
    const sql = "select id from refs where kind <> 'source' and to_id = ";
    const mentions = async (id: string) =>
      (await ok("refrakt.query", { sql: `${sql}'${id}'` })).rows.flat().sort();
    assert.deepEqual(await mentions("WORK-1"), ["WORK-10", "WORK-3"]);
    assert.deepEqual(await mentions("WORK-10"), ["WORK-2", "WORK-4", "WORK-7"]);
    assert.deepEqual(await mentions("WORK-2"), ["WORK-10"]);
    assert.deepEqual(await mentions("SPEC-1"), ["WORK-4", "WORK-6"]);
    assert.deepEqual(ids({ items: (await ok("plan.get", { id: "SPEC-1" })).referencedBy }), [
      "WORK-4",
      "WORK-6",
    ]);
    const text = async (words: string) => ids(await ok("plan.list", { text: words }));
    assert.ok(!(await text("WORK-1")).includes("WORK-2"));
    assert.deepEqual((await text("work-10")).sort(), ["WORK-10", "WORK-2", "WORK-4", "WORK-7"]);
    // Rows are sorted by numbers in ids.
    const all = ids(await ok("plan.list", { type: "work", sort: " , " }));
    assert.deepEqual([all.at(0), all.at(-1)], ["WORK-1", "WORK-10"]);
  });
});

Deno.test("the history counts commits and says what it leaves out", async () => {
  const cwd = makeProject(PLAN);
  commitAll(cwd, "Begin");
  const many: Record<string, string> = {};
  for (let at = 100; at < 150; at++) {
    many[`plan/work/WORK-${at}-x.md`] = work(`WORK-${at}`, "draft");
  }
  writeFiles(cwd, many);
  commitAll(cwd, "Plan more");
  writeFiles(cwd, {
    "plan/work/WORK-10-h.md": work("WORK-10", "done"),
    "plan/work/WORK-2-b.md": work("WORK-2", "draft"),
  });
  commitAll(cwd, "Finish");
  await inProcess(cwd, async ({ ok }) => {
    interface Commit {
      message: string;
      changes: string[];
      totalChanges?: number;
    }
    const two = await ok("plan.history", { limit: 2 });
    const shown = two.commits.map(({ message, changes, totalChanges }: Commit) => [
      message,
      changes.length,
      totalChanges,
    ]);
    assert.deepEqual(shown, [["Finish", 2, undefined], ["Plan more", 15, 50]]);
    assert.equal(two.totalCommits, 3);
    const { commits } = await ok("plan.history", { limit: 30 });
    assert.deepEqual([commits[1].changes.length, commits[1].totalChanges], [10, 50]);
    const rest = await ok("plan.history", { limit: 2, cursor: two.nextCursor });
    assert.deepEqual(rest.commits.map(({ message }: Commit) => message), ["Begin"]);
    assert.equal(rest.nextCursor, undefined);
  });
});
