import assert from "node:assert/strict";
import { EMBEDDED } from "../../.ci/compile.ts";
import { DEFAULT_VERSION, PLAN_PACKAGE } from "../../src/packages/names.ts";
import { makeProject, readTree, SMALL_PLAN } from "../support/project.ts";
import { ralph, RALPH_GRANTS } from "../support/ralph_program.ts";
import { AS_BINARY, refrakt } from "../support/run.ts";
import { ROOT } from "../support/server.ts";

Deno.test("a binary contains every package export that the program imports", () => {
  const used = new Set<string>();
  for (const folder of ["src", "plugins"]) {
    for (const source of Object.values(readTree(`${ROOT}${folder}`))) {
      const calls = source.matchAll(/importVersion(?:<[^(]+>)?\([^)]*?, "([\w-]+)"\)/g);
      for (const [, path] of calls) used.add(path!);
    }
  }
  assert.ok(used.has("cli-plugin") && used.has("scanner"));
  for (const path of used) assert.ok(EMBEDDED.some((each) => each.endsWith(`/${path}`)), path);
  for (const specifier of EMBEDDED) assert.match(specifier, /@\d+\.\d+\.\d+(\/|$)/);
});

Deno.test("a binary uses its embedded versions, and has no others", async () => {
  const cwd = makeProject({
    ...SMALL_PLAN,
    "package.json": JSON.stringify({ devDependencies: { [PLAN_PACKAGE]: "0.28.0" } }),
    "node_modules/@refrakt-md/plan/package.json":
      `{ "name": "${PLAN_PACKAGE}", "version": "0.28.0" }`,
    "refrakt.config.json": JSON.stringify({ plugins: [PLAN_PACKAGE, "@acme/commands"] }),
  });
  const report = JSON.parse(
    (await refrakt(cwd, ["call", "refrakt_detect"], {
      grants: AS_BINARY,
    })).stdout,
  );
  const [plan] = report.plugins;
  assert.equal(plan.packageVersion, DEFAULT_VERSION);
  assert.equal(plan.versionFrom, "embedded");
  assert.equal(plan.origin, "embedded");
  const codes = report.warnings.map((warning: { code: string }) => warning.code);
  assert.deepEqual(codes.sort(), ["PLUGIN_LOAD_FAILED"]);
  assert.match(JSON.stringify(report.warnings), /@acme\/commands is not in this binary/);

  const doctor = (await refrakt(cwd, ["doctor"], { grants: AS_BINARY.slice(0, 3) })).stdout;
  assert.match(
    doctor.replaceAll(/\s+/g, " "),
    /This binary has refrakt's packages 0\.25\.1 inside .*: for @refrakt-md\/plan 0\.28\.0, which/,
  );
  const trusting = await refrakt(cwd, ["--trust", "doctor"], { grants: AS_BINARY });
  assert.equal(trusting.code, 2);
  assert.match(trusting.stderr, /deno run .* jsr:@refrakt\/mcp --trust/);
  assert.match(doctor, /--allow-write=plan is missing: a binary's permissions are fixed/);
  const found = await refrakt(cwd, ["query", "select count(*) n from entities"], {
    grants: AS_BINARY,
  });
  assert.deepEqual(JSON.parse(found.stdout), [{ n: 6 }], found.stderr);
});

Deno.test("the binary of Ralph needs no package", async () => {
  const grants = [...AS_BINARY.slice(0, 1), ...RALPH_GRANTS];
  const { code, stdout, stderr } = await ralph(makeProject(), [
    "call",
    "ralph_start",
    `{"goal":"Try it"}`,
  ], grants);
  assert.equal(code, 0, stderr);
  assert.equal(JSON.parse(stdout).phase, "research");
});
