import assert from "node:assert/strict";
import { join } from "node:path";
import { RefraktError } from "../../src/errors.ts";
import { packageVersion } from "../../src/packages/versions.ts";
import { openProject } from "../../src/host/open_project.ts";
import { makeProject, writeFiles } from "../support/project.ts";

const PLAN = "@refrakt-md/plan";

/** The chosen version of a package, and its source. */
function versionAt(cwd: string, name = PLAN): string {
  const { version, from } = packageVersion(openProject(cwd), name);
  return `${version} (${from})`;
}

function versionIn(files: Record<string, unknown>, name = PLAN): string {
  const texts = Object.entries(files).map(([path, value]) => [
    path,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return versionAt(makeProject(Object.fromEntries(texts)), name);
}

Deno.test("a missing package has the version of package-lock.json, else the manifest's range, else the default", () => {
  const manifest = { devDependencies: { [PLAN]: "^0.24.0" } };
  const lock = (entry: Record<string, unknown>) => ({
    packages: { [`node_modules/${PLAN}`]: entry },
  });
  const workspace = { "apps/site/package.json": { dependencies: { [PLAN]: "~0.23.1" } } };
  const installed = (name: string) => ({
    "package.json": manifest,
    [`node_modules/${PLAN}/package.json`]: { name, version: "0.24.3" },
    "package-lock.json": lock({ name, version: "0.24.2" }),
  });
  const locked = (entry: Record<string, unknown>) => ({
    "package.json": manifest,
    "package-lock.json": lock(entry),
  });
  const commented = `\uFEFF{ // Ours\n  "dependencies": { "${PLAN}": "^0.24.0", }, }`;
  const imports = { plan: `npm:${PLAN}@~0.24.1/cli-plugin` };
  const cases: [Record<string, unknown>, string][] = [
    [{}, "0.25.1 (default)"],
    [{ "package.json": manifest }, "^0.24.0 (package.json)"],
    [locked({ version: "0.24.2" }), "0.24.2 (package-lock.json)"],
    [locked({ link: true }), "^0.24.0 (package.json)"],
    [locked({ version: "0.24.2", name: "evil-pkg" }), "^0.24.0 (package.json)"],
    [locked({ version: "1.2.3/../x" }), "^0.24.0 (package.json)"],
    [
      { "package.json": { workspaces: ["apps/*"] }, ...workspace },
      "~0.23.1 (apps/site/package.json)",
    ],
    // Only a workspace has members.
    [{ "package.json": {}, ...workspace }, "0.25.1 (default)"],
    [{ "package.json": "{ broken" }, "0.25.1 (default: package.json is not valid)"],
    [{ "package.json": commented }, "^0.24.0 (package.json)"],
    [{ "deno.json": { imports } }, "~0.24.1 (deno.json)"],
    [installed(PLAN), "0.24.3 (node_modules)"],
    // An alias: npm has another package by this name.
    [installed("evil-pkg"), "^0.24.0 (package.json)"],
    [{ "package.json": { dependencies: { [PLAN]: "npm:^0.24.0" } } }, "^0.24.0 (package.json)"],
  ];
  for (const [files, expected] of cases) {
    assert.equal(versionIn(files), expected, JSON.stringify(files));
  }
  assert.equal(versionIn({}, "@markdoc/markdoc"), "0.4.0 (default)");
});

Deno.test("a member reads the versions of the folders above", () => {
  const root = makeProject({
    "package.json": JSON.stringify({ devDependencies: { [PLAN]: "^0.24.0" } }),
    "apps/site/package.json": "{}",
  });
  const member = join(root, "apps/site");
  assert.equal(versionAt(member), "^0.24.0 (../../package.json)");
  writeFiles(root, {
    [`node_modules/${PLAN}/package.json`]: `{"name":"${PLAN}","version":"0.24.3"}`,
  });
  assert.equal(versionAt(member), "0.24.3 (../../node_modules)");
});

Deno.test("a package that npm does not have at the project's version, or of others, needs --trust", () => {
  const reasonOf = (files: Record<string, unknown>, name: string) => {
    try {
      return versionIn(files, name);
    } catch (error) {
      assert.ok(error instanceof RefraktError);
      return `${error.code} ${error.message}. ${error.hint}`;
    }
  };
  const ranges = "workspace:* catalog: link:../x file:x.tgz a/b git+ssh://x".split(" ");
  const secret = "https://user:secret@x.example/x.tgz?token=secret";
  for (const range of [...ranges, ">=0.24 <1", secret]) {
    const said = reasonOf({ "package.json": { dependencies: { [PLAN]: range } } }, PLAN);
    assert.match(
      said,
      /^PLUGIN_LOAD_FAILED Deno finds no version of @refrakt-md\/plan for .* \(package\.json\)/,
    );
    assert.match(said, /npm install\. Or write a plain range there, such as/);
    assert.doesNotMatch(said, /secret/);
  }
  assert.match(
    reasonOf({}, "@acme/x"),
    /^PLUGIN_LOAD_FAILED .*not in the scope.*@acme\/x: not in package\.json\. Add it there if you know whose/,
  );
  assert.match(reasonOf({}, "plan"), /Did you mean "@refrakt-md\/plan"/);
  const installed = { "node_modules/@acme/x/package.json": { name: "@acme/x", version: "1.0.0" } };
  assert.match(
    reasonOf(installed, "@acme/x"),
    /^CODE_NOT_TRUSTED .*the scope @refrakt-md\. To run it, .* --trust$/,
  );
  const pnp = { ".pnp.cjs": "", "package.json": { dependencies: { "@acme/x": "1" } } };
  assert.match(reasonOf(pnp, "@acme/x"), /Yarn keeps packages in zips/);
  for (const name of ["../../etc", "has space", "npm:x", "@refrakt-md/../x", "__proto__/x"]) {
    assert.match(reasonOf({}, name), /Not the name of an npm package/);
  }
});
