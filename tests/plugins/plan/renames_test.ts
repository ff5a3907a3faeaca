import assert from "node:assert/strict";
import { join } from "node:path";
import { createServer } from "../../../mod.ts";
import { inProcess } from "../../support/in_process.ts";
import {
  commitAll,
  entity,
  git,
  makeProject,
  SMALL_PLAN,
  writeFiles,
} from "../../support/project.ts";

const FIRST = "plan/work/WORK-001-first.md";
const first = SMALL_PLAN[FIRST]!;

interface Told {
  kind: string;
  message: string;
  id?: string;
  renamedFrom?: string;
  attributeChanges?: { field: string; from: string; to: string }[];
  criteriaChanges?: { text: string; action: string }[];
}

/** Starts a server that reads the history repeatedly. */
async function historyOf(cwd: string) {
  const server = await createServer({ cwd });
  return async (input: Record<string, unknown>): Promise<Told[]> => {
    const { events } = await server.callTool("plan_history", { ...input }) as {
      events: Told[];
    };
    return events;
  };
}

const short = (events: Told[]) => events.map(({ kind, message }) => `${kind}:${message}`);

Deno.test("a file rewritten under a new name with the same id is the same entity", async () => {
  const cwd = makeProject(SMALL_PLAN);
  commitAll(cwd, "begin");
  Deno.removeSync(join(cwd, FIRST));
  const rewritten = entity(
    "work",
    { id: "WORK-001", status: "done" },
    "Nothing like before",
    "Other.\n",
  );
  writeFiles(cwd, {
    "plan/work/other-name.md": rewritten,
    // Git takes this file for the removed one.
    "plan/work/WORK-007-twin.md": first.replace("WORK-001", "WORK-007"),
  });
  commitAll(cwd, "rewrite");
  const ask = await historyOf(cwd);
  const events = await ask({ id: "WORK-001" });
  assert.deepEqual(short(events), ["attributes:rewrite", "created:begin"]);
  assert.equal(events[0]!.renamedFrom, "work/WORK-001-first.md");
  assert.deepEqual(short(await ask({ id: "WORK-007" })), ["created:rewrite"]);
  // The same in two commits.
  Deno.removeSync(join(cwd, "plan/work/other-name.md"));
  commitAll(cwd, "take away");
  writeFiles(cwd, { "plan/work/third.md": rewritten.replace('"done"', '"review"') });
  commitAll(cwd, "bring back");
  assert.deepEqual(
    short(await ask({ id: "WORK-001" })),
    ["attributes:bring back", "removed:take away", "attributes:rewrite", "created:begin"],
  );
});

Deno.test("a history continues from the last commit read, and restarts if that commit is gone", async () => {
  const cwd = makeProject(SMALL_PLAN);
  commitAll(cwd, "begin");
  const ask = await historyOf(cwd);
  assert.deepEqual(short(await ask({ id: "WORK-001" })), ["created:begin"]);
  for (const [index, status] of ["review", "done", "draft"].entries()) {
    writeFiles(cwd, { [FIRST]: first.replace('"ready"', () => `"${status}"`) });
    commitAll(cwd, `to ${status}`);
    const events = await ask({ id: "WORK-001" });
    assert.equal(events[0]!.message, `to ${status}`);
    assert.equal(events.length, index + 2);
  }
  git(cwd, "mv", FIRST, "plan/work/renamed.md");
  commitAll(cwd, "rename");
  const whole = await ask({ id: "WORK-001" });
  assert.equal(whole.length, 5);
  assert.deepEqual(await (await historyOf(cwd))({ id: "WORK-001" }), whole);
  git(cwd, "reset", "-q", "--hard", "HEAD~3");
  assert.deepEqual(short(await ask({ id: "WORK-001" })), ["attributes:to review", "created:begin"]);
  git(cwd, "checkout", "-q", "-b", "other", "HEAD~1");
  assert.deepEqual(short(await ask({ id: "WORK-001" })), ["created:begin"]);
});

