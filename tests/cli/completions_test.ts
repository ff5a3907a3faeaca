/** The completion scripts, in the real shells. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { isOnPath } from "../../src/io/git.ts";
import { runProcess } from "../support/process.ts";
import { makeProject } from "../support/project.ts";
import { copyExample, refrakt } from "../support/run.ts";
import { ROOT } from "../support/server.ts";
import { testUnless } from "../support/skip.ts";

const without = (shell: string) => isOnPath(shell) ? undefined : `${shell} is not installed`;

/** Runs a script in a shell, in a plan, with the program as `refrakt-mcp` on the PATH. */
async function inShell(shell: string, script: string): Promise<string> {
  const cwd = copyExample("plan");
  const bin = makeProject({
    "refrakt-mcp": `#!/bin/sh\nexec '${Deno.execPath()}' run -A --no-check '${ROOT}mod.ts' "$@"\n`,
  });
  Deno.chmodSync(join(bin, "refrakt-mcp"), 0o755);
  const env = { PATH: `${bin}:${Deno.env.get("PATH")}`, TERM: "xterm" };
  const { stdout, stderr } = await runProcess(shell, ["-c", script], cwd, undefined, env);
  assert.equal(stderr, "");
  return stdout;
}

testUnless(without("bash"), "bash completes commands, their values, flags and tools", async () => {
  const complete = (...words: string[]) =>
    `COMP_WORDS=(refrakt-mcp ${words.map((word) => `'${word}'`).join(" ")}); ` +
    `COMP_CWORD=${words.length}; _refrakt_mcp; echo "\${COMPREPLY[*]}"`;
  const script = [
    "source <(refrakt-mcp completions bash)",
    complete("vi"),
    complete("view", ""),
    complete("--cwd", ".", "config", "claude-c"),
    complete("check", "--f"),
    complete("list", "--f"),
    complete("--ht"),
    complete("call", "plan.n"),
  ].join("\n");
  assert.deepEqual(
    (await inShell("bash", script)).trim().split("\n"),
    ["view", "board preview", "claude-code", "--format --fix", "", "--http", "plan.next"],
  );
});

testUnless(without("zsh"), "zsh completes with the script of bash", async () => {
  const type = (line: string, ms: number) =>
    `zpty -w -n z $'\\x15refrakt-mcp ${line}\\t'; sleep ${ms / 1000}`;
  const script = [
    "zmodload zsh/zpty",
    `zpty z "PS1='> ' zsh -f -i"`,
    'zpty -w z "autoload -Uz compinit; compinit -u -D; ' +
    `source <(refrakt-mcp completions zsh); echo REA''DY"`,
    "zpty -r z line '*READY*'",
    type("vi", 500),
    type("view bo", 500),
    type("check --fo", 500),
    // The names of the tools come from the program.
    type("call plan.ne", 3000),
    'while zpty -r -t z line; do print -r -- "$line"; done; zpty -d z',
  ].join("\n");
  const shown = await inShell("zsh", script);
  for (const word of ["view", "board", "check --format", "plan.next"]) {
    assert.ok(shown.includes(word), `${word}: ${shown}`);
  }
});

testUnless(without("fish"), "fish completes commands, their values, flags and tools", async () => {
  const complete = (line: string) => `echo (complete -C '${line}' | string split -f1 \\t)`;
  const script = [
    "refrakt-mcp completions fish | source",
    complete("refrakt-mcp vi"),
    complete("refrakt-mcp view "),
    complete("refrakt-mcp check --form"),
    complete("refrakt-mcp list --form"),
    complete("refrakt-mcp call plan.n"),
  ].join("\n");
  assert.deepEqual(
    (await inShell("fish", script)).trimEnd().split("\n"),
    ["view", "board preview", "--format", "", "plan.next"],
  );
});

testUnless(without("pwsh"), "PowerShell completes commands, their values and flags", async () => {
  const complete = (line: string) =>
    `(TabExpansion2 '${line}' ${line.length}).CompletionMatches.CompletionText -join " "`;
  const script = [
    "refrakt-mcp completions powershell | Out-String | Invoke-Expression",
    complete("refrakt-mcp vi"),
    complete("refrakt-mcp view "),
    complete("refrakt-mcp check --form"),
    complete("refrakt-mcp call plan.n"),
  ].join("\n");
  assert.deepEqual(
    (await inShell("pwsh", script)).trim().split(/\r?\n/),
    ["view", "board preview", "--format", "plan.next"],
  );
});

Deno.test("an unknown shell is rejected with a list of the supported ones", async () => {
  const nowhere = makeProject();
  for (const args of [["completions"], ["completions", "bsh"], ["completions", "bash", "x"]]) {
    const { code, stderr } = await refrakt(nowhere, args);
    assert.equal(code, 2);
    assert.match(stderr, /completions needs the name of one shell\n.*bash, zsh, fish, powershell/);
  }
});
