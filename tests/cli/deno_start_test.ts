import assert from "node:assert/strict";
import { chooseDeno, DENO, denoByNpx, type DenoFacts } from "../../src/cli/grants.ts";
import { TESTED_DENO } from "../../src/runtime.ts";

const installed: DenoFacts = {
  execPath: "/home/ada/.deno/bin/deno",
  standalone: false,
  isOnPath: () => true,
};
const NPX = { command: "npx", args: ["-y", `deno@${TESTED_DENO}`] };

Deno.test("an installed deno is started by its name, or by its path where the PATH is another", () => {
  assert.deepEqual(chooseDeno(false, false, installed), DENO);
  assert.deepEqual(chooseDeno(false, true, installed), { command: installed.execPath, args: [] });
});

Deno.test("npx starts Deno where it is asked for, and where no deno is on the PATH", () => {
  assert.deepEqual(denoByNpx("linux"), NPX);
  if (Deno.build.os !== "windows") {
    assert.deepEqual(chooseDeno(true, false, installed), NPX);
    assert.deepEqual(chooseDeno(false, true, { ...installed, isOnPath: () => false }), NPX);
    for (
      const execPath of ["/home/ada/.npm/_npx/1f/node_modules/deno/deno", "C:\\x\\_npx\\deno.exe"]
    ) {
      assert.deepEqual(chooseDeno(false, false, { ...installed, execPath }), NPX);
    }
  }
});

Deno.test("npx is started through the shell on Windows, where it is a script", () => {
  assert.deepEqual(denoByNpx("windows"), {
    command: "cmd",
    args: ["/c", "npx", "-y", `deno@${TESTED_DENO}`],
  });
});

Deno.test("a binary is no deno that others can start", () => {
  const binary = { ...installed, execPath: "/opt/refrakt-mcp", standalone: true };
  assert.deepEqual(chooseDeno(false, true, binary), DENO);
});
