import assert from "node:assert/strict";
import { sameChecksum } from "../../src/npm/registry.ts";
import { detected } from "../support/detected.ts";
import { makeProject } from "../support/project.ts";
import { type FakePackage, type FakeRegistry, startRegistry } from "../support/registry.ts";
import { withServer } from "../support/server.ts";

const SCOPE = "@acme";
const TRUST = { args: ["--trust", "all"] };
const json = (value: unknown) => JSON.stringify(value);

/** The package of that name which the public registry has by chance. */
const STRANGER: FakePackage = {
  name: "tools",
  plugin: `console.error("a stranger's code runs");
export default { namespace: "stranger", commands: [] };`,
};

const CONFIG = { "refrakt.config.json": json({ plugins: ["@acme/tools"] }) };
const ASKS = { "package.json": json({ dependencies: { "@acme/tools": "^1.0.0" } }) };

/** Starts the server, and tells what it says of the package and whether it was asked for. */
async function refusal(
  registry: FakeRegistry,
  files: Record<string, string>,
): Promise<{ message: string; hint: string; asked: string[] }> {
  const cwd = makeProject({ ...CONFIG, ...ASKS, ...files });
  let found = { message: "", hint: "", asked: [] as string[] };
  const before = registry.asked.length;
  await withServer(cwd, async ({ ok, stderr }) => {
    const { plugins, warnings } = await detected(ok);
    assert.deepEqual(plugins, []);
    const [warning] = warnings;
    assert.doesNotMatch(json(warnings), /secret/);
    found = { ...warning, asked: registry.asked.slice(before) };
    assert.doesNotMatch(stderr(), /stranger|secret/);
  }, { ...TRUST, env: registry.env });
  return found;
}

Deno.test("checksums are compared by the strongest kind that both sides have", () => {
  const shasum = "00ff";
  const sha1 = `sha1-${btoa("\x00\xff")}`;
  const cases: [integrity: string | undefined, locked: string, same: boolean | undefined][] = [
    ["sha512-a", "sha512-a", true],
    ["sha512-a", "sha512-b", false],
    ["sha512-a", `${sha1} sha512-b`, false],
    ["sha512-a sha512-b", "sha512-b", true],
    [undefined, sha1, true],
    [undefined, "sha1-other", false],
    ["sha512-a", "sha256-a", undefined],
    [undefined, "", undefined],
  ];
  for (const [integrity, locked, same] of cases) {
    const published = { shasum, ...(integrity === undefined ? {} : { integrity }) };
    assert.equal(sameChecksum(published, locked), same, `${integrity} ${locked}`);
  }
  assert.equal(sameChecksum({}, "sha512-a"), undefined);
});

