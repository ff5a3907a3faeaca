import assert from "node:assert/strict";
import { packageVersion } from "../../src/packages/versions.ts";
import { openProject } from "../../src/project/project.ts";
import { type Files, makeProject, SMALL_PLAN } from "../support/project.ts";
import { withServer } from "../support/server.ts";

const PLAN = "@refrakt-md/plan";
const json = (value: unknown) => JSON.stringify(value);

function versionIn(files: Files, name = PLAN): [string, string] {
  const found = packageVersion(openProject(makeProject(files)), name);
  return [found.version, found.from];
}

const asks = (range: string) => json({ devDependencies: { [PLAN]: range } });

Deno.test("packageVersion() takes what is installed, else locked, else asked for, else our default", () => {
  const installed = {
    [`node_modules/${PLAN}/package.json`]: json({ name: PLAN, version: "0.24.1" }),
  };
  const locked = {
    "package-lock.json": json({ packages: { [`node_modules/${PLAN}`]: { version: "0.24.2" } } }),
  };
  const asked = { "package.json": asks("^0.24.3") };
  assert.deepEqual(versionIn({ ...installed, ...locked, ...asked }), ["0.24.1", "node_modules"]);
  assert.deepEqual(versionIn({ ...locked, ...asked }), ["0.24.2", "package-lock.json"]);
  assert.deepEqual(versionIn(asked), ["^0.24.3", "package.json"]);
  assert.equal(versionIn({})[1], "default");
});

Deno.test("packageVersion() reads every lock file", () => {
  for (
    const [file, text] of [
      [
        "package-lock.json",
        json({ lockfileVersion: 1, dependencies: { [PLAN]: { version: "0.24.2" } } }),
      ],
      [
        "npm-shrinkwrap.json",
        json({ packages: { [`node_modules/${PLAN}`]: { version: "0.24.2" } } }),
      ],
      [
        "pnpm-lock.yaml",
        `lockfileVersion: '9.0'\n\npackages:\n\n  '${PLAN}@0.24.2':\n    resolution: {integrity: x}\n`,
      ],
      [
        "pnpm-lock.yaml",
        `lockfileVersion: '9.0'\n\nsnapshots:\n\n  '${PLAN}@0.24.2(esbuild@0.27.7)':\n    dependencies: {}\n`,
      ],
      [
        "pnpm-lock.yaml",
        `lockfileVersion: 5.4\n\npackages:\n\n  /${PLAN}/0.24.2:\n    dev: true\n`,
      ],
      [
        "pnpm-lock.yaml",
        `lockfileVersion: '6.0'\n\npackages:\n\n  /${PLAN}@0.24.2:\n    dev: true\n`,
      ],
      [
        "yarn.lock",
        `# yarn lockfile v1\n\n"${PLAN}@^0.24.0":\n  version "0.24.2"\n  resolved "x"\n`,
      ],
      [
        "yarn.lock",
        `# yarn lockfile v1\n\n"${PLAN}@^0.23.0", "${PLAN}@^0.24.0":\n  version "0.24.2"\n`,
      ],
      [
        "yarn.lock",
        `__metadata:\n  version: 8\n\n"${PLAN}@npm:^0.24.0":\n  version: 0.24.2\n  resolution: "x"\n`,
      ],
      [
        "deno.lock",
        json({ version: "5", npm: { [`${PLAN}@0.24.2_esbuild@0.27.7`]: { integrity: "x" } } }),
      ],
      ["deno.lock", json({ version: "3", packages: { npm: { [`${PLAN}@0.24.2`]: {} } } })],
    ] as const
  ) assert.deepEqual(versionIn({ [file]: text }), ["0.24.2", file], text);
  // A package whose name only begins alike is another one.
  assert.equal(
    versionIn({ "yarn.lock": `"${PLAN}ner@^1.0.0":\n  version "9.9.9"\n` })[1],
    "default",
  );
  assert.equal(
    versionIn({ "pnpm-lock.yaml": `packages:\n\n  '${PLAN}-x@9.9.9':\n    a: b\n` })[1],
    "default",
  );
  for (const file of ["package-lock.json", "yarn.lock", "pnpm-lock.yaml", "deno.lock"]) {
    assert.equal(versionIn({ [file]: "{ broken" })[1], "default");
  }
});

Deno.test("packageVersion() reads workspaces and import maps", () => {
  const member = { "packages/a/package.json": asks("~0.24.4") };
  assert.deepEqual(versionIn({ "package.json": json({ workspaces: ["packages/*"] }), ...member }), [
    "~0.24.4",
    "packages/a/package.json",
  ]);
  assert.deepEqual(
    versionIn({ "pnpm-workspace.yaml": "packages:\n  - 'packages/*'\n", ...member })[0],
    "~0.24.4",
  );
  assert.deepEqual(
    versionIn({
      "package.json": json({ workspaces: { packages: ["plan"] } }),
      "plan/package.json": json({ name: PLAN, version: "0.24.5" }),
    }),
    ["0.24.5", "plan/package.json"],
  );
  assert.deepEqual(
    versionIn({ "deno.json": json({ imports: { plan: `npm:${PLAN}@0.24.6/scanner` } }) }),
    [
      "0.24.6",
      "deno.json",
    ],
  );
  assert.deepEqual(
    versionIn({ "deno.jsonc": `{ // a comment\n "imports": { "p": "npm:${PLAN}@^0.24.7", }, }` }),
    ["^0.24.7", "deno.jsonc"],
  );
  const member2 = {
    "package.json": json({ workspaces: ["packages/*"] }),
    "packages/a/package.json": json({}),
    [`packages/a/node_modules/${PLAN}/package.json`]: json({ version: "0.24.8" }),
  };
  assert.deepEqual(versionIn(member2), ["0.24.8", "packages/a/node_modules"]);
});

Deno.test("packageVersion() trusts no name and no range that is none", () => {
  for (
    const range of [
      "file:../x",
      "git+ssh://host/x",
      "workspace:*",
      "/etc",
      "https://host/x.tgz",
      "link:../x",
    ]
  ) {
    assert.equal(versionIn({ "package.json": asks(range) })[1], "default", range);
  }
  for (
    const name of ["../evil", "@a/b/c", "has space", "", "A", "npm:x", "x@1", "@refrakt-md/../x"]
  ) {
    assert.throws(() => versionIn({}, name), { code: "PLUGIN_LOAD_FAILED" }, name);
  }
  assert.throws(() => versionIn({}, "not-installed"), { code: "PLUGIN_LOAD_FAILED" });
});

Deno.test("the server loads the version that the project has, and says where from", async () => {
  const cwd = makeProject({
    ...SMALL_PLAN,
    "package.json": json({ devDependencies: { [PLAN]: "^0.25.0" } }),
    "package-lock.json": json({ packages: { [`node_modules/${PLAN}`]: { version: "0.25.1" } } }),
  });
  await withServer(cwd, async ({ ok }) => {
    const [plugin] = (await ok("refrakt.detect")).plugins;
    assert.deepEqual(
      [plugin.packageVersion, plugin.versionFrom, plugin.source],
      ["0.25.1", "package-lock.json", "dependency-scan"],
    );
    assert.equal((await ok("plan.next")).items[0].id, "WORK-001");
  });
});
