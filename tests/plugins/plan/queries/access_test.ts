import assert from "node:assert/strict";
import {
  listed,
  namedItems,
  openPlan,
  pathOf,
  sourceText,
  uriOf,
} from "../../../../plugins/plan/queries/access.ts";
import { loadedPlan, viewOf } from "../../../support/plan.ts";
import { entity, makeProject } from "../../../support/project.ts";
import { WIDE_PLAN } from "../tools/plan.ts";

Deno.test("entities are found by their exact id, and have a path and an address", async () => {
  const plan = await viewOf({
    ...WIDE_PLAN,
    "plan/milestones/odd.md": entity("milestone", { name: "a/b c", status: "active" }, "Odd", ""),
  });
  assert.equal(plan.find("work-001"), undefined);
  assert.equal(plan.find("__proto__"), undefined);
  const item = plan.find("WORK-001")!;
  assert.equal(pathOf(plan, item), "plan/work/WORK-001-parser.md");
  assert.deepEqual(listed(item, "tags"), ["core", "parser"]);
  assert.deepEqual(listed(item, "nothing"), []);
  assert.equal(uriOf(plan.find("a/b c")!), "refrakt://plan/milestone/a%2Fb%20c");
});

Deno.test("ids that the plan does not have are named as missing", async () => {
  const plan = await viewOf(WIDE_PLAN);
  assert.deepEqual(namedItems(plan, ["WORK-003", "WORK-999"]), [
    { id: "WORK-003", title: "Theme", status: "done" },
    { id: "WORK-999", status: "missing" },
  ]);
});

Deno.test("an entity without id goes by its file, and a text comes with plain line ends", async () => {
  const source = '{% work status="ready" %}\r\n\r\n# Nameless\r\n\r\n{% /work %}\r\n';
  const plan = await viewOf({ "plan/work/x.md": source });
  assert.equal(plan.items[0]?.id, "work/x.md");
  assert.equal(sourceText(plan, plan.items[0]!), source.replaceAll("\r", ""));
});

Deno.test("a plan outside of the project, and one that is not there, are refused", async () => {
  const cwd = makeProject(WIDE_PLAN);
  const plugin = await loadedPlan();
  const context = { cwd, planDir: null, signal: new AbortController().signal };
  await assert.rejects(openPlan(context, "../elsewhere", plugin), { code: "PERMISSION_DENIED" });
  await assert.rejects(openPlan(context, "nowhere", plugin), { code: "PLAN_DIR_MISSING" });
  await assert.rejects(openPlan(context, undefined, plugin), { code: "PLAN_DIR_MISSING" });
  assert.equal((await openPlan(context, "plan", plugin)).items.length, 11);
});
