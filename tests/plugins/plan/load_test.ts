import assert from "node:assert/strict";
import { join } from "node:path";
import { NEWER_VERSION, OTHER_VERSION, startNewerRegistry } from "../../support/newer_plan.ts";
import { LAB_VERSION } from "../../support/lab.ts";
import { entity, git, makeProject, SMALL_PLAN, writeFiles } from "../../support/project.ts";
import { README_PERMISSIONS, withServer } from "../../support/server.ts";

const manifest = (version: string) =>
  JSON.stringify({ name: "x", devDependencies: { "@refrakt-md/plan": version } });
const DONE = entity(
  "work",
  { id: "WORK-003", status: "done" },
  "Done",
  "## Resolution\n\nCompleted: 2026-01-01\nPR: #17\n\nIt is done.\n",
);

Deno.test("newer plan plugins work and warn about unfamiliar parts, even after an upgrade at runtime", async (test) => {
  const registry = await startNewerRegistry();
  const cwd = makeProject({
    ...SMALL_PLAN,
    "plan/work/WORK-003-done.md": DONE,
    "package.json": manifest(LAB_VERSION),
  });
  git(cwd, "init", "-q");
  git(cwd, "remote", "add", "origin", "https://example.com/org/repo.git");
  const file = (path: string) => Deno.readTextFileSync(join(cwd, path));
  try {
    await withServer(cwd, async ({ ok, call, client }) => {
      await test.step("the older version rejects unknown values", async () => {
        assert.equal(
          (await call("plan.update", { id: "WORK-001", pr: "org/repo#1" })).errorCode,
          "VALIDATION_ERROR",
        );
        assert.equal(
          (await call("plan.update", { id: "WORK-001", status: "cancelled" })).isError,
          true,
        );
        assert.equal((await call("plan.migrate", { subcommand: "pr-attrs" })).isError, true);
      });
      writeFiles(cwd, { "package.json": manifest(NEWER_VERSION) });
      await test.step("after an upgrade only the newer version is used", async () => {
        const { versions, warnings } = await ok("refrakt.detect");
        assert.match(versions.plugins["@refrakt-md/plan"], /^0\.29\.0 /);
        assert.deepEqual(
          warnings.filter(({ code }: { code: string }) => code === "PLUGIN_UNFAMILIAR"),
          [],
        );
        const { tools } = await client.listTools();
        const update = tools.find(({ name }: { name: string }) => /plan.update/.test(name));
        assert.ok("released-in" in (update!.inputSchema.properties ?? {}));
      });
      await test.step("new fields can be written and read", async () => {
        for (
          const [field, value] of [["pr", "org/repo#1"], ["supersedes", "WORK-002"], [
            "released-in",
            "v1.0.0",
          ]] as const
        ) {
          const { changes } = await ok("plan.update", { id: "WORK-001", [field]: value });
          assert.deepEqual(changes, [{ field, old: "", new: value }]);
        }
        assert.match(
          file("plan/work/WORK-001-first.md"),
          / pr="org\/repo#1" supersedes="WORK-002" released-in="v1\.0\.0" %\}/,
        );
        await ok("plan.update", { id: "WORK-001", status: "cancelled" });
        await ok("plan.update", { id: "SPEC-001", status: "shipped" });
        assert.equal(
          (await call("plan.update", { id: "SPEC-001", status: "nope" })).errorCode,
          "VALIDATION_ERROR",
        );
      });
      await test.step("a migration that runs git itself is rejected, with the command to run instead", async () => {
        const { errorCode, hint } = await call("plan.migrate", { subcommand: "pr-attrs" });
        assert.equal(errorCode, "TOOL_FAILED");
        assert.match(hint!, /npx refrakt plan migrate pr-attrs/);
      });
      writeFiles(cwd, { "package.json": manifest(OTHER_VERSION) });
      await test.step("each deviation from the expected plugin is a warning", async () => {
        const { warnings } = await ok("refrakt.detect");
        const unfamiliar = warnings
          .filter(({ code }: { code: string }) => code === "PLUGIN_UNFAMILIAR")
          .map(({ message }: { message: string }) =>
            message.replace(/^@refrakt-md\/plan 0\.30\.0 (?:is not .*?: it )?/, "").split(":")[0]
          );
        assert.deepEqual(unfamiliar.sort(), [
          "does not export its valid values like 0.25",
        ]);
      });
      await test.step("unaffected tools work, and the others explain why they do not", async () => {
        assert.equal((await ok("plan.validate")).scanned, 7);
        assert.equal((await ok("plan.list", { type: "work" })).total, 3);
        assert.equal((await ok("plan.create", { type: "bug", title: "Odd" })).id, "BUG-002");
        const { changes } = await ok("plan.update", { id: "WORK-002", title: "Renamed" });
        assert.equal(changes[0].new, "Renamed");
        assert.equal((await call("plan.update", { id: "WORK-404" })).errorCode, "NOT_FOUND");
        // Its statuses are unknown.
        await ok("plan.update", { id: "WORK-002", status: "nope" });
        git(cwd, "add", "-A");
        git(cwd, "commit", "-qm", "Keep the plan");
        await ok("plan.update", { id: "WORK-002", status: "done" });
        git(cwd, "commit", "-qam", "Change it");
        const { events } = await ok("plan.history", { id: "WORK-002" });
        assert.deepEqual(events[0].attributeChanges, [{
          field: "status",
          from: "nope",
          to: "done",
        }]);
      });
      writeFiles(cwd, { "package.json": manifest(LAB_VERSION) });
      await test.step("after a downgrade nothing of the newer version remains", async () => {
        assert.equal(
          (await call("plan.update", { id: "WORK-001", pr: "org/repo#2" })).errorCode,
          "VALIDATION_ERROR",
        );
        assert.equal(
          (await call("plan.update", { id: "WORK-002", status: "cancelled" })).isError,
          true,
        );
        assert.match(JSON.stringify(await ok("plan.validate")), /invalid-status/);
      });
    }, { env: registry.env, grants: ["--no-lock", ...README_PERMISSIONS] });
  } finally {
    await registry.stop();
  }
});
