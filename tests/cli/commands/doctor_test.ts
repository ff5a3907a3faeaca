import assert from "node:assert/strict";
import { commitAll, entity, makeProject, SMALL_PLAN } from "../../support/project.ts";
import { copyExample, READ_ONLY, refrakt } from "../../support/run.ts";

interface Finding {
  status: string;
  topic: string;
  message: string;
  hint?: string;
}

async function findings(cwd: string, grants?: readonly string[], ...args: string[]) {
  const { code, stdout, stderr } = await refrakt(
    cwd,
    ["doctor", "--json", ...args],
    grants === undefined ? {} : { grants },
  );
  // The first start on a machine downloads what no test did before.
  assert.equal(stderr.replace(/^Download .*\n/gm, ""), "");
  const report = JSON.parse(stdout) as {
    healthy: boolean;
    findings: Finding[];
    launch: { command: string; args: string[] };
    detection: { cwd: string };
  };
  assert.equal(code, report.healthy ? 0 : 1);
  const of = (topic: string) => report.findings.filter((finding) => finding.topic === topic);
  return { ...report, of };
}

Deno.test("doctor says what is detected, and which versions", async () => {
  const cwd = copyExample("site-and-plan");
  commitAll(cwd, "Start");
  const { healthy, of, detection } = await findings(cwd);
  assert.ok(healthy);
  assert.equal(detection.cwd, cwd);
  assert.equal(of("plan")[0]!.message, "plan/ with 7 entities");
  assert.equal(of("sites")[0]!.message, "main");
  assert.match(of("server")[0]!.message, /^\d+\.\d+\.\d+ on Deno \d/);
  const plugins = of("plugin").map(({ message }) => message);
  assert.ok(
    plugins.some((text) => /^@refrakt-md\/plan 0\.25\.1 \(package\.json\), \d+ c/.test(text)),
  );
  assert.match(of("git")[0]!.message, /^git version/);
  assert.ok(of("grant").every(({ status }) => status === "ok"));
});

Deno.test("doctor names each missing grant and what it is for", async () => {
  const cwd = copyExample("plan");
  const { of } = await findings(cwd, READ_ONLY, "--plugin", "ralph");
  const missing = of("grant").filter(({ status }) => status === "warning");
  assert.deepEqual(missing.map(({ message }) => /^\S+/.exec(message)![0]), [
    "--allow-write=plan",
    "--allow-write=specs",
    "--allow-write=.gitignore",
    "--allow-run=git",
  ]);
  for (const { message, hint } of missing) {
    assert.match(message, /is missing: no /);
    assert.ok(hint);
  }
  const all = await findings(
    cwd,
    [
      ...READ_ONLY,
      "--allow-write=plan,specs,.gitignore",
      "--allow-run=git",
    ],
    "--plugin",
    "ralph",
  );
  assert.ok(all.of("grant").every(({ status }) => status === "ok"));
});

Deno.test("doctor names the grant to read, without which it can see nothing", async () => {
  const cwd = copyExample("plan");
  const text = await refrakt(cwd, ["doctor"], { grants: ["--no-prompt"] });
  assert.deepEqual([text.code, text.stderr], [1, ""]);
  assert.match(text.stdout, /FAIL {2}project +No permission to read the directory: /);
  assert.match(text.stdout, /--allow-read=/);
  const json = await refrakt(cwd, ["doctor", "--json"], { grants: ["--no-prompt"] });
  const { healthy, findings } = JSON.parse(json.stdout);
  assert.equal(healthy, false);
  assert.match(findings[0].message, /on Deno \d/);
});

Deno.test("doctor goes on where the folder does not exist, and still refuses wrong flags with 2", async () => {
  const missing = await refrakt(copyExample("plan"), ["doctor", "--cwd", "nowhere"]);
  assert.equal(missing.code, 1);
  assert.match(missing.stdout, /FAIL {2}project +No such directory/);
  const wrong = await refrakt(copyExample("plan"), ["doctor", "--plugin", "nope"]);
  assert.equal(wrong.code, 2);
});

Deno.test("doctor says whether git is usable and the plan is sane", async () => {
  const cwd = makeProject({
    ...SMALL_PLAN,
    "plan/work/WORK-003-broken.md": entity("work", { id: "WORK-003", status: "odd" }, "Odd", ""),
  });
  const { of } = await findings(cwd);
  assert.match(of("git")[0]!.message, /not a repository/);
  const [, plan] = of("plan");
  assert.equal(plan!.status, "warning");
  assert.match(plan!.message, /^[1-9]\d* error/);
  assert.match(plan!.hint!, /call plan\.validate/);
});

Deno.test("doctor ends with 1 where the config is broken, and says where", async () => {
  const cwd = makeProject({ "refrakt.config.json": "{ not json" });
  const { healthy, of } = await findings(cwd);
  assert.equal(healthy, false);
  const [config] = of("config");
  assert.equal(config!.status, "problem");
  assert.match(config!.message, /refrakt\.config\.json is not valid JSON.*line 1/);
});

Deno.test("doctor is readable on a terminal, and says what a client has to run", async () => {
  const cwd = copyExample("plan");
  const { stdout } = await refrakt(cwd, ["doctor"]);
  assert.match(stdout, /^ {2}ok {4}project +\//);
  assert.match(
    stdout,
    /\n {2}deno run --no-config --no-prompt --allow-read=\. --allow-write=plan --allow-run=git jsr:@refrakt\/mcp\n/,
  );
  assert.match(stdout, /See config <client>/);
});
