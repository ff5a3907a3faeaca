import assert from "node:assert/strict";
import { openProject } from "../../src/project/project.ts";
import { inProcess } from "../../src/site/engine/client.ts";
import { createResultStore } from "../../src/tools/stored_results.ts";
import { createBuilds } from "../../src/workspace/builds.ts";
import { makeProject, writeFiles } from "../support/project.ts";

Deno.test("a project is built once for each of its states, and again where that failed", async () => {
  const cwd = makeProject();
  let contributions = 0;
  let isBroken = false;
  const ask = () => assert.fail("no tool was called");
  const builds = createBuilds({
    engine: inProcess(),
    base: {
      detection: ask,
      versions: ask,
      plugins: ask,
      results: createResultStore(1000),
    },
    contributors: [() => {
      contributions++;
      if (isBroken) throw new TypeError("broken");
      return {};
    }],
    project: () => openProject(cwd),
  });
  const built = await builds.whole();
  assert.equal(await builds.soFar(), built);
  assert.deepEqual(built.discovery.plugins, []);
  assert.equal(contributions, 1);
  writeFiles(cwd, { "refrakt.config.json": "{}" });
  isBroken = true;
  await assert.rejects(builds.whole(), /broken/);
  isBroken = false;
  assert.notEqual(await builds.whole(), built);
  assert.equal(contributions, 3);
});
