/**
 * A campaign of made-up calls against a spawned server: inputs for every tool's schema and
 * for every URI, and bytes that are no messages. After each the server stands, answers in
 * the form of the protocol, has shown nothing from outside and has written its folders alone.
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { join } from "node:path";
import { checkAnswers } from "./answers.ts";
import { anySent, filledIn, type Offered, type Sent } from "./fuzz_calls.ts";
import { commitAll, makeProject, readTree, SMALL_PLAN } from "./project.ts";
import { RALPH_GRANTS } from "./ralph_program.ts";
import { type Message, type RawServer, startRaw } from "./raw.ts";
import { ROOT, type StartOptions } from "./server.ts";

/** What no answer may show. */
const SECRET = "s3cr3t-of-the-outside";

const GRANTS = ["--no-prompt", "--allow-write=plan,specs", "--allow-run=git"];

/** The servers that are called, each with the folders that it may write. */
const PROGRAMS = {
  /** The whole server, under the grants of the README and of its Ralph chapter. */
  server: {
    start: { grants: [...GRANTS, "--allow-read=."], args: ["--tool-names", "dotted"] },
    writes: ["plan/", "specs/"],
  },
  /** The same with code of the project in Workers. */
  isolate: {
    start: {
      grants: [...GRANTS, "--unstable-worker-options", `--allow-read=.,${ROOT}`],
      args: ["--tool-names", "dotted", "--isolate"],
    },
    writes: ["plan/", "specs/"],
  },
  /** The Ralph workflow alone. */
  ralph: {
    start: {
      grants: RALPH_GRANTS,
      entry: "plugins/ralph/mod.ts",
      args: ["--tool-names", "underscore"],
    },
    writes: ["specs/", ".gitignore"],
  },
} satisfies Record<string, { start: StartOptions; writes: string[] }>;

/** Which server is called. */
export type Program = keyof typeof PROGRAMS;

/** The revisions of the protocol that are spoken, one a round; the last is the newer era. */
const REVISIONS = ["2025-06-18", "2025-03-26", "2025-11-25", "2026-07-28"];
const MODERN = "2026-07-28";

/** How large a campaign is. */
export interface Campaign {
  /** Which one; the same seed makes the same calls. */
  readonly seed: number;
  /** How many calls. */
  readonly calls: number;
  /** The servers that are called in turns. */
  readonly programs: readonly Program[];
  /** How many calls are made of one server, with one project. */
  readonly round?: number;
  /** Is told how far it is, and how many calls went well. */
  readonly onProgress?: (done: number, well: number) => void;
}

/** How many calls are made before the server is asked whether it stands. */
const BATCH = 20;

/** When an answer counts as none, in milliseconds: a busy machine is slow. */
const LATE_MS = 300_000;

