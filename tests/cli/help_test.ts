import assert from "node:assert/strict";
import { makeProject } from "../support/project.ts";
import { example, refrakt } from "../support/run.ts";

const [nowhere, cwd] = [makeProject(), example("plan")];

Deno.test("help lists every command and flag, without any permission", async () => {
  const { code, stdout, stderr } = await refrakt(nowhere, ["help"], { grants: ["--no-prompt"] });
  assert.deepEqual([code, stderr], [0, ""]);
  for (const name of ["call", "read", "list", "check", "doctor", "config", "warm", "view"]) {
    assert.match(stdout, new RegExp(`^  ${name}\\b`, "m"));
    const { stdout: topic } = await refrakt(cwd, ["help", name]);
    assert.match(topic, new RegExp(`^  ${name}\\b[^]*Flags:\\n`));
  }
  assert.ok(!stdout.includes("--format"), "the flags of a command are in its own help");
  assert.match(stdout, /Exit codes: 0: .* 1: .* 2: /);
});

Deno.test("help of a command shows its flags", async () => {
  const { stdout } = await refrakt(cwd, ["config", "--help"]);
  assert.match(stdout, /^ {2}config <client> +Print the snippet for claude-code, [^]*--npx/);
  assert.ok(!stdout.includes("--http"));
});

Deno.test("help of a tool, and --help of its call, describe its arguments", async () => {
  for (const args of [["help", "plan_merge"], ["call", "plan_merge", "--help"]]) {
    const { code, stdout } = await refrakt(cwd, args);
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^plan_merge: [^]*Not listed here: [^]*can be called[^]* id /,
    );
  }
});
