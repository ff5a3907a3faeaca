/**
 * Shows what an agent sees: starts the server on a copy of an example with the documented
 * permissions, prints a conversation as a client would have it, and ends with the
 * configurations for clients.
 *
 * Run it with `deno task demo`; the checkout is not changed.
 */

// Only the demo and the tests download the client, so deno.json does not name it.
// deno-lint-ignore no-import-prefix
import { Client } from "npm:@modelcontextprotocol/client@2.4.0";
// deno-lint-ignore no-import-prefix
import { StdioClientTransport } from "npm:@modelcontextprotocol/client@2.4.0/stdio";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** A part of the README's command: permissions and flags. */
interface Launch {
  readonly grants: readonly string[];
  readonly flags?: readonly string[];
}

const DOCUMENTED: Launch = { grants: ["--allow-read=.", "--allow-write=plan", "--allow-run=git"] };

const WITH_RALPH: Launch = {
  grants: ["--allow-read=.", "--allow-write=plan,specs,.gitignore", "--allow-run=git"],
  flags: ["--plugin", "ralph"],
};

/** The fields of a tool's answer that the demo prints. */
interface Answer {
  isError?: boolean;
  errorCode?: string;
  content: { text: string }[];
  structuredContent?: Record<string, unknown>;
}

const project = copyOf(join(ROOT, "examples/site-and-plan"));
commit(project, "Start the plan");
try {
  await withServer(DOCUMENTED, workThePlan);
  await withServer(WITH_RALPH, followAWorkflow);
  await withEmptyCache((env) => withServer(DOCUMENTED, listThePlan, env));
  await showConfiguration();
} finally {
  Deno.removeSync(project, { recursive: true });
}

/** Lists the plan's tools before its plugin is downloaded. */
async function listThePlan(client: Client): Promise<void> {
  const started = performance.now();
  const [{ tools }, { prompts }] = [await client.listTools(), await client.listPrompts()];
  const names = [...tools, ...prompts].map((entry: { name: string }) => entry.name)
    .filter((name) => name.startsWith("plan"));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  say("No refrakt package is cached, and the registry is unreachable. After");
  say(`${seconds} s the plan's ${names.length} tools and prompts are still listed:`);
  say(`${names.join(", ")}.\n`);
  say("A call reports what is missing:\n");
  await refuse(client, "plan_status", {});
}

/** Starts an item, shows the history and a rune, and gets two permission errors. */
async function workThePlan(client: Client): Promise<void> {
  const { tools } = await client.listTools();
  const names = tools.map((tool: { name: string }) => tool.name);
  say(`It offers ${names.length} tools: ${names.join(", ")}.\n`);

  const { plan, site, permissions } = await call(client, "refrakt_detect");
  show({ plan, site, permissions });

  const next = await call(client, "plan_next");
  const [item] = next["items"] as { id: string; title: string; path: string }[];
  show({ id: item!.id, title: item!.title, path: item!.path });

  const update = await call(client, "plan_update", { id: item!.id, status: "in-progress" });
  show(update["lines"]);
  const [first] = Deno.readTextFileSync(join(project, item!.path)).split("\n");
  say(`  On disk, ${item!.path} now begins with:\n  ${first}\n`);

  commit(project, `Start ${item!.id}`);
  const history = await call(client, "plan_history", { id: item!.id, limit: 1 });
  say(`${indent(beginningOf(JSON.stringify(history, null, 2), 16))}\n`);

  const uri = "refrakt://plan/milestone/v1.0.0";
  say(`> resources/read ${uri}`);
  const { contents } = await client.readResource({ uri });
  say(`${indent((contents[0] as { text: string }).text.trim())}\n`);

  const hint = { rune: "hint", attributes: { type: "warning" } };
  const inspected = await call(client, "refrakt_inspect", hint);
  say(`${indent(String(inspected["html"]))}\n`);

  say("An unknown value is rejected with a list of the valid ones:\n");
  await refuse(client, "plan_update", { id: item!.id, status: "finished" });

  say("The sandbox rejects what its permissions do not cover, and names the flag to add:\n");
  await refuse(client, "plan_init", { dir: "roadmap" });
}

/** Starts a spec with the Ralph workflow. */
async function followAWorkflow(client: Client): Promise<void> {
  const goal = "Serve readings of the last hour as a stream";
  await call(client, "ralph_start", { name: "live-readings", goal });
  say(`  On disk: ${[...Deno.readDirSync(join(project, "specs/live-readings"))]
    .map((entry) => `specs/live-readings/${entry.name}`).join(", ")}\n`);
  const research = await client.callTool({ name: "ralph_research" }) as Answer;
  say("> ralph_research");
  say(`${indent(beginningOf(research.content[0]!.text, 8))}\n`);
}

