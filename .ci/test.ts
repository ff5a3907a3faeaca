/**
 * Runs every test and every documentation example: one `deno test` per folder of tests, one more
 * in parallel than processors, because tests wait for programs. With arguments, it is a single run.
 * Only failing tests show their output. At the end it lists the skipped tests, the files left in
 * the temporary folder, the errors once more, and the total counts.
 *
 * Usage: `deno run -A --no-check .ci/test.ts [paths and options of deno test…]`
 */

import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { writeStdout as print } from "../src/io/pipes.ts";
import { ROOT } from "./run_deno.ts";

/** The start and end of a test's output, and its result line. */
const OUTPUT = /^-{4,} (?:pre-test |post-test )?output -{4,}$/;
const OUTPUT_END = /^-{4,} (?:pre-test |post-test )?output end -{4,}$/;
const RESULT = /^(\S.*) \.\.\. (ok|FAILED|ignored)\b/;
const ERRORS = /^\S* ERRORS /m;
const COUNTS = /^(?:ok|FAILED) \| (\d+) passed.*? \| (\d+) failed/;

if (import.meta.main) Deno.exit(await main(Deno.args));

async function main(args: string[]): Promise<number> {
  const temporary = await Deno.makeTempDir({ prefix: "r" });
  const total = { passed: 0, failed: 0, leftOut: [] as string[], errors: [] as string[] };
  const waiting = args.length > 0 ? [args] : everything();
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const run = await test(next, temporary);
      print(run.log);
      total.passed += run.passed;
      total.failed += run.failed;
      total.leftOut.push(...run.leftOut);
      if (run.failed > 0) total.errors.push(run.log.slice(Math.max(0, run.log.search(ERRORS))));
    }
  };
  await Promise.all(Array.from({ length: navigator.hardwareConcurrency + 1 }, work));
  const left = [...Deno.readDirSync(temporary)].map(({ name }) => name);
  await Deno.remove(temporary, { recursive: true });
  for (const name of total.leftOut) print(`skipped: ${name}\n`);
  if (left.length > 0) {
    print(`FAILED: the tests left ${left.length} files or folders: ${left.slice(0, 20)}\n`);
    total.failed++;
  }
  for (const errors of total.errors) print(`${errors}\n`);
  print(`${total.passed} passed, ${total.failed} failed\n`);
  return total.failed === 0 ? 0 : 1;
}

/** The paths of each run, the longest first: a test of the whole takes ten times as long as others. */
function everything(): string[][] {
  const byFolder = Map.groupBy(testFiles("tests"), (file) => file.split("/").slice(1, -1)[0] ?? "");
  const weight = (files: string[]) => files.length * (files[0]!.startsWith("tests/e2e/") ? 10 : 1);
  return [
    ...[...byFolder.values()].toSorted((a, b) => weight(b) - weight(a)),
    ["--doc", "mod.ts", "src", "plugins"],
  ];
}

/** The test files in and below a folder. */
function testFiles(folder: string): string[] {
  return [...Deno.readDirSync(join(ROOT, folder))].flatMap(({ name, isDirectory }) => {
    if (isDirectory) return testFiles(`${folder}/${name}`);
    return name.endsWith("_test.ts") ? [`${folder}/${name}`] : [];
  });
}

/** Runs tests; returns their log and counts. A run that ends early counts as a failure. */
async function test(
  args: readonly string[],
  temporary: string,
): Promise<{ log: string; passed: number; failed: number; leftOut: string[] }> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--no-check", ...args],
    cwd: ROOT,
    env: { TMPDIR: temporary, TMP: temporary, TEMP: temporary },
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