Deno.test("a merge across a rename tells only what no parent has", async () => {
  const NEW = "plan/work/WORK-001-new.md";
  const done = first.replace('"ready"', '"done"').replace("[ ] It runs", "[x] It runs");
  const cwd = makeProject(SMALL_PLAN);
  commitAll(cwd, "begin");
  git(cwd, "checkout", "-q", "-b", "x");
  git(cwd, "mv", FIRST, NEW);
  commitAll(cwd, "rename");
  git(cwd, "checkout", "-q", "main");
  writeFiles(cwd, { [FIRST]: done });
  commitAll(cwd, "finish");
  git(cwd, "merge", "-q", "--no-edit", "x");
  const clean = await (await historyOf(cwd))({ id: "WORK-001" });
  assert.deepEqual(short(clean).sort(), ["attributes:finish", "content:rename", "created:begin"]);
  const server = await createServer({ cwd });
  const { reached } = await server.callTool("plan_history", { summary: true }) as {
    reached: { work: Record<string, number> };
  };
  assert.equal(reached.work["done"], 1);
  // What the merge itself changes stays, and only that.
  writeFiles(cwd, { [NEW]: done.replace('priority="high"', 'priority="low"') });
  git(cwd, "add", "-A");
  git(cwd, "commit", "-q", "--amend", "-m", "more than a merge");
  const [evil, ...rest] = await (await historyOf(cwd))({ id: "WORK-001" });
  assert.equal(evil!.message, "more than a merge");
  assert.deepEqual(evil!.attributeChanges, [{ field: "priority", from: "high", to: "low" }]);
  assert.equal(evil!.criteriaChanges, undefined);
  assert.deepEqual(rest, clean);
});

Deno.test("two entities that had one id, one after the other, have each a history", async (test) => {
  const item = (title: string, status: string) =>
    entity("work", { id: "WORK-009", status }, title, "");
  const cases = { "other names": ["work/WORK-009-old.md", "work/WORK-009-new.md"] };
  const same = { "one name": ["work/WORK-009.md", "work/WORK-009.md"] };
  for (const [name, [before = "", after = ""]] of Object.entries({ ...cases, ...same })) {
    await test.step(name, async () => {
      const cwd = makeProject(SMALL_PLAN);
      const write = (file: string, text: string, message: string, date: string) => {
        writeFiles(cwd, { [`plan/${file}`]: text });
        commitAll(cwd, message, `--date=${date}`);
      };
      const remove = (file: string, message: string, date: string) => {
        Deno.removeSync(join(cwd, "plan", file));
        commitAll(cwd, message, `--date=${date}`);
      };
      write(before, item("The first", "ready"), "begin", "2026-01-01T12:00:00Z");
      write(before, item("The first", "done"), "finish", "2026-01-02T12:00:00Z");
      remove(before, "drop", "2026-01-03T12:00:00Z");
      // Restored, it is the same.
      write(before, item("The first", "draft"), "restore", "2026-01-04T12:00:00Z");
      remove(before, "drop again", "2026-01-04T13:00:00Z");
      const ask = await historyOf(cwd);
      const first = ["removed:drop again", "created:restore", "removed:drop"]
        .concat("attributes:finish", "created:begin");
      assert.deepEqual(short(await ask({ id: "WORK-009" })), first);
      write(after, item("The second", "ready"), "second", "2026-01-05T12:00:00Z");
      // A server that knows the first, and one that does not.
      for (const read of [ask, await historyOf(cwd)]) {
        assert.deepEqual(short(await read({ id: "WORK-009" })), ["created:second"]);
      }
      await inProcess(cwd, async ({ ok }) => {
        const { rows } = await ok("refrakt_query", {
          sql: "select substr(created, 1, 10), finished from durations where id = 'WORK-009'",
        });
        assert.deepEqual(rows, [["2026-01-05", null]]);
        const { commits } = await ok("plan_history", { limit: 4 });
        assert.deepEqual(commits.map(({ changes }: { changes: string[] }) => changes.join()), [
          'WORK-009 "The second": created (ready)',
          "WORK-009: removed",
          "WORK-009: created (draft)",
          "WORK-009: removed",
        ]);
        const { authors } = await ok("plan_history", { workingTree: true, since: "2026-01-01" });
        const lines = authors.flatMap(({ changes }: { changes: string[] }) => changes)
          .filter((line: string) => line.includes("-009"));
        assert.deepEqual(lines, [
          'WORK-009 "The second": created (ready)',
          'WORK-009 "The first": nothing in the end',
        ]);
      });
      remove(after, "drop the second", "2026-01-06T12:00:00Z");
      assert.deepEqual(
        short(await ask({ id: "WORK-009" })),
        ["removed:drop the second", "created:second"],
      );
    });
  }
});
