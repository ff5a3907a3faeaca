import assert from "node:assert/strict";
import { errorOf } from "../../../support/calls.ts";
import { renderPrompt } from "../../../support/plan.ts";
import { commitAll, entity, makeProject, writeFiles } from "../../../support/project.ts";
import { WIDE_PLAN } from "../tools/plan.ts";

const BUG = "plan/bugs/BUG-001-crash.md";
const cwd = makeProject(WIDE_PLAN);
commitAll(cwd, "Begin");
writeFiles(cwd, {
  [BUG]: WIDE_PLAN[BUG]!.replace("confirmed", "fixed").replace(
    "{% /bug %}",
    "## Resolution\n\nCompleted: 2026-01-09\n\nIt knows umlauts.\n\n{% /bug %}",
  ),
  "plan/work/WORK-006-stuck.md": entity(
    "work",
    { id: "WORK-006", status: "blocked" },
    "Stuck",
    '## Dependencies\n- {% ref "WORK-001" /%}\n',
  ),
});
commitAll(cwd, "Fix the crash");

const notes = (args: Record<string, string>) => renderPrompt(cwd, "plan_release_notes", args);

Deno.test("release notes since a time have what became done then, with resolutions", async () => {
  const { lists } = await notes({ since: "7d" });
  assert.match(lists, /Fixed \(1\):\n- BUG-001 \(fixed\).*: It knows umlauts\./);
  assert.ok(!lists.includes("WORK-003"), "it was done when it was created");
  assert.match((await notes({ since: "2030-01-01" })).texts, /Nothing became done or fixed since/);
});

Deno.test("release notes of a milestone have all that is done in it", async () => {
  const { lists } = await notes({ milestone: "v0.9.0" });
  assert.match(lists, /New \(1\):\n- WORK-003 \(done\) Theme: Done\./);
  assert.ok(!lists.includes("BUG-001"));
  const both = await notes({ milestone: "v1.0.0", since: "7d" });
  assert.match(both.texts, /for "v1\.0\.0" since 7d/);
  assert.match(both.lists, /Fixed \(1\):\n- BUG-001/);
});

Deno.test("release notes of nothing are refused, and those of an unknown milestone", async () => {
  assert.equal((await errorOf(notes({}))).message, 'Give "milestone" or "since"');
  assert.equal((await errorOf(notes({ milestone: "v9" }))).code, "NOT_FOUND");
  assert.equal((await errorOf(notes({ since: "tuesday" }))).code, "INVALID_ARGS");
});

Deno.test("a stand-up tells what was done, created, goes on and is stuck", async () => {
  const { texts, lists } = await renderPrompt(cwd, "plan_standup");
  assert.match(texts, /stand-up since 1d/);
  assert.match(lists, /Done \(1\):\n- BUG-001/);
  assert.match(lists, /Created \(12\)/);
  assert.match(lists, /Going on \(1\):\n- WORK-005/);
  assert.match(lists, /Stuck \(1\):\n- WORK-006 .*: waits for WORK-001/);
  const quiet = await renderPrompt(cwd, "plan_standup", { since: "2030-01-01" });
  assert.ok(!/Done|Created/.test(quiet.lists));
});
