/**
 * Each core tool of a warm server beside the same refrakt CLI command: medians of whole round
 * trips over stdio, with the documented permissions, and of forked CLIs.
 *
 * Run: `deno run -A bench/site.ts [rounds]`
 */

import { join } from "node:path";
import { installFromLab, LAB, runCli } from "../tests/support/lab.ts";
import { LUMINA, singleSite } from "../tests/site/projects.ts";
import { childEnvironment, serverArgs } from "../tests/support/server.ts";

interface Row {
  tool: string;
  input?: Record<string, unknown>;
  /** The equivalent arguments of the CLI, if any. */
  cli?: string[];
  /** Slow calls get fewer rounds. */
  slow?: boolean;
}

const STYLES = join(LAB, "node_modules", LUMINA, "styles/runes");
const ROWS: Row[] = [
  { tool: "refrakt.inspect", input: { rune: "hint" }, cli: ["inspect", "hint", "--json"] },
  { tool: "refrakt.inspect", input: { rune: "hero" }, cli: ["inspect", "hero", "--json"] },
  { tool: "refrakt.inspect_list", cli: ["inspect", "--list", "--json"] },
  { tool: "refrakt.contracts", cli: ["contracts"] },
  {
    tool: "refrakt.contracts_check",
    input: { file: "structures.json" },
    cli: ["contracts", "--check", "-o", "structures.json"],
  },
  {
    tool: "refrakt.reference",
    input: { rune: "hint" },
    cli: ["reference", "hint", "--format", "json"],
  },
  { tool: "refrakt.reference", cli: ["reference", "list", "--format", "json"] },
  { tool: "refrakt.validate", cli: ["validate"] },
  {
    tool: "refrakt.package_validate",
    input: { package: "@refrakt-md/plan" },
    cli: ["plugins", "validate", join(LAB, "node_modules/@refrakt-md/plan"), "--json"],
  },
  {
    tool: "refrakt.inspect_audit",
    input: { rune: "hint" },
    cli: ["inspect", "hint", "--audit", "--json", "--css", STYLES],
  },
  {
    tool: "refrakt.inspect_audit",
    cli: ["inspect", "--all", "--audit", "--json", "--css", STYLES],
    slow: true,
  },
];

const rounds = Number(Deno.args[0] ?? 30);
const dir = singleSite();
await installFromLab(dir, LUMINA);
await runCli(dir, "contracts", "-o", "structures.json");

print(["tool", "CLI ms", "first ms", "warm ms", "times faster"]);
const server = await start(dir);
for (const { tool, input = {}, cli, slow } of ROWS) {
  const first = await timed(() => server.call(tool, input));
  const warm = await median(slow ? 3 : rounds, () => server.call(tool, input));
  const forked = cli === undefined
    ? undefined
    : await median(slow ? 1 : 5, () => runCli(dir, ...cli));
  const shown = `${tool.replace("refrakt.", "")} ${Object.values(input).join(" ")}`.trim();
  print([
    shown,
    forked?.toFixed(0) ?? "-",
    first.toFixed(1),
    warm.toFixed(2),
    forked === undefined ? "-" : (forked / warm).toFixed(0),
  ]);
}
server.stop();
await Deno.remove(dir, { recursive: true });

/** Starts the server and speaks minimal JSON-RPC, so that no client is measured. */
async function start(
  cwd: string,
): Promise<{ call(name: string, args: unknown): Promise<void>; stop(): void }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: serverArgs(),
    cwd,
    env: childEnvironment(),
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  const reader = child.stdout.getReader();
  const send = (message: Record<string, unknown>) =>
    writer.write(new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`));
  const chunks: Uint8Array[] = [];
  /** Reads until the answer is complete; calls are sequential. */
  const answer = async (id: number): Promise<void> => {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) throw new Error("The server ended");
      chunks.push(value);
      if (value.at(-1) !== 10) continue;
      const text = new TextDecoder().decode(
        await new Blob(chunks.splice(0) as BlobPart[]).arrayBuffer(),
      );
      if (!text.includes(`"id":${id}`)) continue;
      if (text.includes('"isError":true')) throw new Error(text.slice(0, 300));
      return;
    }
  };
  let id = 1;
  const clientInfo = { name: "bench", version: "1.0.0" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  await send({ id, method: "initialize", params });
  await answer(id);
  await send({ method: "notifications/initialized" });
  return {
    async call(name, args) {
      id++;
      await send({ id, method: "tools/call", params: { name, arguments: args } });
      await answer(id);
    },
    stop: () => child.kill(),
  };
}

async function median(times: number, run: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let round = 0; round < times; round++) taken.push(await timed(run));
  return taken.sort((a, b) => a - b)[Math.floor(taken.length / 2)]!;
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

function print([first, ...rest]: [string, ...string[]]): void {
  const line = first.padEnd(32) + rest.map((cell) => cell.padStart(14)).join("");
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
