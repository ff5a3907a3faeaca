/**
 * Each core tool of a warm server beside the same refrakt CLI command: medians of whole round
 * trips over stdio, with the documented permissions, and of forked CLIs.
 *
 * Run: `deno run -A bench/site.ts [rounds]`
 */

import { join } from "node:path";
import { installFromLab, LAB, runCli } from "../tests/support/lab.ts";
import { LUMINA, singleSite } from "../tests/site/projects.ts";
import { connected, timed } from "./connected.ts";

/** A tool, its arguments, and those of the same CLI command. */
type Row = readonly [tool: string, input: Record<string, unknown>, ...cli: string[]];

const STYLES = join(LAB, "node_modules", LUMINA, "styles/runes");
const PLAN = join(LAB, "node_modules/@refrakt-md/plan");
const ROWS: readonly Row[] = [
  ["inspect", { rune: "hint" }, "inspect", "hint", "--json"],
  ["inspect", { rune: "hero" }, "inspect", "hero", "--json"],
  ["inspect_list", {}, "inspect", "--list", "--json"],
  ["contracts", {}, "contracts"],
  ["contracts_check", { file: "structures.json" }, "contracts", "--check", "-o", "structures.json"],
  ["reference", { rune: "hint" }, "reference", "hint", "--format", "json"],
  ["reference", {}, "reference", "list", "--format", "json"],
  ["validate", {}, "validate"],
  ["package_validate", { package: "@refrakt-md/plan" }, "plugins", "validate", PLAN, "--json"],
  ["inspect_audit", { rune: "hint" }, "inspect", "hint", "--audit", "--json", "--css", STYLES],
  ["inspect_audit", {}, "inspect", "--all", "--audit", "--json", "--css", STYLES],
];

const rounds = Number(Deno.args[0] ?? 30);
const dir = singleSite();
await installFromLab(dir, LUMINA);
await runCli(dir, "contracts", "-o", "structures.json");

print(["tool", "CLI ms", "first ms", "warm ms", "times faster"]);
const server = await connected(dir);
for (const [tool, input, ...cli] of ROWS) {
  const call = () => server.call(`refrakt.${tool}`, input);
  const first = await timed(call);
  const isSlow = first > 1000;
  const warm = await median(isSlow ? 3 : rounds, call);
  const forked = await median(isSlow ? 1 : 5, () => runCli(dir, ...cli));
  print([
    `${tool} ${Object.values(input).join(" ")}`.trim(),
    forked.toFixed(0),
    first.toFixed(1),
    warm.toFixed(2),
    (forked / warm).toFixed(0),
  ]);
}
await server.end();
await Deno.remove(dir, { recursive: true });

async function median(times: number, run: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let round = 0; round < times; round++) taken.push(await timed(run));
  return taken.sort((a, b) => a - b)[Math.floor(taken.length / 2)]!;
}

function print([first, ...rest]: [string, ...string[]]): void {
  const line = first.padEnd(32) + rest.map((cell) => cell.padStart(14)).join("");
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
