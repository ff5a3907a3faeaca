/**
 * Runs every test, and every example in the documentation: one `deno test` for each folder of
 * tests, as many at a time as there are processors. A log is printed whole when its run has
 * ended. With arguments, they are those of one run.
 *
 * Usage: `deno run -A --no-check .ci/test.ts [paths and options of deno test…]`
 */

import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** The test files in and below a folder. */
function testFiles(folder: string): string[] {
  return [...Deno.readDirSync(join(ROOT, folder))].flatMap(({ name, isDirectory }) => {
    if (isDirectory) return testFiles(`${folder}/${name}`);
    return name.endsWith("_test.ts") ? [`${folder}/${name}`] : [];
  });
}

/** What each run tests. Those of most files come first: what is left at the end is short. */
function everything(): string[][] {
  const byFolder = Map.groupBy(
    testFiles("tests"),
    (file) => file.split("/").slice(0, -1)[1] ?? "",
  );
  return [
    ...[...byFolder.values()].toSorted((a, b) => b.length - a.length),
    ["--doc", "mod.ts", "src", "plugins"],
  ];
}

function test(args: string[], output: "inherit" | "piped"): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--no-check", ...args],
    cwd: ROOT,
    stdin: "null",
    stdout: output,
    stderr: output,
  });
}

function print(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += Deno.stdout.writeSync(bytes.subarray(at));
}

if (Deno.args.length > 0) Deno.exit((await test(Deno.args, "inherit").output()).code);

const waiting = everything();
let failed = false;
async function work(): Promise<void> {
  for (let args = waiting.shift(); args !== undefined; args = waiting.shift()) {
    const { success, stdout, stderr } = await test(args, "piped").output();
    print(stdout);
    print(stderr);
    failed ||= !success;
  }
}
await Promise.all(Array.from({ length: Math.max(2, navigator.hardwareConcurrency) }, work));
Deno.exit(failed ? 1 : 0);
