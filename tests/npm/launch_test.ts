import assert from "node:assert/strict";
import { installedPackage } from "../../src/npm/installed.ts";
import { FROM_DISK, installationOf, launchMode, launchWarnings } from "../../src/npm/launch.ts";
import type { Project } from "../../src/project/project.ts";
import { openProject } from "../../src/project/project.ts";
import { git, makeProject } from "../support/project.ts";

async function modeOf(project: Project) {
  return launchMode(await installationOf(project));
}

Deno.test("installed packages come from node_modules, all others from the registry", async () => {
  const bare = openProject(
    makeProject({ "package.json": '{"devDependencies":{"@refrakt-md/plan":"^0.25.0"}}' }),
  );
  const installed = openProject(makeProject({
    "node_modules/@refrakt-md/plan/package.json": '{"name":"@refrakt-md/plan","version":"0.25.1"}',
  }));
  assert.ok(!(await modeOf(bare)).flags.includes("--node-modules-dir=manual"));
  assert.ok((await modeOf(installed)).flags.includes("--node-modules-dir=manual"));
  assert.deepEqual(await launchWarnings(bare), []);
  assert.equal((await launchWarnings(installed))[0]?.code, "LAUNCH_MODE");
});

Deno.test("a workspace member uses the repository's node_modules if it is readable", async () => {
  const files = {
    "apps/site/package.json": '{"dependencies":{"@refrakt-md/plan":"^0.25.0"}}',
    "node_modules/@refrakt-md/plan/package.json": '{"name":"@refrakt-md/plan","version":"0.25.1"}',
  };
  const root = makeProject(files);
  git(root, "init", "-q");
  const project = openProject(`${root}/apps/site`);
  assert.equal(installedPackage(project, "@refrakt-md/plan")?.version, "0.25.1");
  const mode = await modeOf(project);
  assert.deepEqual(mode.flags, FROM_DISK);
  assert.match(mode.reason, /from a folder above, with the repository readable/);
});
