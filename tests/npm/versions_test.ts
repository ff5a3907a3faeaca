import assert from "node:assert/strict";
import { packageFacts, preparePackageFacts } from "../../src/npm/facts.ts";
import { packageVersion } from "../../src/npm/versions.ts";
import { openProject } from "../../src/project/project.ts";
import { detected } from "../support/detected.ts";
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

Deno.test("packageVersion() reads workspaces and import maps", async () => {
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
  // The parser is loaded where there is such a file; a comma in a string is none at an end.
  const jsonc = `{ // a comment\n "imports": { "x": "npm:x@1 ,]", "p": "npm:${PLAN}@^0.24.7", }, }`;
  await preparePackageFacts(openProject(makeProject({ "deno.jsonc": jsonc })));
  assert.deepEqual(versionIn({ "deno.jsonc": jsonc }), ["^0.24.7", "deno.jsonc"]);
  assert.deepEqual(versionIn({ "deno.json": jsonc }), ["^0.24.7", "deno.json"]);
  const member2 = {
    "package.json": json({ workspaces: ["packages/*"] }),
    "packages/a/package.json": json({}),
    [`packages/a/node_modules/${PLAN}/package.json`]: json({ version: "0.24.8" }),
  };
  assert.deepEqual(versionIn(member2), ["0.24.8", "packages/a/node_modules"]);
});

Deno.test("packageVersion() says why a range cannot be resolved, and takes no other version instead", () => {
  for (
    const [range, reason] of [
      ["file:../x", /folder/],
      ["link:../x", /folder/],
      ["workspace:*", /folder/],
      ["/etc", /folder/],
      ["git+ssh://host/x", /repository or an archive/],
      ["github:refrakt-md/refrakt", /repository or an archive/],
      ["refrakt-md/refrakt#main", /repository or an archive/],
      ["https://host/x.tgz", /repository or an archive/],
      ["jsr:@refrakt/plan", /JSR/],
      ["catalog:", /catalog "default" does not have it/],
      ["catalog:docs", /catalog "docs" does not have it/],
      ["^1.0.0;rm", /no range of versions/],
      ["npm:../x@1", /no range|names no package/],
    ] as const
  ) {
    assert.throws(() => versionIn({ "package.json": asks(range) }), (error: unknown) => {
      const { code, message, hint } = error as { code: string; message: string; hint: string };
      assert.equal(code, "PLUGIN_LOAD_FAILED", range);
      assert.match(message, reason);
      assert.match(hint, /--node-modules-dir=manual/);
      return true;
    });
  }
});

Deno.test("packageVersion() reads catalogs, aliases and the ranges of every package manager", () => {
  const workspace =
    "packages:\n  - 'packages/*'\ncatalog:\n  '@refrakt-md/plan': ^0.24.0 # pinned\n" +
    "catalogs:\n  next:\n    '@refrakt-md/plan': \"0.25.0\"\n";
  const cases: [Files, string][] = [
    [{ "package.json": asks("catalog:"), "pnpm-workspace.yaml": workspace }, "^0.24.0"],
    [{ "package.json": asks("catalog:next"), "pnpm-workspace.yaml": workspace }, "0.25.0"],
    [
      {
        "package.json": asks("catalog:"),
        ".yarnrc.yml": `catalog:\n  "${PLAN}": npm:^0.24.9\n`,
      },
      "^0.24.9",
    ],
    [
      {
        "package.json": json({
          workspaces: { packages: [], catalog: { [PLAN]: "0.24.8" } },
          devDependencies: { [PLAN]: "catalog:" },
        }),
      },
      "0.24.8",
    ],
    [{ "package.json": asks(">=0.25 <0.26") }, ">=0.25 <0.26"],
    [{ "package.json": asks("^0.24 || ^0.25") }, "^0.24 || ^0.25"],
    [{ "package.json": asks("0.24.0 - 0.25.1") }, "0.24.0 - 0.25.1"],
    [{ "package.json": asks("npm:^0.25.0") }, "^0.25.0"],
    [{ "package.json": asks("") }, "*"],
  ];
  for (const [files, expected] of cases) {
    assert.equal(versionIn(files)[0], expected, JSON.stringify(files));
  }
  const fork = openProject(makeProject({ "package.json": asks("npm:@acme/plan@^1.0.0") }));
  const { version, alias } = packageVersion(fork, PLAN);
  assert.deepEqual([version, alias], ["^1.0.0", "@acme/plan"]);
});

