/**
 * Upstream's site of more than 220 pages and its plan, with the newest refrakt on npm and with 0.29.0:
 * a first start, a second one and warm calls, beside the CLI and upstream's own server on Node, on
 * Linux, by the processor's time, which a busy machine distorts least.
 * Prints its section of `bench/RESULTS.md`, a table for each version.
 *
 * Run: `deno run -A bench/site.ts`
 */

import { join } from "node:path";
import { LAB, lab, LAB_VERSION } from "../tests/support/lab.ts";
import { linkTree } from "../tests/support/link_tree.ts";
import { runProcess } from "../tests/support/process.ts";
import { commitAll, exists } from "../tests/support/project.ts";
import { FROM_DISK, FROM_REGISTRY, publish, TRUSTED } from "../tests/support/published.ts";
import { README_PERMISSIONS, type StartOptions } from "../tests/support/server.ts";
import { NOT_PACKED, packedProject } from "../tests/support/upstream.ts";
import { connected } from "./connected.ts";
import { printSection, table } from "./results.ts";

type Input = Record<string, unknown>;

/** A tool, its arguments, those for the server on Node, and those of the same CLI command. */
type Row = readonly [tool: string, input: Input, node?: Input, ...cli: string[]];

const RUNE = { rune: "hint", site: "main" };
const CHECK = ["refrakt_check", { site: "main" }] as const;
const ROWS: readonly Row[] = [
  ["plan_next", {}, {}, "plan", "next", "--format", "json"],
  ["plan_status", {}, {}, "plan", "status", "--format", "json"],
  ["plan_validate", {}, {}, "plan", "validate", "--format", "json"],
  ["plan_history", {}, {}, "plan", "history", "--format", "json"],
  ["refrakt_inspect", RUNE, RUNE, "inspect", "hint", "--site", "main", "--json"],
  ["refrakt_reference", { runes: ["hint"], site: "main" }, RUNE, "reference", "hint"],
  CHECK,
];
const ROUNDS = 5;
/** The server reads ahead, and writes what it keeps. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 6000));

const PAGE = "site/content/docs/authoring/content-models.md";
const EDITS = {
  "an edit of text": "\nA sentence.\n",
  "a new heading and links": "\n## New\n\n[One](/docs) and [two](/nowhere).\n",
};

if (NOT_PACKED !== undefined) {
  printSection("Sites", `Not measured: ${NOT_PACKED}.`);
  Deno.exit();
}
await using server = await publish();
const parts: string[] = [];
for (const version of [LAB_VERSION, "0.29.0"]) parts.push(await measure(version));
printSection(
  "Sites",
  `The published package with the documented permissions on upstream's own project: a plan, and a site
of 233 pages. The processor's time of a call, with git's, in milliseconds: right after the list of a
server that begins with nothing; of the next one, which begins with what that one kept; and the mean
of ${ROUNDS} warm calls. The CLI is started for each call. The server on Node is not on npm.

${parts.join("\n\n")}`,
);

/** The table of one version of refrakt. */
async function measure(version: string): Promise<string> {
  const root = await projectOf(version);
  const launch = launchOf(version);
  const options = server.options([], README_PERMISSIONS, launch);
  const packages = join(root, "node_modules/@refrakt-md");
  const onNode = join(packages, "mcp/dist/bin.js");
  const rows = [["CPU ms", "first start", "second start", "warm", "CLI", "server on Node, warm"]];
  const warm = await warmCalls(root, options, ROWS);
  const node = exists(onNode)
    ? await warmCalls(
      root,
      { prefix: ["sh", "-c", `exec node '${onNode}'`] },
      ROWS.map(([name, , input]) => [name.replace("_", "."), input]),
    )
    : [];
  for (const [index, [tool, input, , ...args]] of ROWS.entries()) {
    await server.run(root, FROM_DISK, "cache", "clear");
    const starts = [];
    for (let start = 0; start < 2; start++) {
      const one = await connected(root, options);
      starts.push(await cpuMs(one.pid, () => one.call(tool, input)));
      await pause();
      await one.end();
    }
    const cli = () => runProcess("node", [join(packages, "cli/dist/bin.js"), ...args], root);
    const forked = args.length === 0 ? "" : await cpuMs(Deno.pid, cli);
    rows.push([tool, ...starts, warm[index]!, forked, node[index] ?? ""]);
  }
  for (const [what, text] of Object.entries(EDITS)) {
    // Findings from an earlier start would be the first answer.
    const one = await connected(root, server.options(["--no-cache"], README_PERMISSIONS, launch));
    await one.call(...CHECK);
    await pause();
    Deno.writeTextFileSync(join(root, PAGE), text, { append: true });
    const time = await cpuMs(one.pid, () => one.call(...CHECK));
    await one.end();
    rows.push([`refrakt_check after ${what}`, "", "", time, "", ""]);
  }
  await Deno.remove(root, { recursive: true });
  return `**refrakt ${version}**\n\n${table(rows)}`;
}

/** The default way, or with the packages that only the project has. */
function launchOf(version: string): readonly string[] {
  return version === LAB_VERSION ? FROM_REGISTRY : TRUSTED;
}

/** Upstream's project with the packages of a version. */
async function projectOf(version: string): Promise<string> {
  const { root } = await packedProject();
  if (version !== LAB_VERSION) return root;
  const modules = join(root, "node_modules");
  await Deno.remove(modules, { recursive: true });
  await lab();
  linkTree(join(LAB, "node_modules"), modules, () => true);
  const path = join(root, "refrakt.config.json");
  const config = JSON.parse(Deno.readTextFileSync(path));
  const { main, plan } = config.sites;
  // What came after this version.
  for (const site of [main, plan]) delete site.entityRoutes;
  delete main.tints;
  main.theme = plan.theme = "@refrakt-md/lumina";
  main.plugins = ["marketing", "docs", "plan"].map((name) => `@refrakt-md/${name}`);
  Deno.writeTextFileSync(path, JSON.stringify(config));
  commitAll(root, version);
  return root;
}

/** Warm calls in a server that has run for a while; empty for a tool that it does not have. */
async function warmCalls(
  root: string,
  options: StartOptions,
  calls: readonly (readonly [tool: string, input: Input | undefined, ...unknown[]])[],
): Promise<string[]> {
  const session = await connected(root, options);
  await pause();
  const times: string[] = [];
  for (const [tool, input] of calls) {
    const call = () => session.call(tool, { ...input });
    const measured = () => call().then(() => cpuMs(session.pid, call, ROUNDS), () => "fails");
    times.push(input === undefined ? "" : await measured());
  }
  await session.end();
  return times;
}

/** The processor's time that work takes in a process, in milliseconds. */
async function cpuMs(pid: number, run: () => Promise<unknown>, rounds = 1): Promise<string> {
  const before = cpuOf(pid);
  for (let round = 0; round < rounds; round++) await run();
  return ((cpuOf(pid) - before) / rounds).toFixed(0);
}

/** The processor's time of a process and of those that it has waited for, in milliseconds. */
function cpuOf(pid: number): number {
  const fields = Deno.readTextFileSync(`/proc/${pid}/stat`).split(") ")[1]!.split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
}
