import assert from "node:assert/strict";
import { chooseDeno, type DenoFacts } from "../../src/cli/deno_command.ts";
import { denoByNpx } from "../../src/host/shell.ts";
import { DENO } from "../../src/host/serve_command.ts";
import { TESTED_DENO } from "../../src/runtime.ts";

const installed: DenoFacts = {
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