Deno.test("packageVersion() takes what the root overrides in the place of what is asked for", () => {
  const devDependencies = { [PLAN]: "^0.24.0" };
  const other = `${PLAN}>@refrakt-md/runes`;
  for (
    const more of [
      { overrides: { [PLAN]: "0.25.1" } },
      { overrides: { [PLAN]: { ".": "0.25.1", "@refrakt-md/runes": "0.1.0" } } },
      { resolutions: { [`**/${PLAN}`]: "0.25.1" } },
      { pnpm: { overrides: { [PLAN]: "0.25.1", [other]: "0.1.0" } } },
    ]
  ) {
    const files = { "package.json": json({ devDependencies, ...more }) };
    assert.deepEqual(versionIn(files), ["0.25.1", "package.json"], JSON.stringify(more));
    assert.equal(versionIn(files, "@refrakt-md/runes")[1], "default");
  }
  const same = { "package.json": json({ devDependencies, overrides: { [PLAN]: `$${PLAN}` } }) };
  assert.equal(versionIn(same)[0], "^0.24.0");
  const folder = { "package.json": json({ overrides: { "@acme/x": "file:../x" } }) };
  assert.throws(() => versionIn(folder, "@acme/x"), /a folder, which is not installed/);
  // An override alone asks for no plugin.
  const project = openProject(
    makeProject({ "package.json": json({ overrides: { [PLAN]: "1.0.0" } }) }),
  );
  assert.deepEqual(packageFacts(project).declared, []);
});

Deno.test("packageVersion() takes of two copies in a lock file the one that Node would take", () => {
  const nested = `node_modules/@refrakt-md/cli/node_modules/${PLAN}`;
  const other = `node_modules/@acme/other/node_modules/${PLAN}`;
  const packages = (...paths: [string, string][]) =>
    json({
      lockfileVersion: 3,
      packages: Object.fromEntries(paths.map(([path, version]) => [path, { version }])),
    });
  const cases: [string, string, string][] = [
    [
      "package-lock.json",
      packages([nested, "0.24.1"], [`node_modules/${PLAN}`, "0.25.1"]),
      "0.25.1",
    ],
    ["package-lock.json", packages([other, "0.23.0"], [nested, "0.24.1"]), "0.24.1"],
    [
      "pnpm-lock.yaml",
      `lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    devDependencies:\n      '${PLAN}':\n` +
      `        specifier: ^0.25.0\n        version: 0.25.1(zod@3.0.0)\n\npackages:\n\n` +
      `  '${PLAN}@0.26.0':\n    resolution: {integrity: x}\n\n  '${PLAN}@0.25.1':\n` +
      `    resolution: {integrity: y}\n`,
      "0.25.1",
    ],
    [
      "yarn.lock",
      `# yarn lockfile v1\n\n"${PLAN}@^0.26.0":\n  version "0.26.0"\n\n"${PLAN}@^0.25.0":\n  version "0.25.1"\n`,
      "0.25.1",
    ],
    [
      "bun.lock",
      `{\n  "lockfileVersion": 1,\n  "packages": {\n    "@acme/x/${PLAN}": ["${PLAN}@0.26.0", "", {}, "sha512-x"],\n\n` +
      `    "${PLAN}": ["${PLAN}@0.25.1", "", { "dependencies": { "a": "1" } }, "sha512-y"],\n  }\n}\n`,
      "0.25.1",
    ],
    [
      "deno.lock",
      json({
        version: "5",
        specifiers: { [`npm:${PLAN}@^0.25.0`]: "0.25.1" },
        npm: { [`${PLAN}@0.26.0`]: {}, [`${PLAN}@0.25.1`]: { integrity: "sha512-y" } },
      }),
      "0.25.1",
    ],
  ];
  for (const [file, text, expected] of cases) {
    const found = versionIn({ [file]: text, "package.json": asks("^0.25.0") });
    assert.deepEqual(found, [expected, file], text);
  }
});

