import assert from "node:assert/strict";
import { importVersion } from "../../../src/npm/load.ts";
import { packageVersion } from "../../../src/npm/versions.ts";
import { openProject } from "../../../src/project/project.ts";
import { parseFixture } from "../../../src/site/engine/load_plugin.ts";
import type { RunesModule } from "../../../src/site/engine/shapes.ts";
import { makeProject } from "../../support/project.ts";

Deno.test("an example in a file is read as the version of runes does: by its name alone before 0.22", async () => {
  const runes = await importVersion<RunesModule>(
    packageVersion(openProject(makeProject()), "@refrakt-md/runes"),
  );
  const text = '{% greet tone="loud" /%}\n';
  const read = (module: RunesModule) => {
    const { rune, scenario, body } = parseFixture(module, text, "greet.loud.md");
    return [rune, scenario, body];
  };
  assert.deepEqual(read(runes), ["greet", "loud", '{% greet tone="loud" /%}']);
  const { parseFixture: _, ...older } = runes;
  assert.deepEqual(read(older), ["greet.loud", "canonical", text.trim()]);
});
