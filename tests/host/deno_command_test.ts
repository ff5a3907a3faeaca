import assert from "node:assert/strict";
import { chooseDeno } from "../../src/host/serve_command.ts";
import { DENO, denoByNpx } from "../../src/host/shell.ts";
import { TESTED_DENO } from "../../src/runtime.ts";
import { runProcess } from "../support/process.ts";
import { makeProject, readTree } from "../support/project.ts";
import { programOf } from "../support/server.ts";

const installed = {
  execPath: "/home/ada/.deno/bin/deno",
  standalone: false,
  isOnPath: () => true,
};
const NPX = { command: "npx", args: ["-y", `deno@${TESTED_DENO}`] };

Deno.test("an installed deno is started by name, or by path for clients with another PATH", () => {
  assert.deepEqual(chooseDeno(false, false, installed), DENO);
  assert.deepEqual(chooseDeno(false, true, installed), { command: installed.execPath, args: [] });
});

Deno.test("npx starts Deno on request, or if no deno is on the PATH", () => {
  assert.deepEqual(denoByNpx("linux"), NPX);
  if (Deno.build.os !== "windows") {
    assert.deepEqual(chooseDeno(true, false, installed), NPX);
    assert.deepEqual(chooseDeno(false, true, { ...installed, isOnPath: () => false }), NPX);
    const execPaths = ["/home/ada/.npm/_npx/1f/node_modules/deno/deno", "C:\\x\\_npx\\deno.exe"];
    for (const execPath of execPaths) {
      assert.deepEqual(chooseDeno(false, false, { ...installed, execPath }), NPX);
    }
  }
});

Deno.test("npx, a script on Windows, is started through the shell there", () => {
  assert.deepEqual(denoByNpx("windows"), {
    command: "cmd",
    args: ["/c", "npx", "-y", `deno@${TESTED_DENO}`],
  });
});

Deno.test("a compiled binary is not used as a deno executable", () => {
  const binary = { ...installed, execPath: "/opt/refrakt-mcp", standalone: true };
  assert.deepEqual(chooseDeno(false, true, binary), DENO);
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
