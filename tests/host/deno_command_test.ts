import assert from "node:assert/strict";
import { chooseDeno } from "../../src/host/serve_command.ts";
import { DENO, denoByNpx } from "../../src/host/shell.ts";
import { TESTED_DENO } from "../../src/runtime.ts";
import { runProcess } from "../support/process.ts";
import { makeProject, readTree } from "../support/project.ts";
import { programOf } from "../support/server.ts";

const NPX = ["-y", `deno@${TESTED_DENO}`];
const BY_PATH = { execPath: "/home/ada/.deno/bin/deno", standalone: false, isOnPath: () => true };
const [CACHED, CACHED_WINDOWS] = ["/home/ada/.npm/_npx/1f/node_modules/deno", "C:\\x\\_npx\\deno"];

Deno.test("Deno is started by name, by path for clients with another PATH, or else by npx", () => {
  const npx = denoByNpx();
  const path = { command: BY_PATH.execPath, args: [] };
  const cases = [
    [false, false, {}, DENO],
    [false, true, {}, path],
    // A compiled binary is no Deno.
    [false, true, { execPath: "/opt/refrakt-mcp", standalone: true }, DENO],
    [true, false, {}, npx],
    [false, true, { isOnPath: () => false }, npx],
    [false, false, { execPath: CACHED }, npx],
    [false, false, { execPath: CACHED_WINDOWS }, npx],
  ] as const;
  for (const [isAsked, ownPath, facts, expected] of cases) {
    assert.deepEqual(chooseDeno(isAsked, ownPath, { ...BY_PATH, ...facts }), expected);
  }
  assert.deepEqual(denoByNpx("linux"), { command: "npx", args: NPX });
  // A script there, which needs the shell.
  assert.deepEqual(denoByNpx("windows"), { command: "cmd", args: ["/c", "npx", ...NPX] });
});

Deno.test("without deno on the PATH, everything printed and written starts it by npx", async () => {
  const cwd = makeProject({ "refrakt.config.json": '{ "plugins": ["@acme/x"] }' });
  const run = async (write: string, ...args: string[]) => {
    const grants = ["--no-prompt", "--allow-read=.", "--allow-run=git"];
    if (write !== "") grants.push(`--allow-write=${write}`);
    const command = ["run", ...grants, programOf(), ...args];
    const { stdout, stderr } = await runProcess(Deno.execPath(), command, cwd, undefined, {
      PATH: cwd,
    });
    return stdout + stderr;
  };
  const texts = [
    await run("", "help"),
    await run("", "doctor"),
    await run("", "call", "plan_next"),
    await run("", "setup", "claude-code", "--yes"),
    await run("plan", "call", "plan_init"),
    await run("", "read", "skill://refrakt-work-plan/SKILL.md"),
    await run(".", "setup", "claude-code", "--yes"),
    Object.values(readTree(cwd)).join("\n"),
  ];
  for (const text of texts) {
    const lines = text.replaceAll(/\s+/g, " ");
    assert.match(lines, /npx -y deno@|"npx"/);
    assert.doesNotMatch(lines, /(?<!npx -y )\bdeno run /);
  }
});
