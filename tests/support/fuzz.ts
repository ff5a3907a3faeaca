/**
 * Random calls of every tool, resource and prompt, and invalid lines, against a spawned server.
 * Each answer must be valid and reveal nothing from outside the project; the server must keep
 * running and write only to its own folders.
 */

import assert from "node:assert/strict";
import fc from "./npm/fast_check.ts";
import { join } from "node:path";
import { checkAnswers } from "./answers.ts";
import { anySent, type Offered, type Sent } from "./fuzz_calls.ts";
import { commitAll, makeProject, readTree, SMALL_PLAN } from "./project.ts";
import { RALPH_GRANTS } from "./ralph_program.ts";
import { initialized, type RawServer } from "./raw.ts";
import type { StartOptions } from "./server.ts";

/** Must not appear in any answer. */
const SECRET = "s3cr3t-of-the-outside";

const GRANTS = ["--no-prompt", "--allow-read=.", "--allow-write=plan,specs", "--allow-run=git"];

/** The servers under test, with the folders that each may write. */
const PROGRAMS: readonly { readonly start: StartOptions; readonly writes: readonly string[] }[] = [
  { start: { grants: GRANTS, args: ["--tool-names", "dotted"] }, writes: ["plan/", "specs/"] },
  {
    start: { grants: RALPH_GRANTS, entry: "plugins/ralph/mod.ts" },
    writes: ["specs/", ".gitignore"],
  },
];

/** The number of concurrent calls. */
const BATCH = 20;

/**
 * Runs a campaign; throws at the first invalid answer. The same seed produces the same calls.
 *
 * @param round The number of calls per server and project: calls see what earlier ones wrote.
 */
export async function runCampaign(
  seed: number,
  calls: number,
  round: number,
  onProgress: (done: number) => void = () => {},
): Promise<void> {
  const secret = { "secret.md": `---\ntitle: ${SECRET}\n---\n${SECRET}\n` };
  // Calls name the first folder, and may get its name back; only links lead to the second.
  const outside: Outside = { named: makeProject(secret), linked: makeProject(secret) };
  const before = [readTree(outside.named), readTree(outside.linked)];
  for (let [done, count] = [0, 0]; done < calls; count++) {
    const size = Math.min(calls - done, round);
    await runRound(outside, seed * 1000 + count, size, count % PROGRAMS.length);
    onProgress(done += size);
  }
  const after = [readTree(outside.named), readTree(outside.linked)];
  assert.deepEqual(after, before, "nothing outside was written");
}

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

async function runRound(outside: Outside, seed: number, size: number, program: number) {
  const cwd = makeHostileProject(outside);
  const { start, writes } = PROGRAMS[program]!;
  const others = () =>
    Object.entries(readTree(cwd)).filter(([path]) => !writes.some((way) => path.startsWith(way)));
  const kept = others();
  const server = await initialized(cwd, start);
  try {
    const offered = await offeredBy(server);
    const sampled = fc.sample(anySent(offered, outside.named), { seed, numRuns: size });
    for (let at = 0; at < sampled.length; at += BATCH) {
      const batch = sampled.slice(at, at + BATCH);
      await Promise.all(batch.map((sent) => send(server, offered, sent, cwd, outside.linked)));
      assert.ok((await server.request("ping", {})).result !== undefined, "the server goes on");
      server.messages.length = 0;
    }
    assert.deepEqual(server.noise, [], "stdout has messages only");
    assert.deepEqual(others(), kept, "only its own folders are written");
  } catch (error) {
    throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
  } finally {
    await server.end();
    await Deno.remove(cwd, { recursive: true });
  }
}

async function offeredBy(server: RawServer): Promise<Offered> {
  const list = async <Entry>(method: string, key: string) =>
    (await server.request(method, {})).result![key] as Entry[];
  return {
    tools: await list("tools/list", "tools"),
    uris: (await list<{ uri: string }>("resources/list", "resources")).map(({ uri }) => uri),
    templates:
      (await list<{ uriTemplate: string }>("resources/templates/list", "resourceTemplates"))
        .map(({ uriTemplate }) => uriTemplate),
    prompts: await list("prompts/list", "prompts"),
  };
}

/** Sends a line, or a request and checks its answer. */
async function send(
  server: RawServer,
  { tools }: Offered,
  sent: Sent,
  cwd: string,
  linked: string,
): Promise<void> {
  if (typeof sent === "string") return server.write(`${sent.replaceAll(/[\r\n]/g, " ")}\n`);
  const { method, params } = sent;
  const { result, error } = await server.request(method, params);
  const shown = JSON.stringify({ result, error });
  const said = `${JSON.stringify(sent).slice(0, 2000)}\n${shown.slice(0, 2000)}`;
  assert.ok(!shown.includes(SECRET), `nothing of the outside is shown: ${said}`);
  assert.ok(!shown.includes(linked), `where a link leads is not shown: ${said}`);
  const code = result?.["errorCode"] ?? error?.data?.["errorCode"];
  const isError = error !== undefined || result?.["isError"] === true;
  // This error shows the directory, because the client may have started the server elsewhere.
  if (isError && code !== "PLAN_DIR_MISSING") {
    assert.ok(!shown.includes(cwd), `no error names the project's folder: ${said}`);
  }
  if (error !== undefined) {
    assert.ok(Number.isInteger(error.code) && error.message !== "", said);
    assert.ok(!/internal error/i.test(error.message), said);
  } else if (isError) {
    assert.ok(typeof code === "string" && Array.isArray(result!["content"]), said);
  } else if (method === "tools/call") {
    checkAnswers(tools, [{ name: String(params["name"]), answer: result! }]);
  }
}