Deno.test("packageVersion() says of a package on disk whether it is installed, linked or of the workspace", () => {
  const cwd = makeProject({
    "package.json": json({ workspaces: ["packages/*", "!packages/old"] }),
    "packages/mine/package.json": json({ name: "@acme/mine", version: "1.2.3" }),
    "packages/old/package.json": json({ name: "@acme/old", version: "1.0.0" }),
    "vendored/package.json": json({ name: "@acme/vendored", version: "2.0.0" }),
    "node_modules/@acme/theirs/package.json": json({ name: "@acme/theirs", version: "3.0.0" }),
  });
  Deno.symlinkSync(`${cwd}/packages/mine`, `${cwd}/node_modules/@acme/mine`);
  Deno.symlinkSync(`${cwd}/vendored`, `${cwd}/node_modules/@acme/vendored`);
  const project = openProject(cwd);
  const at = (name: string) => {
    const { version, from, folder } = packageVersion(project, name);
    return [version, from, folder?.kind, folder?.path.slice(cwd.length + 1)];
  };
  assert.deepEqual(at("@acme/mine"), ["1.2.3", "node_modules", "workspace", "packages/mine"]);
  assert.deepEqual(at("@acme/vendored"), ["2.0.0", "node_modules", "linked", "vendored"]);
  assert.deepEqual(at("@acme/theirs"), [
    "3.0.0",
    "node_modules",
    "node_modules",
    "node_modules/@acme/theirs",
  ]);
  assert.throws(() => at("@acme/old"), { code: "PLUGIN_LOAD_FAILED" });
});

Deno.test("packageVersion() finds what only another package depends on where that one sees it", () => {
  const cwd = makeProject({
    // The store of a package manager that hoists nothing: pnpm, bun, yarn and Deno have such.
    "node_modules/.store/plan@1/node_modules/@refrakt-md/plan/package.json": json({
      version: "0.25.1",
    }),
    "node_modules/.store/plan@1/node_modules/@refrakt-md/runes/package.json": json({
      version: "0.25.0",
    }),
    "node_modules/@refrakt-md/.keep": "",
  });
  Deno.symlinkSync(
    `${cwd}/node_modules/.store/plan@1/node_modules/@refrakt-md/plan`,
    `${cwd}/node_modules/@refrakt-md/plan`,
  );
  Deno.symlinkSync(`${cwd}/nowhere`, `${cwd}/node_modules/@refrakt-md/cli`);
  const { version, folder } = packageVersion(openProject(cwd), "@refrakt-md/runes");
  assert.deepEqual([version, folder], ["0.25.0", {
    path: `${cwd}/node_modules/.store/plan@1/node_modules/@refrakt-md/runes`,
    kind: "node_modules",
  }]);
});

Deno.test("packageVersion() takes a package of refrakt's from no repository that the lock file names", () => {
  const locked = (resolved: string) =>
    packageVersion(
      openProject(makeProject({
        "package.json": asks("^0.25.0"),
        "package-lock.json": json({
          packages: {
            [`node_modules/${PLAN}`]: { version: "0.25.1", resolved, integrity: "sha512-x" },
          },
        }),
      })),
      PLAN,
    ).notFromRegistry;
  assert.match(locked("git+ssh://git@acme.example/plan.git#1") ?? "", /comes from elsewhere/);
  assert.match(locked("file:plan-0.25.1.tgz") ?? "", /comes from elsewhere/);
  // A mirror's archive is told by its checksum.
  assert.equal(locked("https://mirror.acme.example/plan-0.25.1.tgz"), undefined);
});

