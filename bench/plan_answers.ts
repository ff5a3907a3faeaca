// deno-lint-ignore-file no-console

/**
 * Records what the tools, resources, tables and prompts of the plan answer, on the real plan with its
 * history and on a made one, to prove that a change of the code changes no answer. Dates are fixed;
 * paths, tokens and other random values are replaced by the order in which they appear.
 *
 * Run: `deno run -A bench/plan_answers.ts OUT [RECORDED]`; with a second file, prints what differs.
 */

import { createServer, type ServerOptions } from "../mod.ts";
import { planFile, readTree } from "../tests/support/project.ts";
import { fullPlan } from "../tests/support/real_plan.ts";
import { commit, madePlan, NOW, settle } from "./made_plan.ts";
import { temporaryFolder } from "../tests/support/temporary.ts";

type Json = Record<string, unknown>;
/** A tool, a resource by its address, or a prompt with `!`; and its arguments as JSON. */
type Call = readonly [name: string, args?: string];

/** How much slower the clock is, so that ages do not depend on the speed of the machine. */
const SLOWER = 50;
/** How many entities are asked for, and how many differences and characters of each are printed. */
const [MOST_IDS, MOST_PRINTED, MOST_TEXT] = [40, 60, 300];
const TABLES = ["entities", "attributes", "criteria", "sections", "refs", "events", "durations"]
  .concat("commits", "commit_entities", "elsewhere");

