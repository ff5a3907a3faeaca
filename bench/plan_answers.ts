// deno-lint-ignore-file no-console

/**
 * Records what the tools, resources, tables and prompts of the plan answer, on the real plan with its
 * history and on a made one, to prove that a change of the code changes no answer. The clock stands still
 * but between writes; paths, tokens and hashes of random texts are replaced. Fails if a tool, argument,
 * resource or prompt that is listed is not in `plan_calls.txt`.
 *
 * Run: `deno run -A bench/plan_answers.ts OUT [RECORDED]`; with a second file, prints what differs.
 */

import { join } from "node:path";
import { createServer, type ServerOptions } from "../mod.ts";
import { planFile, readTree } from "../tests/support/project.ts";
import { fullPlan } from "../tests/support/real_plan.ts";
import { commit, madePlan, NOW, settle } from "./made_plan.ts";
import { temporaryFolder } from "../tests/support/temporary.ts";

type Json = Record<string, unknown>;
/** A tool, a resource by its address, or a prompt with `!`; and its arguments as JSON. */
type Call = readonly [name: string, args?: string];

const INDEX = "refrakt://plan/index";
/** How long a write takes, and how long after one a file is certainly younger, in milliseconds. */
const [STEP_MS, YOUNGER_MS] = [60_000, 20];
/** How much slower time limits pass, so that answers do not depend on the speed of the machine. */
const SLOWER = 50;
/** How many entities are asked for, and how many differences and characters of each are printed. */
const [MOST_IDS, MOST_PRINTED, MOST_TEXT] = [40, 60, 300];
/** What the host serves beside the plan, and the file of a view. */
const NOT_OF_PLAN = /^(?:refrakt:\/\/(?:detect|result)|ui:)/;

