import assert from "node:assert/strict";
import { launchMode, launchWarnings } from "../../src/npm/launch.ts";
import { packageVersion } from "../../src/npm/versions.ts";
import { openProject } from "../../src/project/project.ts";
import { makeProject, writeFiles } from "../support/project.ts";
import { askedOf, OTHER_SCAFFOLDS, SITE_SCAFFOLDS } from "../support/scaffolds.ts";

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

Deno.test("scaffolds of every kind get their own versions, and flags that fit, bare and installed", () => {
  for (const [kind, files] of Object.entries({ ...SITE_SCAFFOLDS, ...OTHER_SCAFFOLDS })) {
    const cwd = makeProject(files);
    const asked = askedOf(files);
    const bare = openProject(cwd);
    assert.equal(launchMode(bare).fromDisk, false, kind);
    for (const [name, range] of asked) {
      const { version, from } = packageVersion(bare, name);
      assert.deepEqual([version, from], [range, "package.json"], `${kind}: ${name}`);
      writeFiles(cwd, { [`node_modules/${name}/package.json`]: '{"version":"0.25.1"}' });
    }
    const installed = openProject(cwd);
    assert.equal(launchMode(installed).fromDisk, true, kind);
    for (const [name] of asked) {
      const { version, from } = packageVersion(installed, name);
      assert.deepEqual([version, from], ["0.25.1", "node_modules"], `${kind}: ${name}`);
    }
  }
});

Deno.test("a member of a workspace is served from the node_modules of a folder above", () => {
  const member = { "apps/site/package.json": '{"dependencies":{"@refrakt-md/plan":"^0.25.0"}}' };
  const above = {
    "node_modules/@refrakt-md/plan/package.json": '{"version":"0.25.1","main":"index.js"}',
    "node_modules/@refrakt-md/plan/index.js": "",
  };
  for (const [files, fromDisk] of [[member, false], [{ ...member, ...above }, true]] as const) {
    const mode = launchMode(openProject(`${makeProject(files)}/apps/site`));
    assert.equal(mode.fromDisk, fromDisk);
  }
});

Deno.test("a project that yarn keeps in archives is told why its packages come from the registry", () => {
  const files = { "package.json": '{"devDependencies":{"@refrakt-md/plan":"^0.25.0"}}' };
  const reason = (more = {}) => launchMode(openProject(makeProject({ ...files, ...more }))).reason;
  assert.match(reason(), /^The project has installed no refrakt packages: .* from the registry/);
  assert.match(reason({ ".pnp.cjs": "" }), /^Yarn's Plug'n'Play .* from the registry/);
});

Deno.test("a package that has nothing to do with refrakt does not decide where packages come from", () => {
  const project = openProject(makeProject({
    "package.json": '{"dependencies":{"left-pad":"1.0.0"}}',
    "node_modules/left-pad/package.json": '{"name":"left-pad","version":"1.0.0"}',
  }));
  assert.equal(launchMode(project).fromDisk, false);
});
