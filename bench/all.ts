/**
 * Runs every benchmark, one after the other, and writes `bench/RESULTS.md`: all sections are of one
 * commit. If one fails, the file stays as it is.
 *
 * Run: `deno task bench`
 */

import { join } from "node:path";
import { writeStdout as print } from "../src/io/pipes.ts";
import { ROOT } from "../.ci/run_deno.ts";
import { runProcess } from "../tests/support/process.ts";

const BENCHMARKS = ["start", "plan", "agent", "site", "remote"];

const day = new Date().toISOString().slice(0, 10);
const commit = (await output("git", "describe", "--always", "--dirty")).trim();
const load = Deno.build.os === "windows" ? "" : `, load ${Deno.loadavg()[0]!.toFixed(1)}`;
const sections = [`# Results

Written by \`deno task bench\`, on ${day}, of commit ${commit}: Deno ${Deno.version.deno}, \
${navigator.hardwareConcurrency} cores${load}. Compare columns, not machines.
`];
for (const name of BENCHMARKS) {
  print(`bench/${name}.ts\n`);
  sections.push(await output(Deno.execPath(), "run", "-A", "--no-check", `bench/${name}.ts`));
}
const path = join(ROOT, "bench/RESULTS.md");
Deno.writeTextFileSync(path, sections.join("\n"));
await output(Deno.execPath(), "fmt", "--quiet", path);

/** What a program prints in the checkout; ends the benchmarks if it fails. */
async function output(program: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runProcess(program, args, ROOT);
  if (code === 0) return stdout;
  throw new Error(`${args.join(" ")} failed: ${stderr}`);
}