const [out, recorded] = Deno.args;
if (out === undefined) throw new TypeError("Name the file to write");
const clock = fixTime(Date.parse(NOW));
Deno.env.set("DENO_DIR", Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`);
Deno.env.set("HOME", temporaryFolder());
const [reads, writes] = Deno.readTextFileSync(new URL("plan_calls.txt", import.meta.url))
  .split("# write\n").map((text) =>
    text.split("\n").filter((line) => line !== "" && !line.startsWith("#")).map((line): Call => {
      const [, name, args] = /^(\S+) ?(.*)/.exec(line)!;
      return [name!, args!];
    })
  ) as [Call[], Call[]];
const answers: Json = {};

const real = fullPlan();
settle(real);
const { tables, writing } = await checkCalls(real, [...reads, ...writes]);
await record("real", real, reads);
commit(real, 90, planFile("WORK-900", { status: "ready", source: "SPEC-001" }));
// What the first server has kept is used by the next.
await record("real, later", real, reads.filter(([name]) => !/board|get/.test(name)), 30_000);
await record("real, write", real, writes);
const { cwd, other, clones, remote } = madePlan();
await record("made", cwd, reads);
await record("made, worktree", other, [...reads, ...writes]);
await record("made, write", cwd, writes);
const empty = join(temporaryFolder(), "empty");
Deno.mkdirSync(empty);
await record("empty", empty, [["plan_init"], ["plan_board"], ["plan_init"]]);
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
const text = JSON.stringify(answers, null, 1);
Deno.writeTextFileSync(out, text);
console.error(`${Object.keys(answers).length} answers, ${text.length >> 10} kB`);
if (recorded !== undefined) compare(Deno.readTextFileSync(recorded), text);
Deno.exit(0);

/** Starts a server, and returns it with how to ask it. */
async function serve(options: ServerOptions, capabilities: Json = {}) {
  const server = await createServer(options);
  const replies = new Map<unknown, (message: Json) => void>();
  const transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send: (message: Json) => Promise.resolve(replies.get(message["id"])?.(message)),
    onmessage: (_message: Json) => {},
  };
  await server.connect(transport);
  const ask = (method: string, params: unknown = {}) =>
    new Promise<Json>((resolve) => {
      const id = replies.size;
      replies.set(id, resolve);
      transport.onmessage({ jsonrpc: "2.0", id, method, params });
    });
  const clientInfo = { name: "inspector-cli", version: "1.0.0" };
  await ask("initialize", { protocolVersion: "2025-06-18", capabilities, clientInfo });
  return { server, ask };
}

/** Fails for what is listed and not called; returns the names of tables, and of tools that write. */
async function checkCalls(cwd: string, calls: readonly Call[]) {
  const extensions = { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } };
  const { server, ask } = await serve({ cwd, tools: ["all"] } as object, { extensions });
  // deno-lint-ignore no-explicit-any -- as the protocol has it
  const list = async (kind: string, method = kind): Promise<any[]> =>
    ((await ask(`${method}/list`))["result"] as Json)[kind] as [];
  const listed = (await list("tools")).filter(({ name }) => name.startsWith("plan_"));
  const prompts = (await list("prompts")).flatMap(({ name, arguments: args }) => [
    `${name}!`,
    ...args.map((arg: Json) => `${name}!.${arg["name"]}`),
  ]);
  const uris = [
    ...(await list("resources")).map(({ uri }) => uri),
    ...(await list("resourceTemplates", "resources/templates")).map((each) => each.uriTemplate),
  ].filter((uri: string) => !NOT_OF_PLAN.test(uri));
  const called = new Set(calls.flatMap(([name, args]) => {
    const forms = uris.filter((uri) => patternOf(uri).test(name));
    return [...forms, ...namesIn(name, args && args !== "" ? JSON.parse(args) : {})];
  }));
  const missing = new Set([
    ...uris,
    ...prompts,
    ...listed.flatMap(({ name, inputSchema }) => namesOf(name, inputSchema)),
  ]).difference(called);
  if (missing.size > 0) throw new Error(`Add calls with ${[...missing].join(", ")}`);
  const sql = "select distinct name from tables";
  const { structuredContent } = (await ask("tools/call", {
    name: "refrakt_query",
    arguments: { sql },
  }))["result"] as { structuredContent: { rows: [string][] } };
  await server.close();
  return {
    // All lines would be a copy of the plan; one call counts them.
    tables: structuredContent.rows.flat().filter((table) => table !== "lines"),
    writing: new Set(
      listed.filter((tool) => !tool.annotations.readOnlyHint).map(({ name }) => name),
    ),
  };
}

/** A pattern for the addresses that a template describes. */
function patternOf(template: string): RegExp {
  const text = template.replace(/[.?]/g, "\\$&").replace(/\{\\\?(\w+)\}/g, "\\?$1=.+");
  return new RegExp(`^${text.replace(/\{\w+\}/g, "[^/?]+")}$`);
}

/** The names of the arguments in a schema, at every depth, and their values where these are listed. */
function namesOf(path: string, schema: Json): string[] {
  const { properties = {}, items = {}, enum: values = [] } = schema as Record<string, Json>;
  return [
    path,
    ...Object.entries(properties).flatMap(([key, value]) =>
      namesOf(`${path}.${key}`, value as Json)
    ),
    ...namesIn(path, values).slice(1),
    ...items["type"] === undefined ? [] : namesOf(path, items),
  ];
}

/** The same names in the arguments of a call. */
function namesIn(path: string, value: unknown): string[] {
  if (typeof value === "string") return [path, `${path} "${value}"`];
  if (Array.isArray(value)) return [path, ...value.flatMap((item) => namesIn(path, item))];
  if (value === null || typeof value !== "object") return [path];
  return [path, ...Object.entries(value).flatMap(([key, item]) => namesIn(`${path}.${key}`, item))];
}

/** Starts a server in a project, and records its answers, and at the end what it has changed. */
async function record(
  world: string,
  cwd: string,
  asked: readonly Call[],
  maxOutput = Infinity,
  remote: Partial<ServerOptions> = {},
): Promise<void> {
  await clock.advance();
  const before = readTree(cwd);
  const { server, ask } = await serve({ cwd, maxOutput, ...remote });
  const index = world === "empty" ? '{"entities":[]}' : await server.readResource(INDEX);
  const ids: string[] = JSON.parse(index).entities.map(({ id }: { id: string }) => id);
  const step = Math.ceil(ids.length / MOST_IDS);
  const values = { id: ids.filter((_, at) => at % step === 0), table: tables };
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
      keep(`${world}: ${name} ${text}`, answer);
      if (writing.has(name)) await clock.advance();
    }
  }
  await server.close();
  const after = readTree(cwd);
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = paths.filter((path) => before[path] !== after[path]);
  keep(`${world}: changed`, changed.map((path) => [path, after[path]]));
}

/** Adds an answer; what is asked again gets a number. */
function keep(question: string, answer: unknown): void {
  let [name, times] = [question, 1];
  while (name in answers) name = `${question} (${++times})`;
  answers[name] = normalized(answer);
}

/**
 * Lets the clock of this process stand still but between writes, and gives files that are written from now
 * on the time at which they were.
 */
function fixTime(start: number) {
  const real = { now: Date.now, passed: performance.now.bind(performance) };
  const began = real.now();
  const steps = [{ from: began, time: start }];
  const current = () => steps.at(-1)!.time;
  globalThis.Date = class extends Date {
    constructor(...args: []) {
      super(...(args.length > 0 ? args : [current()]) as []);
    }
    static override now = current;
  } as DateConstructor;
  performance.now = () => real.passed() / SLOWER;
  const moved = (info: Deno.FileInfo) => {
    const written = info.mtime?.getTime() ?? 0;
    const step = steps.findLast(({ from }) => from <= written);
    return step === undefined ? info : { ...info, mtime: new Date(step.time) };
  };
  const { statSync, lstatSync, stat, lstat } = Deno;
  Deno.statSync = (path) => moved(statSync(path));
  Deno.lstatSync = (path) => moved(lstatSync(path));
  Deno.stat = async (path) => moved(await stat(path));
  Deno.lstat = async (path) => moved(await lstat(path));
  const advance = async () => {
    await new Promise((resolve) => setTimeout(resolve, YOUNGER_MS));
    // The time of a file is up to some milliseconds behind.
    steps.push({ from: real.now() - YOUNGER_MS / 2, time: current() + STEP_MS });
  };
  return { advance };
}

/** Replaces what is random in an answer by the order of its appearance. */
function normalized(answer: unknown): unknown {
  const names = new Map<string, string>();
  const paths = /\/[^"\s]*?refrakt-mcp-\w+/;
  const tokens = /(?<="undo":")[\w-]+|(?<="stamp":")\w+|\b[0-9a-f]{12}\b|(?<=inspector-cli-)\w{8}/;
  const random = new RegExp(
    `${paths.source}|${tokens.source}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}`,
    "g",
  );
  const text = JSON.stringify(answer).replace(
    random,
    (name) => names.getOrInsertComputed(name, () => `<${names.size}>`),
  );
  return JSON.parse(text);
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