Deno.test("a private package is never taken from the public registry", async (t) => {
  const registry = await startRegistry([STRANGER], { scope: SCOPE });
  const locked = (entry: Record<string, unknown>) => ({
    "package-lock.json": json({
      lockfileVersion: 3,
      packages: { "node_modules/@acme/tools": { version: "1.0.0", ...entry } },
    }),
  });
  const npmrc = (text: string) => ({
    ".npmrc": `//npm.acme.example/:_authToken=secret\n${text}\n`,
  });
  try {
    const cases: [string, Record<string, string>, RegExp][] = [
      [
        "where .npmrc names a registry for its scope",
        npmrc("@acme:registry=https://npm.acme.example/"),
        /\.npmrc says that it comes from npm\.acme\.example/,
      ],
      [
        "where .npmrc names another registry for all",
        npmrc("registry = https://user:secret@npm.acme.example:8443/npm/"),
        /\.npmrc says that it comes from npm\.acme\.example:8443/,
      ],
      [
        "where .npmrc has a variable in the address",
        npmrc("@acme:registry=${ACME_REGISTRY}"),
        /an address that cannot be read/,
      ],
      [
        "where the lock file says that it was fetched elsewhere",
        locked({ resolved: "https://npm.acme.example/tools/-/tools-1.0.0.tgz" }),
        /package-lock\.json says that it comes from npm\.acme\.example/,
      ],
      [
        "where the lock file says that it is a repository",
        locked({ resolved: "git+ssh://git@acme.example/tools.git#1" }),
        /package-lock\.json says that it comes from elsewhere/,
      ],
      [
        "where pnpm's lock file names the archive",
        {
          "pnpm-lock.yaml": "lockfileVersion: '9.0'\n\npackages:\n\n  '@acme/tools@1.0.0':\n" +
            "    resolution: {integrity: sha512-x, tarball: https://npm.acme.example/t.tgz}\n",
        },
        /pnpm-lock\.yaml says that it comes from npm\.acme\.example/,
      ],
      [
        "where yarn's lock file names the archive",
        {
          "yarn.lock": '# yarn lockfile v1\n\n"@acme/tools@^1.0.0":\n  version "1.0.0"\n' +
            '  resolved "https://npm.acme.example/t.tgz#abc"\n',
        },
        /yarn\.lock says that it comes from npm\.acme\.example/,
      ],
    ];
    for (const [name, files, reason] of cases) {
      await t.step(name, async () => {
        const { message, hint, asked } = await refusal(registry, files);
        assert.match(message, reason);
        assert.match(hint, /--node-modules-dir=manual/);
        assert.deepEqual(asked, [], "nothing was asked of the public registry");
      });
    }
    await t.step(
      "where the lock file has another checksum, and none of its code runs",
      async () => {
        const { message } = await refusal(
          registry,
          locked({
            resolved: "https://registry.npmjs.org/@acme/tools/-/tools-1.0.0.tgz",
            integrity: `sha512-${"A".repeat(86)}==`,
          }),
        );
        assert.match(message, /not the package that the lock file means/);
      },
    );
    await t.step("and one with the lock file's checksum is taken", async () => {
      const cwd = makeProject({
        ...CONFIG,
        ...ASKS,
        ...locked({
          resolved: "https://registry.npmjs.org/@acme/tools/-/tools-1.0.0.tgz",
          integrity: registry.integrityOf("tools"),
        }),
      });
      await withServer(cwd, async ({ ok }) => {
        const { plugins, warnings } = await detected(ok);
        assert.deepEqual(warnings, []);
        assert.deepEqual([plugins[0].packageVersion, plugins[0].origin], ["1.0.0", "registry"]);
      }, { ...TRUST, env: registry.env });
    });
  } finally {
    await registry.stop();
  }
});

Deno.test("a range is resolved as npm resolves it, before anything is imported", async (t) => {
  const versions = ["0.9.0", "1.2.3", "1.3.0", "2.0.0-beta.1", "2.1.0"];
  const registry = await startRegistry(
    versions.map((version) => ({
      name: "tools",
      version,
      plugin: "export default { namespace: 'tools', commands: [] };",
    })),
    { scope: SCOPE },
  );
  try {
    for (
      const [range, expected] of [
        [">=1.2 <1.3", "1.2.3"],
        ["^0.9 || ^1.2", "1.3.0"],
        ["1.0.0 - 1.2.9", "1.2.3"],
        [">= 1.3.0 < 2", "1.3.0"],
        ["=1.2.3", "1.2.3"],
        ["1.x", "1.3.0"],
        ["", "2.1.0"],
      ] as const
    ) {
      await t.step(`"${range}" is ${expected}`, async () => {
        const cwd = makeProject({
          ...CONFIG,
          "package.json": json({ dependencies: { "@acme/tools": range } }),
        });
        await withServer(cwd, async ({ ok }) => {
          const { plugins, warnings } = await detected(ok);
          assert.deepEqual(warnings, []);
          assert.equal(plugins[0].packageVersion, expected);
        }, { ...TRUST, env: registry.env });
      });
    }
    await t.step("a range that nothing fits is a warning with what there is", async () => {
      const cwd = makeProject({
        ...CONFIG,
        "package.json": json({ dependencies: { "@acme/tools": ">=3 <4" } }),
      });
      await withServer(cwd, async ({ ok }) => {
        const [warning] = (await detected(ok)).warnings;
        assert.match(warning.message, /No version of @acme\/tools fits ">=3 <4"/);
        assert.match(warning.hint, /package\.json.*2\.1\.0/);
      }, { ...TRUST, env: registry.env });
    });
  } finally {
    await registry.stop();
  }
});