/** Prints the next steps for the user. */
async function showConfiguration(): Promise<void> {
  say("To use it in Claude Code, run this in a project:\n");
  const answer = JSON.parse(await run("config", "claude-code", "--json"));
  say(`${indent(answer.command)}\n`);
  say(`Or paste this into ${answer.file}:\n`);
  say(`${indent(answer.snippet)}\n`);
  say("For another client, where <client> is claude-desktop, cursor, vscode, codex, gemini-cli or");
  say("windsurf, this prints what to paste, and where:\n");
  say("  deno run --no-config --no-prompt --allow-read=. jsr:@refrakt/mcp config <client>\n");
}

/** Starts a server from the checkout as a client would start the published one. */
async function withServer(
  launch: Launch,
  use: (client: Client) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  const { grants, flags = [] } = launch;
  const shown = ["deno run --no-config --no-prompt", ...grants, "jsr:@refrakt/mcp", ...flags];
  say(`A client starts the server in a project:\n\n  ${shown.join(" ")}\n`);
  const transport = new StdioClientTransport({
    command: Deno.execPath(),
    args: programArgs(grants, flags),
    cwd: project,
    env: { ...Deno.env.toObject(), ...env },
    stderr: "ignore",
  });
  const client = new Client({ name: "claude-code", version: "1.0.0" });
  await client.connect(transport);
  try {
    await use(client);
  } finally {
    await client.close();
  }
  say("The client disconnected, and the server exited.\n");
}

/** The environment of a process without refrakt packages in its cache or network. */
async function withEmptyCache(use: (env: Record<string, string>) => Promise<void>): Promise<void> {
  const { stdout } = new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).outputSync();
  const { denoDir } = JSON.parse(new TextDecoder().decode(stdout));
  const home = Deno.makeTempDirSync({ prefix: "refrakt-demo-" });
  // Each registry has its own cache; the checkout's packages come from the usual one.
  Deno.writeTextFileSync(join(home, ".npmrc"), "@refrakt-md:registry=http://127.0.0.1:1/\n");
  try {
    await use({ HOME: home, DENO_DIR: denoDir });
  } finally {
    Deno.removeSync(home, { recursive: true });
  }
}

/** Runs a command of the program, and returns its output. */
async function run(...args: string[]): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: programArgs(["--allow-read=."], args),
    cwd: project,
  }).output();
  return new TextDecoder().decode(stdout);
}

/** The checkout has its own config, so `--no-config` is not passed. */
function programArgs(grants: readonly string[], flags: readonly string[]): string[] {
  const config = `--config=${join(ROOT, "deno.json")}`;
  return ["run", config, "--no-prompt", ...grants, join(ROOT, "mod.ts"), ...flags];
}

async function call(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const result = await asked(client, name, args);
  if (result.isError) throw new Error(`${name} failed: ${JSON.stringify(result.content)}`);
  return result.structuredContent ?? {};
}

async function refuse(client: Client, name: string, args: Record<string, unknown>): Promise<void> {
  const { isError, errorCode, content } = await asked(client, name, args);
  if (!isError) throw new Error(`${name} should have been rejected`);
  say(`${indent(`${errorCode}: ${content[0]!.text}`)}\n`);
}

async function asked(
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<Answer> {
  say(`> ${name}${Object.keys(args).length === 0 ? "" : ` ${JSON.stringify(args)}`}`);
  return await client.callTool({ name, arguments: args }) as Answer;
}

function copyOf(source: string): string {
  const target = Deno.makeTempDirSync({ prefix: "refrakt-demo-" });
  const copy = (from: string, to: string) => {
    Deno.mkdirSync(to, { recursive: true });
    for (const entry of Deno.readDirSync(from)) {
      const [source, goal] = [join(from, entry.name), join(to, entry.name)];
      if (entry.isDirectory) copy(source, goal);
      else Deno.copyFileSync(source, goal);
    }
  };
  copy(source, target);
  return target;
}

function commit(cwd: string, message: string): void {
  const git = (...args: string[]) => {
    const identity = ["-c", "user.name=Demo", "-c", "user.email=demo@example.com"];
    const { code, stderr } = new Deno.Command("git", { args: [...identity, ...args], cwd })
      .outputSync();
    if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
  };
  git("init", "-q");
  git("add", "-A");
  git("-c", "commit.gpgSign=false", "commit", "-q", "-m", message);
}

function show(value: unknown): void {
  say(indent(JSON.stringify(value, null, 2)) + "\n");
}

function beginningOf(text: string, most: number): string {
  const lines = text.split("\n");
  return lines.length <= most ? text : [...lines.slice(0, most), "…"].join("\n");
}

function indent(text: string): string {
  return text.split("\n").map((line) => `  ${line}`.trimEnd()).join("\n");
}

function say(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}