const [out, recorded] = Deno.args;
if (out === undefined) throw new TypeError("Name the file to write");
fixTime(Date.parse(NOW));
Deno.env.set("DENO_DIR", Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`);
Deno.env.set("HOME", temporaryFolder());
const lines = Deno.readTextFileSync(new URL("plan_calls.txt", import.meta.url)).split("\n");
const calls = lines.filter((line) => line !== "" && !/^# [A-Z]/.test(line)).map((line): Call => {
  const [, name, args] = /^(\S+) ?(.*)/.exec(line)!;
  return [name!, args!];
}).filter(([name]) => name !== "#");
const writesAt = lines.slice(3).indexOf("# write");
const [reads, writes] = [calls.slice(0, writesAt), calls.slice(writesAt)];
const answers: Json = {};

const real = fullPlan();
settle(real);
await record("real", real, reads);
commit(real, 90, planFile("WORK-900", { status: "ready", source: "SPEC-001" }));
// What the first server has kept is used by the next.
await record("real, later", real, reads.filter(([name]) => !/board|get/.test(name)), 30_000);
await record("real, write", real, writes);
const { cwd, other, clones, remote } = madePlan();
await record("made", cwd, reads);
await record("made, worktree", other, [...reads, ...writes]);
await record("made, write", cwd, writes);
for (const round of [1, 2]) {
  for (const [owner, clone] of Object.entries(clones)) {
    const claims = [
      ["plan_claim", `{"assignee":"${owner}","id":"WORK-00${round}"}`],
      ["plan_claim", `{"assignee":"${owner}","id":"WORK-001","takeOver":"ada","note":"Agreed"}`],
      ["plan_create", `{"type":"work","title":"Of ${owner} in ${round}"}`],
      ["plan_update", `{"id":"WORK-00${round}","status":"done"}`],
      ["plan_claim", `{"assignee":"${owner}","id":"WORK-003","localOnly":true}`],
      ["plan_claim", `{"assignee":"${owner}","id":"WORK-003","release":true}`],
    ] as const;
    await record(
      `remote, ${owner} ${round}`,
      clone,
      [...claims, ...round === 2 ? reads : []],
      Infinity,
      remote,
    );
  }
}
const text = normalized(JSON.stringify(answers, null, 1));
Deno.writeTextFileSync(out, text);
console.error(`${Object.keys(answers).length} answers, ${text.length >> 10} kB`);
if (recorded !== undefined) compare(Deno.readTextFileSync(recorded), text);
Deno.exit(0);

/** Starts a server in a project, and records its answers, and at the end what it has changed. */
async function record(
  world: string,
  cwd: string,
  asked: readonly Call[],
  maxOutput = Infinity,
  remote: Partial<ServerOptions> = {},
): Promise<void> {
  const before = readTree(cwd);
  const server = await createServer({ cwd, maxOutput, ...remote });
  const replies = new Map<unknown, (message: Json) => void>();
  const transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send: (message: Json) => Promise.resolve(replies.get(message["id"])?.(message)),
    onmessage: (_message: Json) => {},
  };
  await server.connect(transport);
  const ask = (method: string, params: unknown) =>
    new Promise<Json>((resolve) => {
      const id = replies.size;
      replies.set(id, resolve);
      transport.onmessage({ jsonrpc: "2.0", id, method, params });
    });
  const clientInfo = { name: "inspector-cli", version: "1.0.0" };
  await ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  const index = JSON.parse(await server.readResource("refrakt://plan/index"));
  const ids: string[] = index.entities.map(({ id }: { id: string }) => id);
  const step = Math.ceil(ids.length / MOST_IDS);
  const values = { id: ids.filter((_, at) => at % step === 0), table: TABLES };
  let undo = "";
  for (const [name, written] of asked) {
    const all = Object.entries(values).flatMap(([key, values]) =>
      written?.includes(`@${key}`) ? values.map((value) => written.replace(`@${key}`, value)) : []
    );
    for (const text of all.length > 0 ? all : [written ?? ""]) {
      const args = text === "" ? {} : JSON.parse(text.replace("@undo", undo));
      const isPrompt = name.endsWith("!");
      const { id: _, jsonrpc: _version, ...answer } = name.includes(":")
        ? await ask("resources/read", { uri: name })
        : await ask(isPrompt ? "prompts/get" : "tools/call", {
          name: isPrompt ? name.slice(0, -1) : name,
          arguments: args,
        });
      const result = answer["result"] as Json | undefined;
      const data = result?.["structuredContent"] as Json | undefined;
      undo = data?.["undo"] as string ?? undo;
      const content = result?.["content"] as readonly { text?: string }[] | undefined;
      if (data !== undefined && content?.[0]?.text === JSON.stringify(data)) {
        delete result!["content"];
      }
      if (content?.[0]?.text?.startsWith("{")) content[0].text = JSON.parse(content[0].text);
      answers[`${world}: ${name} ${text}`] = answer;
    }
  }
  await server.close();
  const after = readTree(cwd);
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = paths.filter((path) => before[path] !== after[path]);
  answers[`${world}: changed`] = changed.map((path) => [path, after[path]]);
}

/** Slows the clock of this process, and moves the times of files written since with it. */
function fixTime(start: number): void {
  const { now } = Date;
  const began = now();
  const current = () => start + Math.floor((now() - began) / SLOWER);
  globalThis.Date = class extends Date {
    constructor(...args: []) {
      super(...(args.length > 0 ? args : [current()]) as []);
    }
    static override now = current;
  } as DateConstructor;
  const moved = (info: Deno.FileInfo) => {
    const time = info.mtime?.getTime() ?? 0;
    return time < began ? info : { ...info, mtime: new Date(time - began + start) };
  };
  const { statSync, lstatSync, stat, lstat } = Deno;
  Deno.statSync = (path) => moved(statSync(path));
  Deno.lstatSync = (path) => moved(lstatSync(path));
  Deno.stat = async (path) => moved(await stat(path));
  Deno.lstat = async (path) => moved(await lstat(path));
}

/** Replaces what differs between two runs by the order of its appearance. */
function normalized(text: string): string {
  const names = new Map<string, string>();
  const paths = /\/[^"\s]*?refrakt-mcp-\w+/;
  const tokens = /(?<="undo": ")[\w-]+|(?<="stamp": ")\w+|\b[0-9a-f]{12}\b/;
  const random = new RegExp(
    `${paths.source}|${tokens.source}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}|2026-07-25T09:3[.:0-9]*Z|T09:3.:..[.][0-9]{3}Z`,
    "g",
  );
  return text.replace(
    random,
    (name) =>
      name.includes("T09:3") ? "<now>" : names.getOrInsertComputed(name, () => `<${names.size}>`),
  );
}

/** Prints where two recordings differ, whatever the order of keys. */
function compare(before: string, after: string): void {
  let count = 0;
  const walk = (path: string, one: unknown, other: unknown) => {
    if (one === other) return;
    if (one && other && typeof one === "object" && typeof other === "object") {
      const [a, b] = [one as Json, other as Json];
      for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
        walk(`${path} › ${key}`, a[key], b[key]);
      }
      return;
    }
    if (count++ >= MOST_PRINTED) return;
    const short = (value: unknown) => JSON.stringify(value)?.slice(0, MOST_TEXT);
    console.log(`${path}\n  - ${short(one)}\n  + ${short(other)}`);
  };
  walk("", JSON.parse(before), JSON.parse(after));
  console.log(count === 0 ? "No differences" : `${count} differences`);
}
