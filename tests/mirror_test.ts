import assert from "node:assert/strict";
import { join } from "node:path";
import { exists } from "./support/project.ts";
import { ROOT } from "./support/server.ts";

/**
 * Folders and files that are parts of one thing, which is tested where it is entered
 * rather than file for file. Anything else has its test opposite.
 */
const TESTED_AT_THE_ENTRANCE:
  readonly (readonly [source: string, tests: string, reason: string])[] = [
    [
      "src/site/engine/",
      "tests/site",
      "reached by messages alone; each tool's test compares what comes out with the refrakt CLI",
    ],
    [
      "src/plugin_host/plugin_worker.ts",
      "tests/plugin_host/isolated_test.ts",
      "a program that runs in a Worker alone, and is reached by the messages of isolated.ts",
    ],
    [
      "plugins/board/view/",
      "tests/plugins/board/plan_board_test.ts",
      "scripts of a page: what they show and do is tested in a browser, behind a host's bridge; " +
      "those without a page have their tests opposite",
    ],
    [
      "src/sandbox/guest.ts",
      "tests/sandbox/worker_test.ts",
      "the other end of worker.ts: it runs in a Worker alone, and is reached by its messages",
    ],
    [
      "src/sandbox/whole_files.ts",
      "tests/sandbox/contained_fs_test.ts",
      "a part of contained_fs.ts, which alone uses it",
    ],
    ...["running_worker.ts", "spawn_worker.ts", "worker_errors.ts"].map((file) =>
      [
        `src/sandbox/${file}`,
        "tests/sandbox/worker_test.ts",
        "a part of worker.ts, which alone uses it",
      ] as const
    ),
    [
      "plugins/board/view/",
      "tests/plugins/board/plan_board_test.ts",
      "runs in a browser alone, where it is used as people do; what needs none has a test opposite",
    ],
  ];

Deno.test("sources with code have their tests opposite", () => {
  const without = [...sources("src"), ...sources("plugins")]
    .filter((path) => !TESTED_AT_THE_ENTRANCE.some(([source]) => path.startsWith(source)))
    .filter((path) => !exists(join(ROOT, testOf(path))) && hasCode(path)).sort();
  assert.deepEqual(without, []);
});

Deno.test("what is tested at its entrance has tests there", () => {
  for (const [source, tests] of TESTED_AT_THE_ENTRANCE) {
    assert.ok(exists(join(ROOT, source)), source);
    if (tests.endsWith("_test.ts")) {
      assert.match(Deno.readTextFileSync(join(ROOT, tests)), /^Deno\.test\(/m, tests);
    } else {
      const files = [...Deno.readDirSync(join(ROOT, tests))];
      assert.ok(files.filter(({ name }) => name.endsWith("_test.ts")).length > 5, tests);
    }
  }
});

Deno.test("a test that is left out says why: none is ignored but by testUnless()", () => {
  const quiet = testFiles("tests").filter((path) => {
    const text = Deno.readTextFileSync(join(ROOT, path));
    return /\bignore:|\bDeno\.test\.(?:ignore|only)\(|\bonly: true/.test(text) &&
      !text.includes("(left out: ");
  });
  assert.deepEqual(quiet, []);
});

/** Where the test of a source belongs. */
function testOf(source: string): string {
  return `tests/${source.replace(/^src\//, "").replace(/\.ts$/, "_test.ts")}`;
}

function testFiles(folder: string): string[] {
  return sources(folder).filter((path) =>
    path.endsWith("_test.ts") && path !== "tests/mirror_test.ts"
  );
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
