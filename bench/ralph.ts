/**
 * How fast the Ralph program answers, beside the figures of the reference server in the
 * specification (another runtime and machine: compare only the order of magnitude).
 *
 * Run: `deno run -A bench/ralph.ts`
 *
 * @module
 */

import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROUNDS = Number(Deno.args[0] ?? 20);
const PROGRAM = fileURLToPath(new URL("../plugins/ralph/mod.ts", import.meta.url));

/** Milliseconds: measured for the reference server, and the limit here. */
const REFERENCE: Readonly<Record<string, readonly [elsewhere: string, limit: number]>> = {
  "spawn to first answer": ["56 to 87", 200],
  "tools/list, first": ["0.8", 100],
  "ralph_start, first": ["0.8", 100],
  "ralph_start": ["", 5],
  "ralph_status, 20 specs": ["0.6", 5],
  "ralph_research": ["0.4", 100],
  "ralph_complete_phase": ["1.0", 5],
  "ralph_implement": ["0.5", 100],
  "ralph_switch": ["0.3", 5],
  "ralph_help": ["", 5],
  "ralph_cancel": ["", 5],
};

const samples = new Map<string, number[]>();
const memory: { idle: number[]; used: number[] } = { idle: [], used: [] };

for (let round = 0; round < ROUNDS; round++) await measure();

const rows = Object.entries(REFERENCE).map(([what, [elsewhere, limit]]) => {
  const median = medianOf(samples.get(what) ?? []);
  return [what, median.toFixed(1), elsewhere, String(limit), median <= limit ? "ok" : "OVER"];
});
print([["what", "median ms", "elsewhere ms", "limit ms", ""], ...rows]);
if (memory.idle.length > 0) {
  print([
    ["memory", "median MiB", "elsewhere MiB"],
    ["after initialize", medianOf(memory.idle).toFixed(0), "53 to 57"],
    ["after the calls", medianOf(memory.used).toFixed(0), "67 to 72"],
  ]);
}
if (rows.some((row) => row.includes("OVER"))) Deno.exitCode = 1;

async function measure(): Promise<void> {
  const cwd = Deno.makeTempDirSync({ prefix: "ralph-bench-" });
  const begin = performance.now();
  const server = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-lock",
      "--no-prompt",
      "--allow-read=.",
      "--allow-write=specs,.gitignore",
      PROGRAM,
    ],
    cwd,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const request = requester(server);
  await request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1.0.0" },
  });
  note("spawn to first answer", performance.now() - begin);
  const idle = await residentMemory(server.pid);
  if (idle !== null) memory.idle.push(idle);
  await timed("tools/list, first", () => request("tools/list", {}));
  const call = (name: string, args: Record<string, unknown> = {}, what = name) =>
    timed(what, async () => {
      const result = await request("tools/call", { name, arguments: args });
      if (result["isError"]) throw new Error(JSON.stringify(result["content"]));
    });
  await call("ralph_start", { name: "spec-1" }, "ralph_start, first");
  for (let at = 2; at <= 20; at++) await call("ralph_start", { name: `spec-${at}` });
  for (let at = 0; at < 10; at++) await call("ralph_status", {}, "ralph_status, 20 specs");
  for (const phase of ["research", "requirements", "design", "tasks"]) {
    await call(`ralph_${phase}`, {}, phase === "research" ? "ralph_research" : "");
    const text = phase === "tasks"
      ? Array.from({ length: 20 }, (_, at) => `- [ ] 1.${at} T\n`).join("")
      : "A line of an ordinary document.\n".repeat(200);
    Deno.writeTextFileSync(join(cwd, `specs/spec-20/${phase}.md`), text);
    await call("ralph_complete_phase", { phase, summary: "Done." });
  }
  for (let at = 0; at < 4; at++) await call("ralph_implement");
  for (let at = 1; at <= 10; at++) await call("ralph_switch", { name: `spec-${at}` });
  for (let at = 0; at < 5; at++) await call("ralph_help");
  for (let at = 1; at <= 5; at++) {
    const spec_name = `spec-${at}`;
    await call("ralph_cancel", { spec_name, delete_files: true, confirm: spec_name });
  }
  const used = await residentMemory(server.pid);
  if (used !== null) memory.used.push(used);
  await request.close();
  await server.status;
  Deno.removeSync(cwd, { recursive: true });
}

/** Sends raw request lines, so that no client is measured. */
function requester(server: Deno.ChildProcess) {
  const writer = server.stdin.getWriter();
  const reader = server.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  let id = 0;
  const line = async (): Promise<string> => {
    for (;;) {
      const end = buffer.indexOf("\n");
      if (end >= 0) {
        const text = buffer.slice(0, end);
        buffer = buffer.slice(end + 1);
        return text;
      }
      const { value, done } = await reader.read();
      if (done) throw new Error("The server went away");
      buffer += value;
    }
  };
  const request = async (method: string, params: unknown): Promise<Record<string, unknown>> => {
    const message = { jsonrpc: "2.0", id: ++id, method, params };
    await writer.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
    for (;;) {
      const answer = JSON.parse(await line());
      if (answer.id !== id) continue;
      if (answer.error !== undefined) throw new Error(JSON.stringify(answer.error));
      return answer.result;
    }
  };
  return Object.assign(request, {
    close: async () => {
      await writer.close();
      await reader.cancel();
    },
  });
}

async function timed(what: string, run: () => Promise<unknown>): Promise<void> {
  const begin = performance.now();
  await run();
  note(what, performance.now() - begin);
}

function note(what: string, time: number): void {
  samples.set(what, [...samples.get(what) ?? [], time]);
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** In MiB; `null` if the system does not report it. */
async function residentMemory(pid: number): Promise<number | null> {
  try {
    const text = await Deno.readTextFile(`/proc/${pid}/status`);
    const kilobytes = /VmRSS:\s+(\d+)/.exec(text)?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) / 1024;
  } catch {
    return null;
  }
}

function print(table: readonly (readonly string[])[]): void {
  const widths = table[0]!.map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0))
  );
  const lines = table.map((row) =>
    row.map((cell, column) => cell.padEnd(widths[column]!)).join("  ").trimEnd()
  );
  Deno.stdout.writeSync(new TextEncoder().encode(`${lines.join("\n")}\n\n`));
}
