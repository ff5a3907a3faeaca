import assert from "node:assert/strict";
import { wantedAttributes } from "../../../plugins/plan/wanted_attributes.ts";
import { runAsCall } from "../../../src/sandbox/call.ts";
import { makeProject, SMALL_PLAN } from "../../support/project.ts";
import { handlerContext, planPlugin } from "../../support/plan.ts";

Deno.test("the plugin decides about attributes, and writes nothing", async () => {
  const cwd = makeProject(SMALL_PLAN);
  const path = `${cwd}/plan/work/WORK-001-first.md`;
  const plugin = await planPlugin();
  const entity = plugin.parser.parse(Deno.readTextFileSync(path), "work/WORK-001-first.md")!;
  const wanted = async (attributes: Record<string, string>) => {
    const { value } = await runAsCall(
      cwd,
      () => wantedAttributes(plugin, handlerContext(cwd), { entity, seen: { path }, attributes }),
    );
    return value!;
  };
  assert.deepEqual(await wanted({}), { attributes: {}, changes: [] });
  assert.deepEqual(await wanted({ status: "done" }), {
    attributes: { status: "done" },
    changes: [{ field: "status", old: "ready", new: "done" }],
  });
  // A `$` stands for nothing but itself.
  assert.equal((await wanted({ assignee: "a$1b" })).attributes["assignee"], "a$1b");
  await assert.rejects(wanted({ status: "nonsense" }), { code: "VALIDATION_ERROR" });
  assert.equal(Deno.readTextFileSync(path), SMALL_PLAN["plan/work/WORK-001-first.md"]);
});
