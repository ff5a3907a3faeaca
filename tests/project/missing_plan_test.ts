import assert from "node:assert/strict";
import { join } from "node:path";
import { planAround, planMissing } from "../../src/project/missing_plan.ts";
import { makeProject, SMALL_PLAN } from "../support/project.ts";

Deno.test("the error names the absolute directory, and what to do if it is the wrong one", () => {
  const cwd = makeProject();
  const { code, message, hint } = planMissing({ cwd, dir: join(cwd, "plan") });
  assert.equal(code, "PLAN_DIR_MISSING");
  assert.ok(message.includes(join(cwd, "plan")));
  assert.match(hint!, /plan\.init.*--cwd=/);
  assert.match(planMissing({ cwd, dir: null }).message, /leads out of the project/);
});

Deno.test("a directory belongs to a plan where entities lie in it or in its folders", () => {
  const cwd = makeProject({
    ...SMALL_PLAN,
    "specs/feature/research.md": "# No entity\n",
    "docs/how.md": '```\n{% work id="X" %}\n```\n',
  });
  assert.equal(planAround(cwd), undefined);
  assert.equal(planAround(join(cwd, "docs")), undefined);
  assert.equal(planAround(join(cwd, "plan")), join(cwd, "plan"));
  assert.equal(planAround(join(cwd, "plan/work")), join(cwd, "plan"));
  assert.equal(planAround(join(cwd, "nowhere")), undefined);
});
