import assert from "node:assert/strict";
import { launchMode, launchWarnings } from "../../src/npm/launch.ts";
import { openProject } from "../../src/project/project.ts";
import { makeProject } from "../support/project.ts";

Deno.test("a project whose packages are installed is served from node_modules, another one from the registry", () => {
  const bare = openProject(
    makeProject({ "package.json": '{"devDependencies":{"@refrakt-md/plan":"^0.25.0"}}' }),
  );
  const installed = openProject(makeProject({
    "node_modules/@refrakt-md/plan/package.json": '{"name":"@refrakt-md/plan","version":"0.25.1"}',
  }));
  assert.deepEqual([launchMode(bare).fromDisk, launchMode(installed).fromDisk], [false, true]);
  assert.ok(!launchMode(bare).flags.includes("--node-modules-dir=manual"));
  assert.ok(launchMode(installed).flags.includes("--node-modules-dir=manual"));
  assert.deepEqual(launchWarnings(bare, false), []);
  assert.deepEqual(launchWarnings(installed, true), [], "a binary has no choice");
  assert.equal(launchWarnings(installed, false)[0]?.code, "LAUNCH_MODE");
});

Deno.test("a package that has nothing to do with refrakt does not decide where packages come from", () => {
  const project = openProject(makeProject({
    "package.json": '{"dependencies":{"left-pad":"1.0.0"}}',
    "node_modules/left-pad/package.json": '{"name":"left-pad","version":"1.0.0"}',
  }));
  assert.equal(launchMode(project).fromDisk, false);
});
