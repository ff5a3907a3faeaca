/** Days in arguments are those of answers, and those of the calendar. */

import assert from "node:assert/strict";
import { inProcess } from "../../../support/in_process.ts";
import { commitAll, git, makeProject, planFile, writeFiles } from "../../../support/project.ts";
import { itemsOf } from "../../../support/rows.ts";

Deno.test("a day in an argument is the day that the answer shows, in the zone that git wrote", async () => {
  const cwd = makeProject(planFile("WORK-001", { status: "ready" }));
  commitAll(cwd, "Begin", "--date=2026-01-31T01:30:00+05:00");
  writeFiles(cwd, planFile("WORK-001", { status: "done" }));
  commitAll(cwd, "Finish", "--date=2026-02-02T23:30:00-08:00");
  await inProcess(cwd, async ({ ok }) => {
    const messages = async (range: Record<string, string>) =>
      (await ok("plan_history", range)).commits.map(({ message }: { message: string }) => message);
    const { commits } = await ok("plan_history");
    assert.deepEqual(commits.map(({ date }: { date: string }) => date), [
      "2026-02-02",
      "2026-01-31",
    ]);
    assert.deepEqual(await messages({ since: "2026-01-31" }), ["Finish", "Begin"]);
    assert.deepEqual(await messages({ until: "2026-01-30" }), []);
    assert.deepEqual(await messages({ until: "2026-01-31" }), ["Begin"]);
    assert.deepEqual(await messages({ since: "2026-02-02", until: "2026-02-02" }), ["Finish"]);
    assert.deepEqual(await messages({ since: "2026-02-03" }), []);
    const items = itemsOf(await ok("plan_list", { fields: ["modified"] }));
    assert.equal(items[0].modified, "2026-02-02");
    const { newest } = await ok("plan_history", { id: "WORK-001", since: "1d" });
    assert.equal(newest.date, "2026-02-02");
    // A month before the end of March is the end of February.
    writeFiles(cwd, planFile("WORK-002", { status: "ready" }));
    commitAll(cwd, "Later", "--date=2026-03-31T12:00:00Z");
    assert.deepEqual(await messages({ sinceNewest: "1m" }), ["Later"]);
    writeFiles(cwd, planFile("WORK-003", { status: "ready" }));
    commitAll(cwd, "At the end of February", "--date=2026-02-28T13:00:00Z");
    assert.deepEqual(await messages({ sinceNewest: "1m" }), ["Later", "At the end of February"]);
  });
});

Deno.test("work that was rebased counts from when it was committed, and is shown so", async () => {
  const cwd = makeProject(planFile("WORK-001", { status: "ready" }));
  commitAll(cwd, "Begin", "--date=2026-01-01T12:00:00Z");
  writeFiles(cwd, planFile("WORK-001", { status: "done" }));
  commitAll(cwd, "Finish", "--date=2026-01-05T12:00:00Z");
  git(cwd, "commit", "-q", "--amend", "--no-edit");
  await inProcess(cwd, async ({ ok }) => {
    const { commits } = await ok("plan_history", { since: "yesterday" });
    assert.deepEqual(commits.map(({ message }: { message: string }) => message), ["Finish"]);
    const shown = git(cwd, "log", "-1", "--format=%cs");
    assert.equal(commits[0].date, shown);
    const { rows } = await ok("refrakt_query", {
      sql: "select date from commits where message = 'Finish'",
    });
    assert.ok(
      String(rows[0]).includes(
        new Date(git(cwd, "log", "-1", "--format=%cI"))
          .toISOString().slice(0, 10),
      ),
    );
  });
});

Deno.test("a day that does not exist is refused in an argument, and a warning in an attribute", async () => {
  const cwd = makeProject(planFile("v1.0.0", { status: "active", target: "2026-02-28" }));
  commitAll(cwd, "Begin");
  await inProcess(cwd, async ({ ok, call }) => {
    const calls = [
      ["plan_history", "since"],
      ["plan_history", "until"],
      ["plan_history", "sinceNewest"],
      ["plan_review", "since"],
      ["plan_review", "idle"],
    ] as const;
    for (const [tool, name] of calls) {
      for (const day of ["2026-02-30", "2026-04-31T10:00", "2025-02-29", "2026-13-01"]) {
        assert.equal(
          (await call(tool, { [name]: day })).errorCode,
          "INVALID_ARGS",
          `${name} ${day}`,
        );
      }
      assert.equal((await call(tool, { [name]: "2024-02-29" })).errorCode, undefined);
    }
    const strange = (name: string) => [`${name} is no day of the calendar: 2026-02-30`];
    assert.deepEqual(
      (await ok("plan_update", { id: "v1.0.0", attrs: { target: "2026-02-30" } })).warnings,
      strange("target"),
    );
    const created = await ok("plan_create", {
      type: "decision",
      title: "Other way",
      attrs: { date: "2026-02-30" },
    });
    assert.deepEqual(created.warnings, strange("date"));
    for (const date of ["2026/01/05", "05.01.2026", "Jan 5, 2026", "tomorrow"]) {
      const { warnings } = await ok("plan_update", { id: created.id, attrs: { date } });
      assert.deepEqual(warnings, [`date is no day of the calendar: ${date}`]);
    }
    await ok("plan_update", { id: created.id, attrs: { date: "2026-02-30" } });
    const problems = await ok("plan_validate");
    assert.match(JSON.stringify(problems), /unknown-day.*no day of the calendar.*v1.0.0/);
    const right = await ok("plan_update", { id: "v1.0.0", attrs: { target: "2024-02-29" } });
    assert.equal(right.warnings, undefined);
  });
});
