import assert from "node:assert/strict";
import { RefraktError } from "../../src/errors.ts";
import { carriedVersions, EMBEDDED_PACKAGES, embeddedSpecifiers } from "../../src/npm/embedded.ts";
import { specifierOf } from "../../src/npm/load.ts";
import { DEFAULT_VERSION, PLAN_PACKAGE } from "../../src/npm/names.ts";
import { carriedWarnings, packageVersion } from "../../src/npm/versions.ts";
import { openProject } from "../../src/project/project.ts";
import { makeProject, readTree, SMALL_PLAN } from "../support/project.ts";
import { AS_BINARY, copyExample, refrakt } from "../support/run.ts";
import { ROOT } from "../support/server.ts";

const CARRIED = carriedVersions(true)!;

function projectWith(range: string) {
  const manifest = JSON.stringify({ devDependencies: { [PLAN_PACKAGE]: range } });
  return openProject(makeProject({ ...SMALL_PLAN, "package.json": manifest }));
}

Deno.test("only a binary carries packages", () => {
  assert.equal(carriedVersions(false), undefined);
  assert.deepEqual(Object.keys(CARRIED), EMBEDDED_PACKAGES.map(({ name }) => name));
  assert.equal(CARRIED[PLAN_PACKAGE], DEFAULT_VERSION);
});

Deno.test("the specifiers to embed name exact versions and exports", () => {
  const specifiers = embeddedSpecifiers();
  for (const path of ["", "/cli-plugin", "/scanner", "/diff"]) {
    assert.ok(specifiers.includes(`npm:${PLAN_PACKAGE}@${DEFAULT_VERSION}${path}`), path);
  }
  assert.ok(specifiers.includes(`npm:@refrakt-md/lumina@${DEFAULT_VERSION}/transform`));
  for (const specifier of specifiers) assert.match(specifier, /@\d+\.\d+\.\d+(\/|$)/);
});

Deno.test("every export of a package that the program names is in the list", () => {
  const known = new Set(EMBEDDED_PACKAGES.flatMap(({ exports }) => exports));
  const used = new Set<string>();
  for (const folder of ["src", "plugins"]) {
    for (const source of Object.values(readTree(`${ROOT}${folder}`))) {
      const calls = source.matchAll(/importVersion(?:<[^(]+>)?\([^)]*?, "([\w-]+)"\)/g);
      for (const [, path] of calls) used.add(path!);
    }
  }
  assert.ok(used.has("cli-plugin") && used.has("scanner"));
  for (const path of used) assert.ok(known.has(path), path);
});

Deno.test("a binary takes the version that it carries for the one of the project", () => {
  const project = projectWith("0.28.0");
  const { version, from } = packageVersion(project, PLAN_PACKAGE, undefined);
  assert.deepEqual([version, from], ["0.28.0", "package.json"]);
  const found = packageVersion(project, PLAN_PACKAGE, CARRIED);
  assert.deepEqual(found, { name: PLAN_PACKAGE, version: DEFAULT_VERSION, from: "embedded" });
  assert.equal(
    specifierOf(found, "cli-plugin", CARRIED),
    `npm:${PLAN_PACKAGE}@${DEFAULT_VERSION}/cli-plugin`,
  );
});

Deno.test("a binary warns where the project has another version, and only there", async () => {
  for (const range of ["0.28.0", "^0.26.0", "~0.24.1", ">=0.20.0 <0.25.0"]) {
    const [warning, ...more] = await carriedWarnings(projectWith(range), CARRIED);
    assert.equal(more.length, 0);
    assert.equal(warning?.code, "EMBEDDED_VERSION");
    assert.ok(warning.message.includes(`${PLAN_PACKAGE} ${DEFAULT_VERSION}`));
    assert.ok(warning.message.includes(`${range} (package.json)`));
    assert.match(warning.hint!, /jsr:@refrakt\/mcp/);
  }
  for (const range of ["0.25.1", "^0.25.0", "~0.25.1", "*", "latest"]) {
    assert.deepEqual(await carriedWarnings(projectWith(range), CARRIED), [], range);
  }
  assert.deepEqual(await carriedWarnings(openProject(makeProject(SMALL_PLAN)), CARRIED), []);
  assert.deepEqual(await carriedWarnings(projectWith("0.28.0"), undefined), []);
});

Deno.test("a binary says which packages it does not carry, and how to get them", () => {
  const found = { name: "@acme/runes", version: "1.0.0", from: "package.json" };
  assert.equal(specifierOf(found, undefined, undefined), "npm:@acme/runes@1.0.0");
  assert.throws(
    () => specifierOf(found, "cli-plugin", CARRIED),
    (error: unknown) =>
      error instanceof RefraktError && error.code === "PLUGIN_LOAD_FAILED" &&
      /does not carry @acme\/runes/.test(error.message) && /from JSR/.test(error.hint ?? ""),
  );
});

Deno.test("the program, as a binary, names its packages wherever it names versions", async (t) => {
  const cwd = copyExample("plan");
  const run = (...args: string[]) => refrakt(cwd, args, { grants: AS_BINARY });

  await t.step("in refrakt.version and refrakt.detect", async () => {
    const version = JSON.parse((await run("call", "refrakt.version")).stdout);
    assert.deepEqual(version.carried, CARRIED);
    const detected = JSON.parse((await run("call", "refrakt.detect")).stdout);
    assert.deepEqual(detected.versions.carried, CARRIED);
    assert.deepEqual(detected.warnings, []);
  });

  await t.step("and a process that is none says nothing of it", async () => {
    assert.ok(!("carried" in JSON.parse((await refrakt(cwd, ["call", "refrakt.version"])).stdout)));
  });
});

Deno.test("the program, as a binary, works with its own version where the project has another", async () => {
  const cwd = makeProject({
    ...SMALL_PLAN,
    "package.json": JSON.stringify({ devDependencies: { [PLAN_PACKAGE]: "0.28.0" } }),
    "refrakt.config.json": JSON.stringify({ plugins: [PLAN_PACKAGE, "@acme/commands"] }),
  });
  const report = JSON.parse(
    (await refrakt(cwd, ["--trust", "@acme/commands", "call", "refrakt.detect"], {
      grants: AS_BINARY,
    })).stdout,
  );
  const [plan] = report.plugins;
  assert.equal(plan.packageVersion, DEFAULT_VERSION);
  assert.equal(plan.versionFrom, "embedded");
  const codes = report.warnings.map((warning: { code: string }) => warning.code);
  assert.deepEqual(codes.sort(), ["EMBEDDED_VERSION", "PLUGIN_LOAD_FAILED"]);

  const next = await refrakt(cwd, ["call", "plan.next"], { grants: AS_BINARY });
  assert.equal(next.code, 0, next.stderr);
  assert.equal(JSON.parse(next.stdout).items[0].id, "WORK-001");
});

Deno.test("a refusal of a binary sends to JSR, because its grants are fixed", async () => {
  const cwd = makeProject(SMALL_PLAN);
  const { code, stderr } = await refrakt(cwd, [
    "call",
    "ralph_start",
    JSON.stringify({ name: "demo", goal: "Try it" }),
  ], { grants: AS_BINARY });
  assert.equal(code, 1);
  assert.match(stderr, /^[A-Z_]+: .*specs/m);
  assert.match(stderr, /jsr:@refrakt\/mcp with --allow-write=specs/);
});