/** Runs a campaign; it throws at the first answer that must not be. */
export async function runCampaign(campaign: Campaign): Promise<void> {
  const { seed, calls, programs, round = 4000, onProgress } = campaign;
  const secret = { "secret.md": `---\ntitle: ${SECRET}\n---\n${SECRET}\n` };
  // The calls name the one, and may get its name back; only links lead to the other.
  const outside: Outside = { named: makeProject(secret), linked: makeProject(secret) };
  const before = [readTree(outside.named), readTree(outside.linked)];
  let [done, well] = [0, 0];
  for (let count = 0; done < calls; count++) {
    // A fresh project now and then: what one call writes is there for the next.
    const size = Math.min(calls - done, round);
    const program = programs[count % programs.length]!;
    const revision = REVISIONS[(seed + count) % REVISIONS.length]!;
    well += await runRound({ outside, seed: seed * 1000 + count, size, program, revision });
    done += size;
    onProgress?.(done, well);
  }
  const after = [readTree(outside.named), readTree(outside.linked)];
  assert.deepEqual(after, before, "nothing outside was written");
  for (const folder of [outside.named, outside.linked]) {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Folders that no call may read or write. */
interface Outside {
  readonly named: string;
  readonly linked: string;
}

const FILES = {
  ...SMALL_PLAN,
  "package.json": "{}",
  "refrakt.config.json": JSON.stringify({
    plan: { dir: "plan" },
    site: { contentDir: "content", runes: { local: { tide: "./runes/tide.js" } } },
  }),
  "content/index.md": "# Start\n\n{% hint %}\nA hint.\n{% /hint %}\n",
  "content/tides.md": '---\ntitle: Tides\n---\n\n{% tide high="06:12" low="12:25" /%}\n',
  "runes/tide.js": "export const transform = { attributes: { high: { type: String } } };\n",
  "theme.json": '{"name":"made","layouts":{}}',
  "contracts.json": "{}",
  "pkg/package.json": '{"name":"@made-up/pkg","version":"1.0.0","type":"module"}',
  "specs/first/.ralph-state.json": "{}",
  "specs/third/.ralph-state.json": '{"name":"third","phase":"execution"}',
  "specs/third/tasks.md": "- [ ] 1.1 Do it\n- [ ] 1.2 Check it\n- [ ] 2.1 End it\n",
  "specs/second/.ralph-state.json": '{"name":"second","phase":"execution"}',
  "specs/second/tasks.md": "- [ ] 1.1 Do it\n- [ ] 1.2 Check it\n- [ ] 2.1 End it\n",
  "specs/research-done/.ralph-state.json": '{"name":"research-done","phase":"research"}',
  "specs/research-done/research.md": "# Research\n\nFound.\n",
};

function makeHostileProject({ linked }: Outside): string {
  const cwd = makeProject(FILES);
  commitAll(cwd, "one");
  const secret = join(linked, "secret.md");
  for (const path of ["plan/work/out.md", "content/out.md", "runes/out.js", "pkg/out.json"]) {
    Deno.symlinkSync(secret, join(cwd, path));
  }
  for (const path of ["plan/out", "specs/out"]) Deno.symlinkSync(linked, join(cwd, path));
  Deno.symlinkSync(secret, join(cwd, "specs/second/design.md"));
  return cwd;
}

interface Round {
  readonly outside: Outside;
  readonly seed: number;
  readonly size: number;
  readonly program: Program;
  readonly revision: string;
}

/** Calls one server; gives how many calls went well. */
async function runRound({ outside, seed, size, program, revision }: Round): Promise<number> {
  const cwd = makeHostileProject(outside);
  const { start, writes } = PROGRAMS[program];
  const others = () =>
    Object.entries(readTree(cwd)).filter(([path]) => !writes.some((way) => path.startsWith(way)));
  const kept = others();
  const server = startRaw(cwd, start);
  try {
    const talk = await introduced(server, revision, cwd, outside.linked);
    const offered = await offeredBy(talk);
    const sampled = fc.sample(anySent(offered, outside.named), { seed, numRuns: size });
    for (let at = 0; at < sampled.length; at += BATCH) {
      await Promise.all(
        sampled.slice(at, at + BATCH).map((sent, index) => send(talk, sent, `x${at + index}`)),
      );
      const stands = await ask(talk, revision === MODERN ? "server/discover" : "ping", {});
      assert.ok(stands.result !== undefined, `the server stands: ${JSON.stringify(stands)}`);
      checkAnswers(offered.tools, talk.given.splice(0));
      server.messages.length = 0;
    }
    assert.deepEqual(server.noise, [], "stdout has messages alone");
    assert.deepEqual(others(), kept, "its folders alone are written");
    return talk.well;
  } catch (error) {
    const which = `${program}, revision ${revision}, seed ${seed}`;
    throw new Error(`${which}: ${(error as Error).message}`, { cause: error });
  } finally {
    await server.end();
    await Deno.remove(cwd, { recursive: true });
  }
}

/** A conversation with a server. */
interface Talk {
  readonly server: RawServer;
  /** What each request of the newer era says about its client. */
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  /** The project, whose place on the machine no error names. */
  readonly cwd: string;
  /** Where links lead, which no answer shows. */
  readonly linked: string;
  /** The last cursor and the last id that were told. */
  readonly told: Record<string, string>;
  /** Answers of tools that went well. */
  readonly given: { name: string; answer: Record<string, unknown> }[];
  /** How many calls went well. */
  well: number;
}

async function introduced(
  server: RawServer,
  protocolVersion: string,
  cwd: string,
  linked: string,
): Promise<Talk> {
  const clientInfo = { name: "fuzz", version: "1" };
  const name = (key: string) => `io.modelcontextprotocol/${key}`;
  const meta = protocolVersion !== MODERN ? undefined : {
    [name("protocolVersion")]: MODERN,
    [name("clientInfo")]: clientInfo,
    [name("clientCapabilities")]: {},
  };
  if (meta === undefined) {
    await server.request("initialize", { protocolVersion, capabilities: {}, clientInfo });
    server.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  }
  return { server, meta, cwd, linked, told: {}, given: [], well: 0 };
}

function withMeta({ meta }: Talk, params: Readonly<Record<string, unknown>>) {
  return meta === undefined
    ? params
    : { ...params, _meta: { ...params["_meta"] as Record<string, unknown>, ...meta } };
}

async function ask(
  talk: Talk,
  method: string,
  params: Readonly<Record<string, unknown>>,
): Promise<Message> {
  const answer = talk.server.request(method, withMeta(talk, params));
  return await within(answer, JSON.stringify({ method, params }));
}

/** Everything that the server lists. */
async function offeredBy(talk: Talk): Promise<Offered> {
  const list = async <Entry>(method: string, key: string) =>
    (await ask(talk, method, {})).result![key] as Entry[];
  return {
    tools: await list("tools/list", "tools"),
    uris: (await list<{ uri: string }>("resources/list", "resources")).map(({ uri }) => uri),
    templates: (await list<{ uriTemplate: string }>(
      "resources/templates/list",
      "resourceTemplates",
    )).map(({ uriTemplate }) => uriTemplate),
    prompts: await list("prompts/list", "prompts"),
  };
}

async function send(talk: Talk, sent: Sent, id: string): Promise<void> {
  const { server } = talk;
  if ("noise" in sent) {
    const line = `${sent.noise.replaceAll(/[\r\n]/g, " ")}\n`;
    const step = Math.ceil(line.length / (sent.pieces ?? 1));
    for (let at = 0; at < line.length; at += step) server.write(line.slice(at, at + step));
    return;
  }
  if ("note" in sent) {
    return server.send({ jsonrpc: "2.0", method: sent.note, params: sent.params });
  }
  const { method, params, fate } = filledIn(sent, talk.told);
  if (fate === undefined) return await checkOne(talk, method, params);
  server.send({ jsonrpc: "2.0", id, method, params: withMeta(talk, params) });
  const note = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } };
  if (fate === "cancelled") server.send(note);
}

