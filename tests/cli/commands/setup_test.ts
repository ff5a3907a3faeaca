import assert from "node:assert/strict";
import { join } from "node:path";
import { CLIENTS } from "../../../src/cli/client_configs.ts";
import { exists, readTree, writeFiles } from "../../support/project.ts";
import { copyExample, refrakt } from "../../support/run.ts";

const READ = ["--no-prompt", "--allow-read=."];
const IN_PROJECT = CLIENTS.filter(({ projectFile }) => projectFile !== undefined);

/** Runs the command of an error's hint, with the checkout in place of the published package. */
async function runNamed(cwd: string, args: string[]) {
  const refused = await refrakt(cwd, args, { grants: READ });
  assert.equal(refused.code, 1, refused.stderr);
  const line = refused.stderr.trim().split("\n").at(-1)!;
  const write = / (--allow-write=\S+) jsr:@refrakt\/mcp /.exec(line)?.[1];
  assert.ok(write !== undefined, refused.stderr);
  return await refrakt(cwd, [...args, "--yes"], { grants: [...READ, write] });
}

for (const { name, projectFile } of IN_PROJECT) {
  Deno.test(`setup ${name} needs the permissions that it lists, and --remove undoes it`, async () => {
    const cwd = copyExample("site-and-plan");
    const before = readTree(cwd);
    const done = await runNamed(cwd, ["setup", name]);
    assert.equal(done.code, 0, done.stderr);
    const after = readTree(cwd);
    assert.ok(after[projectFile!]!.includes("jsr:@refrakt/mcp"));
    assert.match(after["AGENTS.md"]!, /plan\.next/);
    const skills = Object.keys(after).filter((path) => path.endsWith("/SKILL.md"));
    assert.equal(skills.length, 3);
    const again = await refrakt(cwd, ["setup", name], { grants: READ });
    assert.equal(again.code, 0);
    assert.match(again.stdout, /nothing to change/);
    const removed = await runNamed(cwd, ["setup", name, "--remove"]);
    assert.equal(removed.code, 0, removed.stderr);
    assert.deepEqual(readTree(cwd), before);
  });
}

/** Whether a text was changed only by additions. */
function isAddition(before: string, after: string): boolean {
  let at = 0;
  for (const char of after) if (char === before[at]) at++;
  return at === before.length;
}

Deno.test("setup keeps the rest of each file, byte for byte", async (t) => {
  const files: Record<string, Record<string, string>> = {
    vscode: {
      ".vscode/mcp.json":
        '{\r\n\t// servers\r\n\t"servers": {\r\n\t\t"b": { "command": "x" }, // last\r\n\t},\r\n\t"inputs": []\r\n}\r\n',
      "AGENTS.md": "# Rules\r\n\r\nBe kind.\r\n",
    },
    "gemini-cli": { ".gemini/settings.json": '{ "theme": "dark" }' },
    codex: {
      ".codex/config.toml":
        'model = "x"\n\n[mcp_servers.other]\nargs = [\n  "[a]",\n]\n\n[tui]\nx = 1\n',
    },
    zed: { ".zed/settings.json": '// Zed\n{\n    "tab_size": 2,\n}\n' },
    "claude-code": { ".mcp.json": '{"mcpServers":{"a":{},"b":{}}}', "AGENTS.md": "no newline" },
  };
  for (const [client, theirs] of Object.entries(files)) {
    await t.step(client, async () => {
      const cwd = copyExample("plan");
      writeFiles(cwd, theirs);
      assert.equal((await runNamed(cwd, ["setup", client])).code, 0);
      const after = readTree(cwd);
      for (const [path, text] of Object.entries(theirs)) {
        assert.notEqual(after[path], text, path);
        assert.ok(isAddition(text, after[path]!), after[path]);
      }
      assert.equal((await runNamed(cwd, ["setup", client, "--remove"])).code, 0);
      for (const [path, text] of Object.entries(theirs)) {
        assert.equal(readTree(cwd)[path], text, path);
      }
    });
  }
});

Deno.test("setup writes nothing without confirmation, and never overwrites a file that it cannot parse", async (t) => {
  const grants = ["--no-prompt", "--allow-read=.", "--allow-write=."];
  await t.step("in a pipe without --yes", async () => {
    const cwd = copyExample("plan");
    const { code, stdout, stderr } = await refrakt(cwd, ["setup", "claude-code"], { grants });
    assert.equal(code, 1);
    assert.match(stdout, /create \.mcp\.json/);
    assert.match(stderr, /Nothing was written/);
    assert.equal(exists(join(cwd, ".mcp.json")), false);
  });
  await t.step("broken JSON", async () => {
    const cwd = copyExample("plan");
    writeFiles(cwd, { ".mcp.json": '{\n "mcpServers": {\n' });
    const { code, stderr } = await refrakt(cwd, ["setup", "claude-code", "--yes"], { grants });
    assert.equal(code, 1);
    assert.match(stderr, /\.mcp\.json is not a JSON object \(line \d\)/);
    assert.equal(exists(join(cwd, "AGENTS.md")), false);
  });
  await t.step("a link out of the project", async () => {
    const cwd = copyExample("plan");
    const outside = join(copyExample("plan"), "AGENTS.md");
    Deno.writeTextFileSync(outside, "mine\n");
    Deno.symlinkSync(outside, join(cwd, "AGENTS.md"));
    const { code } = await refrakt(cwd, ["setup", "claude-code", "--yes"], { grants });
    assert.equal(code, 1);
    assert.equal(Deno.readTextFileSync(outside), "mine\n");
  });
  await t.step("a skill by another author", async () => {
    const cwd = copyExample("plan");
    const path = ".claude/skills/refrakt-work-plan/SKILL.md";
    writeFiles(cwd, { [path]: "mine\n" });
    assert.equal((await refrakt(cwd, ["setup", "--yes"], { grants })).code, 0);
    assert.equal(readTree(cwd)[path], "mine\n");
    assert.equal((await refrakt(cwd, ["setup", "--remove", "--yes"], { grants })).code, 0);
    assert.equal(readTree(cwd)[path], "mine\n");
  });
});
