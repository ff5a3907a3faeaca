import assert from "node:assert/strict";
import {
  blockersOf,
  dependenciesOf,
  dependentsOf,
  isBlocked,
  mentionsOf,
  waitsFor,
} from "../../../../plugins/plan/queries/dependencies.ts";
import { viewOf } from "../../../support/plan.ts";
import { entity } from "../../../support/project.ts";
import { WIDE_PLAN } from "../tools/plan.ts";

Deno.test("what an item names under Dependencies blocks it, and a finished one does not", async () => {
  const plan = await viewOf(WIDE_PLAN);
  const [parser, render] = [plan.find("WORK-001")!, plan.find("WORK-002")!];
  assert.deepEqual(dependenciesOf(render), ["WORK-001"]);
  assert.deepEqual(blockersOf(plan, render), [
    { id: "WORK-001", status: "ready", from: "dependencies" },
  ]);
  assert.deepEqual(dependentsOf(plan, parser).map(({ id }) => id), ["WORK-002"]);
  assert.equal(isBlocked(plan, parser), false);
});

Deno.test("a spec that an item mentions is a blocker of the plugin's, and nothing to wait for", async () => {
  const plan = await viewOf(WIDE_PLAN);
  const idea = plan.find("WORK-004")!;
  assert.deepEqual(blockersOf(plan, idea).map(({ id, from }) => `${id} ${from}`), [
    "SPEC-001 references",
  ]);
  assert.deepEqual(waitsFor(plan, idea), []);
  assert.deepEqual(mentionsOf(plan, plan.find("SPEC-001")!).map(({ id }) => id), [
    "WORK-001",
    "WORK-004",
  ]);
});

Deno.test("items that wait for each other or for themselves are answered, and a missing one blocks nothing", async () => {
  const waiting = (id: string, ...ids: string[]) =>
    entity(
      "work",
      { id, status: "ready" },
      id,
      `## Dependencies\n${ids.map((other) => `- {% ref "${other}" /%}\n`).join("")}`,
    );
  const plan = await viewOf({
    "plan/work/WORK-001-a.md": waiting("WORK-001", "WORK-002"),
    "plan/work/WORK-002-b.md": waiting("WORK-002", "WORK-001"),
    "plan/work/WORK-003-c.md": waiting("WORK-003", "WORK-003", "WORK-999"),
  });
  assert.deepEqual(waitsFor(plan, plan.find("WORK-001")!), ["WORK-002"]);
  assert.deepEqual(waitsFor(plan, plan.find("WORK-002")!), ["WORK-001"]);
  assert.deepEqual(waitsFor(plan, plan.find("WORK-003")!), []);
});

Deno.test("a finished item waits for nothing, and a blocked status is enough", async () => {
  const plan = await viewOf({
    ...WIDE_PLAN,
    "plan/work/WORK-008-x.md": entity("work", { id: "WORK-008", status: "blocked" }, "X", ""),
    "plan/work/WORK-009-y.md": entity(
      "work",
      { id: "WORK-009", status: "done" },
      "Y",
      '## Dependencies\n- {% ref "WORK-001" /%}\n',
    ),
  });
  assert.equal(isBlocked(plan, plan.find("WORK-008")!), true);
  assert.equal(isBlocked(plan, plan.find("WORK-009")!), false);
});
