/**
 * Runs every test and every documentation example, in one more process than processors, because
 * tests wait for programs; servers that they start are the built package. With paths, it runs and
 * type-checks these; with `--changed`, the tests of what is not committed. Each process that ends
 * prints how far the tests are; only failing tests show their output. At the end it lists the
 * skipped tests, the files left in the temporary folder, the errors once more, and the total counts.
 *
 * Usage: `deno run -A --no-check .ci/test.ts [--changed | paths and options of deno test…]`
 */

import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { statIfExists } from "../src/io/files.ts";
import { writeStdout as print } from "../src/io/pipes.ts";
import { changedFiles, runsOf, testFiles, type TestRun, testsOf } from "../tests/support/chosen.ts";
import { publishToRegistry } from "../tests/support/jsr.ts";
import { build, BUNDLE } from "./build.ts";
import { ROOT } from "./run_deno.ts";

/** What a test printed. */
const OUTPUT = /^-{4,} (?:\w+-test )?output -{4,}\n[^]*?^-{4,} (?:\w+-test )?output end -{4,}\n/gm;
/** The same, unless it is of a test that failed. */
const QUIET = new RegExp(`${OUTPUT.source}(?!.* \\.\\.\\. .*FAILED)`, "gm");
const SKIPPED = /^(\S.*) \.\.\. ignored\b/gm;
const COUNTS = /^(?:ok|FAILED) \| (\d+) passed.*? \| (\d+) failed/gm;
const ERRORS = /^\S* ERRORS /m;

if (import.meta.main) Deno.exit(await main(Deno.args));

async function main(args: string[]): Promise<number> {
  const [temporary, made] = [await Deno.makeTempDir({ prefix: "r" }), await Deno.makeTempDir()];
  const env: Record<string, string> = { TMPDIR: temporary, TMP: temporary, TEMP: temporary };
  let registry: AsyncDisposable | undefined;
  if (args.length === 0) {
    const folder = join(made, "package");
    await build(folder);
    env["REFRAKT_BUILT"] = join(folder, BUNDLE);
    const served = registry = await publishToRegistry(folder);
    env["REFRAKT_REGISTRY"] = served.url;
    env["REFRAKT_DENO_DIR"] = join(made, "deno");
  }
  const total = { passed: 0, failed: 0, leftOut: [] as string[], errors: [] as string[] };
  const isChanged = args[0] === "--changed";
  const chosen = isChanged ? testsOf(changedFiles()) : args;
  if (isChanged) print(`${chosen.join("\n") || "No test imports or names what has changed."}\n`);
  const waiting: TestRun[] = isChanged
    ? runsOf(chosen, made)
    : chosen.length > 0
    ? [{ args, files: chosen.length }]
    : [...runsOf(testFiles("tests"), made), {
      args: ["--doc", "mod.ts", "src", "plugins"],
      files: 0,
    }];
  const files = waiting.reduce((sum, run) => sum + run.files, 0);
  let done = 0;
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const run = await deno(["test", "-A", "--no-check", ...next.args], env);
      total.passed += run.passed;
      total.failed += run.failed;
      done += next.files;
      print(`${run.log}${done} of ${files} files, ${total.passed} passed\n`);
      total.leftOut.push(...run.leftOut);
      if (run.failed > 0) total.errors.push(run.log.slice(Math.max(0, run.log.search(ERRORS))));
    }
  };
  const paths = chosen.filter((each) => statIfExists(join(ROOT, each)) !== undefined);
  const check = paths.length === 0 ? undefined : deno(["check", ...paths], env);
  await Promise.all(Array.from({ length: navigator.hardwareConcurrency + 1 }, work));
  const { failed = 0, log = "" } = await check ?? {};
  total.failed += failed;
  if (failed > 0) total.errors.push(log);
  await registry?.[Symbol.asyncDispose]();
  const left = [...Deno.readDirSync(temporary)].map(({ name }) => name);
  for (const folder of [temporary, made]) await Deno.remove(folder, { recursive: true });
  for (const name of total.leftOut) print(`skipped: ${name}\n`);
  if (left.length > 0) {
    print(`FAILED: the tests left ${left.length} files or folders: ${left.slice(0, 20)}\n`);
    total.failed++;
  }
  for (const errors of total.errors) print(`${errors}\n`);
  print(`${total.passed} passed, ${total.failed} failed\n`);
  return total.failed === 0 ? 0 : 1;
}

/** Runs Deno; returns its log, without colours, and counts. A run that ends early is a failure. */
async function deno(
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ log: string; passed: number; failed: number; leftOut: string[] }> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: ROOT,
    env,
    stdin: "null",
  }).output();
  const text = stripVTControlCharacters(new TextDecoder().decode(stdout));
  const results = text.replace(OUTPUT, "");
  const counts = [...results.matchAll(COUNTS)];
  const sum = (column: 1 | 2) => counts.reduce((sum, count) => sum + Number(count[column]), 0);
  return {
    log: text.replace(QUIET, "") + (success ? "" : new TextDecoder().decode(stderr)),
    leftOut: Array.from(results.matchAll(SKIPPED), ([, name]) => name!),
    passed: sum(1),
    failed: success ? sum(2) : Math.max(1, sum(2)),
  };
}
