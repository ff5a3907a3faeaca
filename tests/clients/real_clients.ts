/**
 * Real clients from npm start the server with what `config` prints, and list its tools. They
 * need no key, but most of a gigabyte: only `deno task clients` runs them.
 */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { SEE_DATA } from "../../src/tools/shape.ts";
import { LAB } from "../support/lab.ts";
import { runProcess } from "../support/process.ts";
import { commitAll, makeProject, writeFiles } from "../support/project.ts";
import { copyExample, refrakt } from "../support/run.ts";
import { ROOT } from "../support/server.ts";

const PACKAGES =
  ("@anthropic-ai/claude-code @google/gemini-cli @openai/codex @modelcontextprotocol/inspector " +
    "mcporter @langchain/mcp-adapters @langchain/core").split(" ");

const bin = await installed();
const cwd = copyExample("site-and-plan");
commitAll(cwd, "Start");
// Replaces the user's own client settings.
const home = makeProject();
const env = {
  HOME: home,
  DENO_DIR: JSON.parse(
    (await runProcess(Deno.execPath(), ["info", "--json"], ROOT)).stdout,
  ).denoDir as string,
  PATH: `${bin}:${dirname(Deno.execPath())}:${Deno.env.get("PATH")}`,
};
const snippet = JSON.parse((await refrakt(cwd, ["config", "claude-code"])).stdout);
/** The printed command, with the checkout in place of the published package. */
const launch = (() => {
  const { command, args } = snippet.mcpServers.refrakt as { command: string; args: string[] };
  const swapped: Record<string, string> = {
    "jsr:@refrakt/mcp@0.2": `${ROOT}mod.ts`,
    "--no-config": `--config=${ROOT}deno.json`,
  };
  return { command, args: args.map((arg) => swapped[arg] ?? arg) };
})();
writeFiles(cwd, { ".mcp.json": JSON.stringify({ mcpServers: { refrakt: launch } }) });

async function run(program: string, ...args: string[]) {
  const { code, stdout, stderr } = await new Deno.Command(join(bin, program), {
    args,
    cwd,
    env,
    stdin: "null",
    signal: AbortSignal.timeout(120_000),
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

/** Some tools of a project with a plan and a site, as spelled for clients without dots. */
const TOOLS = ["plan_next", "plan_update", "refrakt_detect", "refrakt_inspect"];

Deno.test("Claude Code adds the server with its own command, and connects", async () => {
  const line = [launch.command, ...launch.args];
  const added = await run("claude", "mcp", "add", "--scope", "user", "refrakt", "--", ...line);
  assert.equal(added.code, 0, added.stderr);
  const { stdout } = await run("claude", "mcp", "list");
  assert.match(stdout, /^refrakt: .* - ✔ Connected$/m);
});

Deno.test("Gemini CLI connects with the snippet in its settings", async () => {
  writeFiles(home, {
    ".gemini/settings.json": JSON.stringify({ security: { folderTrust: { enabled: false } } }),
  });
  writeFiles(cwd, { ".gemini/settings.json": JSON.stringify({ mcpServers: { refrakt: launch } }) });
  const { stdout, stderr } = await run("gemini", "mcp", "list");
  assert.match(stdout + stderr, /refrakt: .*\(stdio\) - Connected/);
});

Deno.test("Codex adds the server with its own command, and reads the printed configuration", async () => {
  const line = [launch.command, ...launch.args];
  const added = await run("codex", "mcp", "add", "refrakt", "--", ...line);
  assert.equal(added.code, 0, added.stderr);
  const config = await refrakt(cwd, ["config", "codex"]);
  writeFiles(home, { ".codex/config.toml": config.stdout });
  const listed = JSON.parse((await run("codex", "mcp", "list", "--json")).stdout);
  assert.equal(listed[0].name, "refrakt");
  assert.ok(listed[0].transport.args.includes("jsr:@refrakt/mcp@0.2"));
});

Deno.test("mcporter lists the tools and calls one in both spellings", async () => {
  const listed = await run("mcporter", "--config", ".mcp.json", "list", "refrakt", "--json");
  for (const name of TOOLS) assert.ok(listed.stdout.includes(`"${name}"`), name);
  for (const tool of ["plan_next", "plan.next"]) {
    const call = ["call", "--server", "refrakt", "--tool", tool];
    const { stdout } = await run("mcporter", "--config", ".mcp.json", ...call);
    assert.match(stdout, /"WORK-002"/, tool);
  }
  // Without parentheses, mcporter drops everything after the second dot.
  for (const tool of ["refrakt.plan_next", "refrakt.plan.next()"]) {
    const { stdout } = await run("mcporter", "--config", ".mcp.json", "call", tool);
    assert.match(stdout, /WORK-/, tool);
  }
});

Deno.test("the Inspector lists and calls tools", async () => {
  const server = ["--cli", "--config", ".mcp.json", "--server", "refrakt"];
  const listed = await run("mcp-inspector", ...server, "--method", "tools/list");
  const names = (JSON.parse(listed.stdout).tools as { name: string }[]).map(({ name }) =>
    name.replaceAll(/[.-]/g, "_")
  );
  for (const name of TOOLS) assert.ok(names.includes(name), name);
  const call = ["--method", "tools/call", "--tool-name", "plan.next"];
  const called = await run("mcp-inspector", ...server, ...call);
  assert.match(called.stdout, /WORK-002/);
});

/** LangChain's adapters have no program: a script that prints what a model gets of an answer. */
const LANGCHAIN = `
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
const client = new MultiServerMCPClient({ mcpServers: { refrakt: JSON.parse(process.argv[2]) } });
const tools = await client.getTools();
const tool = tools.find(({ name }) => name.endsWith("ralph_start"));
const call = { type: "tool_call", id: "1", name: tool.name, args: { goal: "Greet", name: "greet" } };
console.log((await tool.invoke(call)).content);
await client.close();
`;

Deno.test("LangChain's adapters show text and data, so the text is short", async () => {
  const script = join(dirname(dirname(bin)), "langchain.mjs");
  await Deno.writeTextFile(script, LANGCHAIN);
  const args = [...launch.args, "--plugin", "ralph"]
    .map((arg) => arg.startsWith("--allow-write") ? "--allow-write" : arg);
  const server = JSON.stringify({ transport: "stdio", command: launch.command, args, cwd, env });
  const { code, stdout, stderr } = await new Deno.Command("node", {
    args: [script, server],
    cwd,
    env,
  })
    .output();
  const text = new TextDecoder().decode(stdout);
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  assert.ok(text.includes(SEE_DATA), text);
  assert.match(text, /"instructions":"Created spec 'greet'/);
  assert.equal(text.match(/Created spec 'greet'/g)?.length, 1, "nothing is shown twice");
});

/** Installs the newest versions once; returns the folder of their programs. */
async function installed(): Promise<string> {
  const dir = join(LAB, "clients");
  const programs = join(dir, "node_modules/.bin");
  await Deno.mkdir(dir, { recursive: true });
  try {
    await Deno.stat(join(dir, "installed"));
    return programs;
  } catch {
    // Not installed yet, or incompletely.
  }
  await Deno.writeTextFile(join(dir, "package.json"), "{}");
  const flags = ["--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"];
  const { code, stderr } = await runProcess("npm", ["install", ...flags, ...PACKAGES], dir);
  if (code !== 0) throw new Error(`npm install failed in ${dir}: ${stderr}`);
  await Deno.writeTextFile(join(dir, "installed"), "");
  return programs;
}
