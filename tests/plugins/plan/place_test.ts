import assert from "node:assert/strict";
import { join } from "node:path";
import { existingPlan, planPlace } from "../../../plugins/plan/place.ts";
import { makeProject } from "../../support/project.ts";

Deno.test("a call's own directory wins, inside the project alone", () => {
  const cwd = makeProject({ "plan/a.md": "", "other/b.md": "" });
  const context = { cwd, planDir: join(cwd, "plan") };
  assert.equal(existingPlan(context, "other"), join(cwd, "other"));
  for (const dir of ["", undefined]) {
    assert.equal(planPlace(context, dir), context.planDir);
  }
  Deno.symlinkSync(makeProject(), join(cwd, "link"));
  for (const dir of ["..", "/etc", "link", "other/../../x"]) {
    assert.throws(() => planPlace(context, dir), { code: "PERMISSION_DENIED" }, dir);
  }
});

Deno.test("no plan, a missing one and a file in its place are PLAN_DIR_MISSING", () => {
  const cwd = makeProject({ "plan.md": "" });
  assert.throws(() => planPlace({ cwd, planDir: null }, undefined), { code: "PLAN_DIR_MISSING" });
  const context = { cwd, planDir: join(cwd, "plan") };
  assert.throws(() => existingPlan(context, undefined), { code: "PLAN_DIR_MISSING" });
  assert.throws(() => existingPlan(context, "plan.md"), { code: "PLAN_DIR_MISSING" });
});
