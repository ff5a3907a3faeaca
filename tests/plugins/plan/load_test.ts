import assert from "node:assert/strict";
import { join } from "node:path";
import { detected } from "../../support/detected.ts";
import { installReal } from "../../support/installed.ts";
import { LAB_VERSION } from "../../support/lab.ts";
import { replaceFile } from "../../support/link_tree.ts";
import { commitAll, makeProject, planFile, SMALL_PLAN, writeFiles } from "../../support/project.ts";
import { publish, TRUSTED } from "../../support/published.ts";
import { withServer } from "../../support/server.ts";
import { testUnless } from "../../support/skip.ts";
import { installPacked, NOT_PACKED } from "../../support/upstream.ts";

const manifest = (version: string) => ({
  "package.json": JSON.stringify({ devDependencies: { "@refrakt-md/plan": version } }),
});
const unfamiliar = (warnings: { code: string; message: string }[]) =>
  warnings.filter(({ code }) => code === "PLUGIN_UNFAMILIAR").map(({ message }) => message);

Deno.test("another version in package.json is loaded while the server runs", async () => {
  const cwd = makeProject({ ...SMALL_PLAN, ...manifest("0.24.6") });
  await withServer(cwd, async ({ ok }) => {
    for (const version of ["0.24.6", LAB_VERSION]) {
      writeFiles(cwd, manifest(version));
      const { plugins } = await ok("refrakt_version");
      assert.ok(plugins["@refrakt-md/plan"].startsWith(`${version} `));
      assert.equal((await ok("plan_next")).items[0].id, "WORK-001");
    }
  });
});

testUnless(NOT_PACKED, "plan 0.29.0 brings its fields, statuses and migrations", async () => {
  const cwd = makeProject({ ...SMALL_PLAN, ...manifest("0.29.0"), ".gitignore": "node_modules\n" });
  await installPacked(cwd);
  commitAll(cwd, "Start");
  await using server = await publish();
  await server.serve(cwd, TRUSTED, async ({ ok, call, client }) => {
    const { warnings } = await detected(ok);
    assert.deepEqual(unfamiliar(warnings), []);
    const { tools } = await client.listTools();
    const update = tools.find(({ name }: { name: string }) => name === "plan_update")!;
    assert.ok("released-in" in (update.inputSchema.properties ?? {}));
    const cases = [
      ["WORK-001", "pr", "org/repo#1"],
      ["WORK-001", "supersedes", "WORK-002"],
      ["SPEC-001", "released-in", "v1.0.0"],
    ] as const;
    for (const [id, field, value] of cases) {
      const { lines } = await ok("plan_update", { id, [field]: value });
      assert.ok(lines[0].includes(value), lines[0]);
    }
    assert.match(
      Deno.readTextFileSync(join(cwd, "plan/work/WORK-001-first.md")),
      / pr="org\/repo#1" supersedes="WORK-002" %\}/,
    );
    await ok("plan_update", { id: "WORK-001", status: "cancelled" });
    await ok("plan_update", { id: "SPEC-001", status: "shipped" });
    const wrong = await call("plan_update", { id: "SPEC-001", status: "nope" });
    assert.equal(wrong.errorCode, "VALIDATION_ERROR");
    // What an item blocks is none of its dependencies.
    const sections = ["Blocks", "Dependencies"].map((name, at) =>
      `## ${name}\n- {% ref "WORK-00${at + 1}" /%}\n`
    );
    writeFiles(cwd, planFile("WORK-008", { status: "ready" }, sections.join("\n")));
    const { dependencies } = await ok("plan_get", { id: "WORK-008" });
    assert.deepEqual(dependencies.map((one: { id: string }) => one.id), ["WORK-002"]);
    const { referencedBy } = await ok("plan_get", { id: "WORK-001", fields: ["referencedBy"] });
    assert.equal(referencedBy.find((one: { id: string }) => one.id === "WORK-008").kind, "blocks");
    for (const subcommand of ["filenames", "pr-attrs", "dependencies"]) {
      assert.equal((await ok("plan_migrate", { subcommand })).mode, "dry-run", subcommand);
    }
  });
});

Deno.test("a version with its values elsewhere is a warning, and every value is accepted", async () => {
  const cwd = makeProject({ ...SMALL_PLAN, ...manifest("*"), ".gitignore": "node_modules\n" });
  await installReal(cwd);
  const folder = join(cwd, "node_modules/@refrakt-md/plan/dist/commands");
  Deno.renameSync(join(folder, "enums.js"), join(folder, "values.js"));
  for (const name of ["validate", "create", "update"]) {
    const path = join(folder, `${name}.js`);
    replaceFile(path, Deno.readTextFileSync(path).replace("'./enums.js'", "'./values.js'"));
  }
  commitAll(cwd, "Start");
  await using server = await publish();
  await server.serve(cwd, TRUSTED, async ({ ok }) => {
    const [warning, ...more] = unfamiliar((await detected(ok)).warnings);
    assert.match(warning!, /does not export its valid values like 0\.25/);
    assert.deepEqual(more, []);
    await ok("plan_update", { id: "WORK-002", status: "nope" });
    assert.match(JSON.stringify(await ok("plan_validate")), /invalid-status/);
  });
});
