/**
 * Clients that were not written here and run without a key, started as people start them.
 * Installing them takes longer than the whole gate may: `deno task clients` runs this.
 * Both need a newer Node than some machines have, and run on Deno.
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { LAB } from "../support/lab.ts";
import { runProcess } from "../support/process.ts";
import { copyExample } from "../support/run.ts";
import { serverArgs } from "../support/server.ts";
import { testUnless } from "../support/skip.ts";
import { temporaryFile } from "../support/temporary.ts";

const PACKAGES = { "@modelcontextprotocol/inspector": "0.15.0", mcporter: "0.12.3" };

const NO_CLIENTS = Deno.env.get("REFRAKT_CLIENTS") === undefined
  ? "deno task clients runs it"
  : undefined;

/** Installs the clients once, and keeps them. */
async function installed(): Promise<string> {
  const dir = join(LAB, "pinned-clients");
  await Deno.mkdir(dir, { recursive: true });
  await Deno.writeTextFile(
    join(dir, "package.json"),
    JSON.stringify({ private: true, dependencies: PACKAGES }),
  );
  const flags = ["--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"];
  const { code, stderr } = await runProcess("npm", ["install", ...flags], dir);
  assert.equal(code, 0, stderr);
  return dir;
}

/** Runs a client on Deno. */
async function runClient(dir: string, program: string, ...args: string[]): Promise<string> {
  const path = join(dir, "node_modules", program);
  const flags = ["run", "-A", "--node-modules-dir=manual"];
  const { code, stdout, stderr } = await runProcess(
    Deno.execPath(),
    [...flags, path, ...args],
    dir,
  );
  assert.equal(code, 0, stderr);
  return stdout;
}

testUnless(
  NO_CLIENTS,
  "the MCP Inspector lists and calls tools, and shows the dotted names",
  async () => {
    const dir = await installed();
    const inspector = "@modelcontextprotocol/inspector/cli/build/cli.js";
    const cwd = copyExample("plan");
    const grants = ["--no-prompt", `--allow-read=${cwd}`];
    const server = [Deno.execPath(), ...serverArgs({ grants, args: ["--cwd", cwd] })];
    const ask = async (...args: string[]) =>
      JSON.parse(await runClient(dir, inspector, "--cli", ...server, "--method", ...args));
    const { tools } = await ask("tools/list");
    assert.ok(tools.some(({ name }: { name: string }) => name === "plan.next"));
    const { structuredContent } = await ask("tools/call", "--tool-name", "plan.next");
    assert.ok(Array.isArray(structuredContent.items));
  },
);

testUnless(NO_CLIENTS, "mcporter lists the tools, and calls one by both spellings", async () => {
  const dir = await installed();
  const cwd = copyExample("plan");
  const grants = ["--no-prompt", `--allow-read=${cwd}`];
  const args = serverArgs({ grants, args: ["--cwd", cwd] });
  const mcpServers = { refrakt: { command: Deno.execPath(), args } };
  const config = temporaryFile("mcporter.json", JSON.stringify({ mcpServers }));
  const run = (...rest: string[]) =>
    runClient(dir, "mcporter/dist/cli.js", "--config", config, ...rest);
  assert.match(await run("list", "refrakt"), /plan_next/);
  // Without the parentheses mcporter drops what follows the second dot.
  for (const tool of ["refrakt.plan_next", "refrakt.plan.next()"]) {
    assert.match(await run("call", tool), /WORK-/, tool);
  }
});
