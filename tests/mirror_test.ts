import assert from "node:assert/strict";
import { join } from "node:path";
import { exists } from "./support/project.ts";
import { ROOT } from "./support/server.ts";

/**
 * Folders whose files are parts of one thing, which is tested where it is entered
 * rather than file for file. Anything else has its test opposite.
 */
const TESTED_AT_THE_ENTRANCE: readonly [folder: string, tests: string, reason: string][] = [
  [
    "src/site/engine/",
    "tests/site",
    "reached by messages alone; each tool's test compares what comes out with the refrakt CLI",
  ],
];

/** So many sources have no test opposite yet; the number only goes down. */
const MOST_WITHOUT = 94;

Deno.test("sources with code have their tests opposite", () => {
  const without = [...sources("src"), ...sources("plugins")]
    .filter((path) => !TESTED_AT_THE_ENTRANCE.some(([folder]) => path.startsWith(folder)))
    .filter((path) => !exists(join(ROOT, testOf(path))) && hasCode(path)).sort();
  assert.ok(
    without.length <= MOST_WITHOUT,
    `${without.length} sources have no test opposite, one of these is new: ${without.join(", ")}`,
  );
});

Deno.test("every folder that is tested at its entrance has tests there", () => {
  for (const [folder, tests] of TESTED_AT_THE_ENTRANCE) {
    assert.ok(exists(join(ROOT, folder)));
    const files = [...Deno.readDirSync(join(ROOT, tests))];
    assert.ok(files.filter(({ name }) => name.endsWith("_test.ts")).length > 5, tests);
  }
});

/** Where the test of a source belongs. */
function testOf(source: string): string {
  return `tests/${source.replace(/^src\//, "").replace(/\.ts$/, "_test.ts")}`;
}

function sources(folder: string): string[] {
  return [...Deno.readDirSync(join(ROOT, folder))].flatMap(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    return isDirectory ? sources(path) : name.endsWith(".ts") ? [path] : [];
  });
}

/** Whether a file does something: declarations of types and lists of exports need no test. */
function hasCode(path: string): boolean {
  return /^(?:export )?(?:default )?(?:async )?(?:function|class|const|let|if|await)\b/m.test(
    Deno.readTextFileSync(join(ROOT, path)),
  );
}
