import assert from "node:assert/strict";
import { join } from "node:path";
import {
  commitAll,
  git,
  makeProject,
  onBranch,
  planFile,
  writeFiles,
} from "../../../support/project.ts";
import { inProcess } from "../../../support/in_process.ts";

const work = (number: number, attributes: Record<string, string>, body = "") =>
  planFile(`WORK-00${number}`, { status: "ready", ...attributes }, body);

const CRITERIA = "## Acceptance Criteria\n\n- [ ] Index pages\n- [ ] Query box\n";

/** A plan that two branches have changed since `main`. */
function twoBranches(): string {
  const cwd = makeProject({
    ...work(1, {}, CRITERIA),
    ...work(2, { priority: "high" }),
    ...work(3, {}),
    ...work(4, {}),
  });
  commitAll(cwd, "Begin");
  onBranch(cwd, "ada", {
    ...work(1, { assignee: "ada" }, CRITERIA.replace("[ ] Index", "[x] Index")),
    ...work(2, { priority: "critical" }),
    ...work(3, { status: "blocked" }),
  });
  onBranch(cwd, "ben", {
    ...work(1, { priority: "low" }, CRITERIA.replace("Index pages", "Index all pages")),
    ...work(2, { priority: "low" }),
    ...work(5, { milestone: "v9" }),
  });
  return cwd;
}

Deno.test("plan_history with compare says what two branches have changed, and what they disagree on", async () => {
  const cwd = twoBranches();
  await inProcess(cwd, async ({ ok, call }) => {
    const answer = await ok("plan_history", { compare: ["ada", "ben"] });
    const [one] = answer.merged;
    assert.equal(one.id, "WORK-001");
    assert.match(one.ours, /^assignee - → ada, 1 .*ticked/);
    assert.match(one.theirs, /^priority - → low, 1 criterion /);
    assert.match(
      one.reopened[0],
      /^"Index pages" → "Index all pages" \(ticked on one side, reworded/,
    );
    const [two] = answer.open;
    assert.equal(two.id, "WORK-002");
    assert.deepEqual(
      two.disagreements.map((
        { name, base, ours, theirs }: Record<string, string>,
      ) => [name, base, ours, theirs]),
      [["priority", "high", "critical", "low"]],
    );
    assert.deepEqual(answer.onlyOurs, ["WORK-003: ready → blocked"]);
    assert.match(answer.onlyTheirs[0], /^WORK-005: created/);
    assert.equal(git(cwd, "status", "--porcelain"), "");
    const { onlyTheirs, merged, open } = await ok("plan_history", { compare: ["ada"] });
    assert.deepEqual([merged, open, onlyTheirs.length], [[], undefined, 3]);
    const single = await ok("plan_history", { compare: ["ada", "ben"], id: "work-002" });
    assert.deepEqual([single.merged, single.open.length, single.onlyOurs], [[], 1, undefined]);
    const { content: [said] } = await call("plan_history", { compare: ["ben", "--all"] });
    assert.match(said!.text, /"compare": no such commit/);
  });
});

Deno.test("an entity that one branch has moved or removed is compared by its id", async () => {
  const cwd = twoBranches();
  git(cwd, "checkout", "-q", "ada");
  git(cwd, "mv", "plan/work/WORK-002.md", "plan/work/WORK-002-search.md");
  git(cwd, "rm", "-q", "plan/work/WORK-001.md");
  commitAll(cwd, "Move one, remove one");
  await inProcess(cwd, async ({ ok }) => {
    const { open, merged } = await ok("plan_history", { compare: ["ben"] });
    assert.deepEqual(merged, []);
    const [gone, moved] = open;
    assert.match(gone.reason, /^HEAD has deleted the file/);
    assert.equal(moved.path, join("plan", "work", "WORK-002-search.md"));
    assert.equal(moved.disagreements[0].name, "priority");
  });
});

Deno.test("plan_get reads an entity as it is on a branch", async () => {
  const cwd = twoBranches();
  await inProcess(cwd, async ({ ok, call }) => {
    const there = await ok("plan_get", { id: "WORK-001", at: "ada" });
    assert.equal(there.attributes.assignee, "ada");
    assert.equal(there.criteria[0].checked, true);
    const here = await ok("plan_get", { id: "WORK-001" });
    assert.equal(here.criteria[0].checked, undefined);
    assert.match(here.changedElsewhere, /criteria 1\/2 \(ticked: 1\) on "ada"/);
    const { markdoc } = await ok("plan_get", { id: "WORK-005", at: "ben", fields: ["markdoc"] });
    assert.match(markdoc, /milestone="v9"/);
    const { content: [missing] } = await call("plan_get", { id: "WORK-005", at: "ada" });
    assert.match(missing!.text, /no "WORK-005" in "ada"/);
    const { warnings } = await ok("plan_history", { until: "ada" });
    assert.match(warnings.join(), /HEAD does not contain "ada".*compare/);
    assert.deepEqual((await ok("plan_history", { until: "main" })).warnings, undefined);
  });
});

Deno.test("who has an item on a branch can be taken over, and their ticks and note are told", async () => {
  const cwd = twoBranches();
  const started = { status: "in-progress", assignee: "bea" };
  const done = CRITERIA.replace("[ ] Query", "[x] Query");
  const notes = "\n## Notes\n\n- 2026-07-02 bea: The index is next.\n";
  onBranch(cwd, "bea", work(3, started, done + notes));
  writeFiles(cwd, work(3, {}, CRITERIA));
  commitAll(cwd, "Say what it is");
  await inProcess(cwd, async ({ ok, call }) => {
    const { taken, changedElsewhere } = await ok("plan_get", { id: "WORK-003" });
    assert.equal(taken, 'in-progress on "bea" by "bea"');
    assert.match(
      changedElsewhere,
      /criteria 1\/2 \(ticked: 2\), note "2026-07-02 bea: The index is next\." on "bea"/,
    );
    const input = { id: "WORK-003", assignee: "cleo", note: "she has left" };
    const wrong = await call("plan_claim", { ...input, takeOver: "ben" });
    assert.equal(wrong.errorCode, "CONFLICT");
    assert.match(wrong.content[0].text, /not "ben"; it is in-progress on "bea" by "bea"/);
    const { items, note } = await ok("plan_claim", { ...input, takeOver: "bea" });
    assert.equal(items[0].attributes.assignee, "cleo");
    assert.match(items[0].newestNote, /cleo: taken over from "bea": she has left/);
    assert.match(
      note,
      /^Elsewhere it is in-progress on "bea" by "bea"\. Not here yet: criteria 1\/2/,
    );
  });
});
