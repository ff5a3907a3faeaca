import assert from "node:assert/strict";
import { join } from "node:path";
import { pluginFiles } from "../../.ci/agent_plugin.ts";
import { readTree, writeFiles } from "../support/project.ts";
import { type Run, runProcess } from "../support/process.ts";
import { copyExample, refrakt } from "../support/run.ts";
import { programOf, ROOT } from "../support/server.ts";
import { NOT_UNIX, testUnless } from "../support/skip.ts";
import { temporaryFolder } from "../support/temporary.ts";

const WORKFLOW = Deno.readTextFileSync(join(ROOT, "examples/ci/validate.yml"));

const COMMANDS = [...WORKFLOW.matchAll(/^ +run: (deno run .+)$/gm)].map((match) => match[1]!);

/** Runs a step of the workflow, with the tested program in place of the published package. */
async function runStep(command: string, cwd: string, temporary: string): Promise<Run> {
  const program = programOf();
  // The checkout's imports are in its configuration.
  const config = program.startsWith(ROOT) ? `--config="${ROOT}deno.json"` : "--no-config";
  const local = command
    .replace(/^deno /, () => `"${Deno.execPath()}" `)
    .replace("--no-config", () => config)
    .replace("jsr:@refrakt/mcp@0.2", () => `"${program}"`);
  return await runProcess("sh", ["-c", local], cwd, undefined, { RUNNER_TEMP: temporary });
}

Deno.test("the example workflow has read permission only, and runs the four checks", () => {
  assert.deepEqual(
    COMMANDS.map((command) => / (?:call (\S+)|check)/.exec(command)?.[1]),
    ["plan_validate", undefined, "refrakt_contracts_check", "refrakt_package_validate"],
  );
  for (const command of COMMANDS) {
    const grants = [...command.matchAll(/--allow-\S+|-A\b/g)].map((match) => match[0]);
    assert.deepEqual(grants, ["--allow-read=."]);
    assert.match(command, /^deno run --no-config --no-prompt .* jsr:@refrakt\/mcp@0\.2 /);
  }
});

testUnless(
  NOT_UNIX,
  "the example workflow fails only in the steps with findings, and writes nothing into the checkout",
  async () => {
    const cwd = copyExample("site-and-plan");
    const { stdout } = await refrakt(cwd, ["call", "refrakt_contracts"]);
    writeFiles(cwd, {
      "contracts.json": `${JSON.stringify(JSON.parse(stdout), null, "\t")}\n`,
      "content/odd.md": "# Odd\n\n{% hint nonsense=1 %}\nx\n{% /hint %}\n",
      // A corrupted installed copy: its manifest has no name.
      "node_modules/@refrakt-md/docs/package.json": '{"version":"0.25.1","type":"module"}',
    });
    const temporary = temporaryFolder();
    const before = readTree(cwd);
    for (const command of COMMANDS) {
      const { code, stdout, stderr } = await runStep(command, cwd, temporary);
      const isFaulty = / check |package_validate/.test(command);
      assert.equal(code, isFaulty ? 1 : 0, `${command}\n${stderr}`);
      if (!command.includes("> ")) assert.equal(typeof JSON.parse(stdout), "object");
    }
    assert.deepEqual(readTree(cwd), before);
    const sarif = Deno.readTextFileSync(join(temporary, "refrakt.sarif"));
    assert.equal(JSON.parse(sarif).version, "2.1.0");
  },
);

Deno.test("the agent plugin contains the server and every skill, for each client", () => {
  const files = pluginFiles();
  for (const client of ["claude", "codex", "cursor"]) {
    const { name } = JSON.parse(files[`refrakt/.${client}-plugin/plugin.json`]!);
    assert.equal(name, "refrakt");
  }
  const { mcpServers } = JSON.parse(files["refrakt/.mcp.json"]!);
  assert.deepEqual(
    mcpServers.refrakt.args.slice(1, -1),
    "--no-config --no-prompt --allow-read=. --allow-write=plan --allow-run=git".split(" "),
  );
  const skills = Object.keys(files).filter((path) => path.endsWith("/SKILL.md"));
  assert.equal(skills.length, 4);
});