Deno.test("packageVersion() tells no secret of an address, and says where a package is not to come from", () => {
  const name = "@acme/plan";
  const refusal = (files: Files): string => {
    try {
      return packageVersion(openProject(makeProject(files)), name).notFromRegistry ?? "taken";
    } catch (error) {
      return (error as Error).message;
    }
  };
  const asking = (range: string, more = {}) => ({
    "package.json": json({ dependencies: { [name]: range }, ...more }),
  });
  const cases: [files: Files, said: RegExp][] = [
    [asking("git+ssh://git:secret@acme.example/plan.git"), /"git\+ssh:\/\/acme\.example\/plan/],
    [asking("https://u:secret@acme.example/p.tgz?key=secret"), /"https:\/\/acme\.example\/p\.tgz"/],
    [asking("svn+https://u:secret@acme.example/p"), /no range of versions/],
    [asking("1.0.0", { overrides: { [`${name}@1`]: "github:acme/plan" } }), /a repository/],
    [asking("1.0.0", { overrides: { [`${name}@2`]: "github:acme/plan" } }), /^taken$/],
    [{
      ...asking("1.0.0"),
      ".yarnrc.yml": "npmRegistryServer: https://u:secret@npm.acme.example\n",
    }, /^\.yarnrc\.yml says that it comes from npm\.acme\.example$/],
    [{ ...asking("1.0.0"), ".npmrc/x": "" }, /^\.npmrc, which may say .* cannot be read$/],
    [{ "deno.json": json({ imports: { [name]: "jsr:@acme/plan" } }) }, /JSR, which cannot/],
    [{
      "deno.json": json({ imports: { [name]: `npm:${name}@1.0.0` }, links: ["../plan"] }),
    }, /^deno\.json links to a folder/],
    [{
      "deno.json": json({ imports: { [name]: `npm:${name}@1.0.0` }, links: ["other"] }),
      "other/package.json": json({ name: "other" }),
    }, /^taken$/],
  ];
  for (const [files, said] of cases) {
    const reason = refusal(files);
    assert.match(reason, said);
    assert.ok(!reason.includes("secret"), reason);
  }
});

Deno.test("packageVersion() refuses a name of a project that has no such package", () => {
  for (
    const name of ["../evil", "@a/b/c", "has space", "", "A", "npm:x", "x@1", "@refrakt-md/../x"]
  ) {
    assert.throws(() => versionIn({}, name), { code: "PLUGIN_LOAD_FAILED" }, name);
  }
  assert.throws(() => versionIn({}, "not-installed"), { code: "PLUGIN_LOAD_FAILED" });
});

Deno.test("a name without its scope is answered with the package that was meant", () => {
  for (
    const [name, meant] of [["lumina", "@refrakt-md/lumina"], ["markting", "@refrakt-md/marketing"]]
  ) {
    assert.throws(() => versionIn({}, name), (error: unknown) => {
      const { hint } = error as { hint: string };
      assert.ok(hint.includes(`"${meant}"`), hint);
      assert.ok(!hint.includes("npm install"), hint);
      return true;
    });
  }
});

Deno.test("the server loads the version that the project has, and says where from", async () => {
  const cwd = makeProject({
    ...SMALL_PLAN,
    "package.json": json({ devDependencies: { [PLAN]: "^0.25.0" } }),
    "package-lock.json": json({ packages: { [`node_modules/${PLAN}`]: { version: "0.25.1" } } }),
  });
  await withServer(cwd, async ({ ok }) => {
    const [plugin] = (await detected(ok)).plugins;
    assert.deepEqual(
      [plugin.packageVersion, plugin.versionFrom, plugin.source],
      ["0.25.1", "package-lock.json", "dependency-scan"],
    );
    assert.equal((await ok("plan.next")).items[0].id, "WORK-001");
  });
});
