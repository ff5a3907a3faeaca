import assert from "node:assert/strict";
import { join } from "node:path";
import { ROOT } from "../support/server.ts";

/**
 * Functions that read a file whole, or open it, whatever it is and wherever it leads; a file
 * that is made anew has nothing to be read.
 */
const UNBOUNDED =
  /\bDeno\.(?:readTextFile|readFile)(?:Sync)?\(|\bDeno\.open(?:Sync)?\((?![^)]*\bcreateNew: true)|\breadFileSync\(/;

/** Files that open what is not the project's to read, or only to lock and to write it. */
const OTHERS = new Set([
  // Locks the folder of a plan or of the specs.
  "src/io/lock.ts",
  // The file with a token that the user names, which need not lie in the project.
  "src/cli/serve_flags.ts",
  // What packages get for node:fs.
  "src/sandbox/package_fs.ts",
  // Writes a temporary file and renames it.
  "src/io/files.ts",
]);

Deno.test("every file of the project is read through the one bounded reader", () => {
  const found = [...sources("src"), ...sources("plugins")].filter((file) => {
    if (OTHERS.has(file)) return false;
    const text = Deno.readTextFileSync(join(ROOT, file)).replace(/^\s*(?:\*|\/\/|\/\*).*$/gm, "");
    return UNBOUNDED.test(text);
  });
  assert.deepEqual(found, []);
});

function sources(folder: string): string[] {
  return [...Deno.readDirSync(join(ROOT, folder))].flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) return sources(path);
    return entry.name.endsWith(".ts") ? [path] : [];
  });
}
