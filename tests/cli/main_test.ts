import assert from "node:assert/strict";
import { basename, dirname, join } from "node:path";
import { makeProject, SMALL_PLAN } from "../support/project.ts";
import { refrakt } from "../support/run.ts";
import { programOf, README_PERMISSIONS, withServer } from "../support/server.ts";

const cwd = makeProject(SMALL_PLAN);

Deno.test("--help and --version print to stdout and exit with 0", async () => {
  const { code, stdout, stderr } = await refrakt(cwd, ["-h"]);
  assert.deepEqual([code, stderr], [0, ""]);
  for (const word of ["--cwd", "--version", "--tool-names", "Usage"]) {
    assert.ok(stdout.includes(word));
  }
  for (const flag of ["--version", "-v"]) {
    const { code, stdout, stderr } = await refrakt(cwd, [flag]);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
  }
});

Deno.test("a command whose reader goes away exits with 0", async () => {
  for (const args of [["doctor"], ["list", "tools"], ["--version"]]) {
    const command = new Deno.Command(Deno.execPath(), {
      args: ["run", ...README_PERMISSIONS, programOf(), ...args],
      cwd,
      stdout: "piped",
      stderr: "piped",
    });
    const child = command.spawn();
    await child.stdout.cancel();
    const said = await new Response(child.stderr).text();
    assert.deepEqual([(await child.status).code, said.includes("refused")], [0, false], said);
  }
});

Deno.test("an unknown flag exits with 2 and suggests the nearest", async () => {
  const cases = [
    [["--cwdd", "x"], /Unknown flag: --cwdd[^]*--cwd/],
    [["--hlep"], /--help/],
    [["-x"], /Unknown flag: -x/],
    [["--cwd"], /--cwd needs a value/],
    [["--help=yes"], /takes no value/],
    [["--tool-names=camel"], /dotted/],
    [["--log-level=loud"], /debug/],
    [["--max-output=few"], /from 1000/],
    [["--plugin=nope"], /ralph/],
    [["--trust=local"], /--trust takes no value/],
    [["--timeout=0"], /Invalid value for --timeout/],
    // Flags of other commands, and values invalid for every command, are rejected.
    [["list", "--npx"], /--npx has no effect on list\nIt applies to config/],
    [["--json"], /--json has no effect on serving/],
    [["list", "--log-level=loud"], /debug/],
    [["config", "cursor", "--max-output=1e99"], /from 1000/],
  ] as const;
  for (const [args, pattern] of cases) {
    const { code, stdout, stderr } = await refrakt(cwd, args);
    assert.deepEqual([code, stdout], [2, ""], args.join(" "));
    assert.match(stderr, pattern);
  }
});

Deno.test("--cwd accepts a relative or absolute directory, in both spellings", async () => {
  const parent = dirname(cwd);
  const grants = ["--no-prompt", "--allow-read=.", `--allow-write=${cwd}/plan`, "--allow-run=git"];
  await withServer(parent, async ({ ok }) => {
    const found = await ok("refrakt_detect");
    assert.deepEqual([found.cwd, found.plan.dir], [cwd, "plan"]);
    assert.equal((await ok("plan_next")).items[0].id, "WORK-001");
    await ok("plan_update", { id: "WORK-002", status: "draft" });
  }, { args: ["--cwd", join(basename(cwd), "plan", "..")], grants });
  const { stdout } = await refrakt(parent, ["call", "refrakt_detect", `--cwd=${cwd}`], { grants });
  assert.equal(JSON.parse(stdout).cwd, cwd);
});

Deno.test("a directory that is missing, a file or unreadable is a clear error, with exit code 1", async () => {
  const cases = [
    ["missing", /No such directory: .*missing/],
    ["plan/work/WORK-001-first.md", /Not a directory/],
    ["/etc", /No permission to read the directory: "\/etc"[^]*--allow-read=\/etc/],
    ["..", /No permission to read/],
  ] as const;
  for (const [value, pattern] of cases) {
    const { code, stdout, stderr } = await refrakt(cwd, [`--cwd=${value}`]);
    assert.deepEqual([code, stdout], [1, ""], value);
    assert.match(stderr, pattern);
    assert.doesNotMatch(stderr, /\bat file:/, "no stack trace");
  }
});
