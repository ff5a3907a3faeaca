import assert from "node:assert/strict";
import { hostIn, isPublicHost, readRegistries } from "../../src/npm/registries.ts";
import { type Files, makeProject } from "../support/project.ts";

const PRIVATE = "https://ada:secret@npm.acme.example:8443/npm/";

/** The hosts that files name for a package; `undefined` for those that cannot be read. */
const hostsOf = (files: Files, name: string) =>
  readRegistries(makeProject(files)).of(name).map(({ host }) => host);

Deno.test("a package belongs to its scope's registry, else to the project's, else to none that is known", () => {
  const { of } = readRegistries(makeProject({
    ".npmrc": [
      "\ufeff; a comment",
      "registry = https://npm.example/",
      `@acme:registry="${PRIVATE}"`,
      "//npm.acme.example/:_authToken=secret",
      "",
    ].join("\r\n"),
  }));
  const ours = { file: ".npmrc", host: "npm.acme.example:8443", ofScope: true };
  const others = { file: ".npmrc", host: "npm.example", ofScope: false };
  assert.deepEqual(["@acme/x", "@other/x", "acme"].map(of), [[ours], [others], [others]]);
  assert.deepEqual(hostsOf({}, "@acme/plan"), []);
});

Deno.test("the files of every package manager name registries", () => {
  const host = "npm.acme.example:8443";
  const cases: [file: string, text: string, acme: string | undefined, other: string | undefined][] =
    [
      [".yarnrc.yml", `npmRegistryServer: "${PRIVATE}"\n`, host, host],
      [".yarnrc.yml", `npmScopes:\n  acme:\n    npmRegistryServer: ${PRIVATE}\n`, host, undefined],
      [".yarnrc.yml", "npmScopes:\n  acme:\n    npmAuthToken: secret\n", undefined, undefined],
      [".yarnrc.yml", "npmScopes: {}\nnodeLinker: node-modules\n", undefined, undefined],
      [".yarnrc", `registry "${PRIVATE}"\n`, host, host],
      [".yarnrc", `"@acme:registry" "${PRIVATE}"\n`, host, undefined],
      ["pnpm-workspace.yaml", `registry: ${PRIVATE}\n`, host, host],
      ["pnpm-workspace.yaml", `registries:\n  '@acme': ${PRIVATE}\n`, host, undefined],
      ["pnpm-workspace.yaml", "packages:\n  - packages/*\n", undefined, undefined],
      ["bunfig.toml", `[install]\nregistry = "${PRIVATE}" # ours\n`, host, host],
      ["bunfig.toml", `[install]\nregistry = { token = "x", url = "${PRIVATE}" }\n`, host, host],
      ["bunfig.toml", `[install.scopes]\nacme = "${PRIVATE}"\n`, host, undefined],
      ["bunfig.toml", `[install.scopes]\n"@acme" = { url = "${PRIVATE}" }\n`, host, undefined],
      ["bunfig.toml", `[install.scopes.acme]\nurl = "${PRIVATE}"\n`, host, undefined],
      ["bunfig.toml", `[test]\nregistry = "${PRIVATE}"\n`, undefined, undefined],
    ];
  for (const [file, text, acme, other] of cases) {
    const found = ["@acme/x", "@other/x"].map((name) => hostsOf({ [file]: text }, name));
    const expected = [acme, other].map((each) => each === undefined ? [] : [each]);
    assert.deepEqual(found, expected, `${file}: ${text}`);
  }
});

Deno.test("what is not looked into is a registry that cannot be told", () => {
  for (
    const [file, text] of [
      [".yarnrc.yml", `npmScopes: { acme: { npmRegistryServer: "${PRIVATE}" } }\n`],
      [".yarnrc.yml", `npmScopes:\n  acme: { npmRegistryServer: "${PRIVATE}" }\n`],
      ["bunfig.toml", `[install]\nscopes = { acme = "${PRIVATE}" }\n`],
      [".npmrc", "@acme:registry=${REGISTRY}\n"],
    ] as const
  ) {
    const [host] = hostsOf({ [file]: text }, "@acme/x");
    assert.equal(host, "an address that cannot be read", text);
  }
});

Deno.test("a file that cannot be read may say anything", () => {
  const [registry] = readRegistries(makeProject({ ".npmrc/x": "" })).of("@acme/x");
  assert.deepEqual(registry, { file: ".npmrc", host: undefined, ofScope: false });
});

Deno.test("a folder above the project counts as far as it may be read", () => {
  const root = makeProject({ ".npmrc": `@acme:registry=${PRIVATE}\n`, "packages/a/x": "" });
  const [above] = readRegistries(`${root}/packages/a`).of("@acme/x");
  assert.deepEqual([above?.file, above?.host], ["../../.npmrc", "npm.acme.example:8443"]);
});

Deno.test("an address shows its host alone: no user, no password, and no variable", () => {
  assert.equal(hostIn("https://ada:secret@npm.example/path?token=x"), "npm.example");
  for (const address of ["${REGISTRY}", "", "file:///etc", "npm.example"]) {
    assert.equal(hostIn(address), "an address that cannot be read", address);
  }
});

Deno.test("only the public registry's own names are the public registry", () => {
  const hosts = [
    "registry.npmjs.org",
    "registry.yarnpkg.com",
    "registry.npmjs.org.example",
    "npmjs.org",
  ];
  assert.deepEqual(hosts.map(isPublicHost), [true, true, false, false]);
});
