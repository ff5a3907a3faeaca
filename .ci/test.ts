/**
 * Runs every test and every documentation example, in one more process than processors, because
 * tests wait for programs; servers that they start are the built package. With paths, it runs and
 * type-checks these; with `--changed`, the tests of what is not committed. Only failing tests show their output. At the end it lists the skipped
 * tests, the files left in the temporary folder, the errors once more, and the total counts.
 *
 * Usage: `deno run -A --no-check .ci/test.ts [--changed | paths and options of deno test…]`
 */

import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { writeStdout as print } from "../src/io/pipes.ts";
import { changedFiles, runsOf, testFiles, testsOf } from "../tests/support/chosen.ts";
import { publishToRegistry } from "../tests/support/jsr.ts";
import { build, BUNDLE } from "./build.ts";
import { ROOT } from "./run_deno.ts";

/** The start and end of a test's output, and its result line. */
const OUTPUT = /^-{4,} (?:pre-test |post-test )?output -{4,}$/;
const OUTPUT_END = /^-{4,} (?:pre-test |post-test )?output end -{4,}$/;
const RESULT = /^(\S.*) \.\.\. (ok|FAILED|ignored)\b/;
const ERRORS = /^\S* ERRORS /m;
const COUNTS = /^(?:ok|FAILED) \| (\d+) passed.*? \| (\d+) failed/;

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
  const waiting: (readonly string[])[] = isChanged
    ? runsOf(chosen, made)
    : chosen.length > 0
    ? [args]
    : [...runsOf(testFiles("tests"), made), ["--doc", "mod.ts", "src", "plugins"]];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const run = await deno(["test", "-A", "--no-check", ...next], env);
      print(run.log);
      total.passed += run.passed;
      total.failed += run.failed;
      total.leftOut.push(...run.leftOut);
      if (run.failed > 0) total.errors.push(run.log.slice(Math.max(0, run.log.search(ERRORS))));
    }
  };
  const paths = chosen.filter((each) => !each.startsWith("-") && exists(each));
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

function exists(path: string): boolean {
  try {
    return Deno.statSync(join(ROOT, path)) !== undefined;
  } catch {
    return false;
  }
}

/** Runs Deno; returns its log and counts. A run that ends early counts as a failure. */
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
  const { shown, leftOut, passed, failed } = read(new TextDecoder().decode(stdout));
  const errors = success ? "" : new TextDecoder().decode(stderr);
  return { log: shown + errors, leftOut, passed, failed: success ? failed : Math.max(1, failed) };
}

/** Parses the log of a run, without the output of passing tests. */
export function read(
  log: string,
): { shown: string; passed: number; failed: number; leftOut: string[] } {
  const shown: string[] = [];
  const leftOut: string[] = [];
  let [passed, failed, isOutput] = [0, 0, false];
  /** The lines since the last result, and which of them a test printed. */
  let held: { line: string; isOutput: boolean }[] = [];
  for (const line of log.split("\n")) {
    const text = stripVTControlCharacters(line);
    isOutput ||= OUTPUT.test(text);
    held.push({ line, isOutput });
    if (isOutput) {
      isOutput = !OUTPUT_END.test(text);
      continue;
    }
    const [, ok, bad] = COUNTS.exec(text) ?? [];
    passed += Number(ok ?? 0);
    failed += Number(bad ?? 0);
    const [, name, result] = RESULT.exec(text) ?? [];
    if (result === undefined) continue;
    if (result === "ignored") leftOut.push(name!);
    const kept = result === "FAILED" ? held : held.filter((each) => !each.isOutput);
    shown.push(...kept.map((each) => each.line));
    held = [];
  }
  shown.push(...held.map((each) => each.line));
  return { shown: shown.join("\n"), passed, failed, leftOut };
}
