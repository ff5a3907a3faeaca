import assert from "node:assert/strict";
import { join } from "node:path";
import { makeProject, readTree } from "../../../support/project.ts";
import { inProcess } from "../../../support/in_process.ts";
import { WIDE_PLAN } from "./plan.ts";

Deno.test("dependencies are added by id, under the heading that the plugin reads", async (test) => {
  const cwd = makeProject(WIDE_PLAN);
  await inProcess(cwd, async ({ ok, call }) => {
    const dependencies = async (id: string) =>
      (await ok("plan_get", { id, fields: ["dependencies"] })).dependencies
        ?.map(({ id }: { id: string }) => id);
    await test.step("plan_update adds them, once", async () => {
      await ok("plan_update", { id: "WORK-005", dependsOn: ["WORK-003", "WORK-001"] });
      assert.deepEqual(await dependencies("WORK-005"), ["WORK-003", "WORK-001"]);
      await ok("plan_update", { id: "WORK-005", dependsOn: ["WORK-001", "BUG-001"] });
      const text = Deno.readTextFileSync(join(cwd, "plan/work/WORK-005-going.md"));
      assert.ok(
        text.includes(
          "## Dependencies\n" +
            ["WORK-003", "WORK-001", "BUG-001"].map((id) => `- {% ref "${id}" /%}\n`).join(""),
        ),
        text,
      );
      const { undo } = await ok("plan_update", {
        id: "WORK-005",
        dependsOn: ["-work-003", "ADR-001", "-BUG-001"],
      });
      assert.deepEqual(await dependencies("WORK-005"), ["WORK-001", "ADR-001"]);
      await ok("plan_undo", { token: undo });
      assert.deepEqual(await dependencies("WORK-005"), ["WORK-003", "WORK-001", "BUG-001"]);
      const unknown = await call("plan_update", { id: "WORK-005", dependsOn: ["-WORK-002"] });
      assert.match(unknown.content[0].text, /lists no dependency "WORK-002"\s+It lists WORK-003, /);
      await ok("plan_update", { id: "WORK-005", dependsOn: [] });
      assert.equal(await dependencies("WORK-005"), undefined);
    });
  });
});

/** The newest finished entity of each type. */
const EXAMPLES: Readonly<Record<string, string | undefined>> = {
  work: "WORK-003",
  bug: "BUG-002",
  decision: "ADR-001",
  milestone: "v0.9.0",
};

Deno.test("plan_create previews the text of a type, and writes nothing", async () => {
  const cwd = makeProject(WIDE_PLAN);
  await inProcess(cwd, async ({ ok, call }) => {
    const before = readTree(cwd);
    for (const type of ["work", "bug", "spec", "decision", "milestone"]) {
      const { preview, example } = await ok("plan_create", { type, preview: true });
      assert.ok(preview.startsWith(`{% ${type} `), preview);
      assert.equal(example, EXAMPLES[type], type);
    }
    for (const input of [{ preview: true }, { preview: true, id: "x" }]) {
      assert.equal((await call("plan_create", input)).errorCode, "INVALID_ARGS");
    }
    const given = { type: "work", title: "Sorted", sections: { Approach: "Sort." } };
    const { preview, id } = await ok("plan_create", { ...given, preview: true });
    assert.deepEqual(readTree(cwd), before);
    const made = await ok("plan_create", given);
    assert.equal(made.id, id);
    assert.equal(Deno.readTextFileSync(join(cwd, made.path)), preview);
  });
});