async function checkOne(
  talk: Talk,
  method: string,
  params: Readonly<Record<string, unknown>>,
): Promise<void> {
  const answer = await ask(talk, method, params);
  const shown = JSON.stringify(answer);
  const said = `${JSON.stringify({ method, params }).slice(0, 2000)}\n${shown.slice(0, 2000)}`;
  assert.ok(!shown.includes(SECRET), `nothing of the outside is shown: ${said}`);
  assert.ok(!shown.includes(talk.linked), `where a link leads is not shown: ${said}`);
  // Where the plan was looked for is said: the client may have started the server elsewhere.
  const code = answer.result?.["errorCode"] ?? answer.error?.data?.["errorCode"];
  const isError = answer.error !== undefined || answer.result?.["isError"] === true;
  if (isError && code !== "PLAN_DIR_MISSING") {
    assert.ok(!shown.includes(talk.cwd), `no error names the project's place: ${said}`);
  }
  note(talk.told, "cursor", /"(?:cursor|nextCursor)":"([^"\\]+)"/.exec(shown));
  if (answer.error !== undefined) {
    assert.ok(Number.isInteger(answer.error.code) && answer.error.message !== "", said);
    assert.ok(!/internal error/i.test(answer.error.message), said);
    return;
  }
  if (answer.result?.["isError"] === true) {
    const { errorCode, content } = answer.result as { errorCode?: unknown; content?: unknown[] };
    assert.ok(typeof errorCode === "string" && Array.isArray(content), said);
    return;
  }
  talk.well++;
  if (method !== "tools/call") return;
  const name = String(params["name"]);
  talk.given.push({ name, answer: answer.result! });
  if (/create$/.test(name)) note(talk.told, "id", /"id":"([^"\\]+)"/.exec(shown));
}

function note(told: Record<string, string>, name: string, found: RegExpExecArray | null): void {
  if (found !== null) told[name] = found[1]!;
}

async function within(answer: Promise<Message>, what: string): Promise<Message> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer: ${what.slice(0, 4000)}`)), LATE_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
