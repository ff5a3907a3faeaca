import assert from "node:assert/strict";
import { LOCK_FILES } from "../../src/npm/lockfiles.ts";

function find(file: string, text: string, name = "@a/b", range?: string) {
  return LOCK_FILES.find((format) => format.name === file)!.open(text)(name, range);
}

const json = (value: unknown) => JSON.stringify(value, null, 2);

Deno.test("of npm's copies the highest folder's is taken, and a name that only ends alike is none", () => {
  const packages = {
    "node_modules/x/node_modules/@a/b": { version: "3.0.0" },
    "node_modules/@a/b": { version: "1.0.0", resolved: "https://r/b.tgz", integrity: "sha512-x" },
    "node_modules/@a/b-c": { version: "9.0.0" },
    "node_modules/z@a/b": { version: "9.0.0" },
  };
  assert.deepEqual(find("package-lock.json", json({ packages })), packages["node_modules/@a/b"]);
  assert.deepEqual(
    find(
      "package-lock.json",
      json({ packages: { "node_modules/@a/b": { resolved: "b", link: true } } }),
    ),
    { resolved: "b" },
  );
  assert.deepEqual(
    find("package-lock.json", json({ dependencies: { "@a/b": { version: "0.9.0" } } })),
    { version: "0.9.0" },
  );
});

Deno.test("pnpm's importers say which version is the project's", () => {
  const text = `lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      '@a/b':
        specifier: ^1.0.0
        version: 1.2.0(c@1.0.0)
packages:
  '@a/b@1.2.0':
    resolution: {integrity: sha512-x, tarball: https://r/b.tgz}
  '@a/b@2.0.0':
    resolution: {integrity: sha512-y}
`;
  assert.deepEqual(find("pnpm-lock.yaml", text), {
    version: "1.2.0",
    resolved: "https://r/b.tgz",
    integrity: "sha512-x",
  });
  assert.deepEqual(find("pnpm-lock.yaml", text.replace("1.2.0(c@1.0.0)", "link:../b")), {
    resolved: "link:../b",
  });
});

Deno.test("yarn's entry is the one whose key has the project's range", () => {
  const text = `"@a/b@^1.0.0", "@a/b@^1.1.0":
  version "1.2.0"
  resolved "https://r/b.tgz#abc"
  integrity sha512-x

"@a/b@^2.0.0":
  version "2.0.0"
`;
  assert.deepEqual(find("yarn.lock", text, "@a/b", "^1.1.0"), {
    version: "1.2.0",
    resolved: "https://r/b.tgz",
    integrity: "sha512-x",
  });
  assert.equal(find("yarn.lock", text)?.version, "2.0.0");
});

Deno.test("bun's and Deno's files are read", () => {
  const bun = `{ "packages": { "x/@a/b": ["@a/b@2.0.0", "", {}, "sha512-y"],
    "@a/b": ["@a/b@1.0.0", "", { "d": { "e": "}" } }, "sha512-x"], }, }`;
  assert.deepEqual(find("bun.lock", bun), { version: "1.0.0", integrity: "sha512-x" });
  const deno = json({
    specifiers: { "npm:@a/b@^1.0.0": "1.0.0_c@1.0.0" },
    npm: { "@a/b@1.0.0_c@1.0.0": { integrity: "sha512-x" }, "@a/b@2.0.0": {} },
  });
  assert.deepEqual(find("deno.lock", deno, "@a/b", "^1.0.0"), {
    version: "1.0.0",
    integrity: "sha512-x",
  });
  assert.equal(find("deno.lock", deno)?.version, "2.0.0");
});

Deno.test("no lock file pins what is no exact version, and none breaks on what it is not", () => {
  const range = "../../etc";
  assert.deepEqual(
    find("package-lock.json", json({ packages: { "node_modules/@a/b": { version: range } } })),
    {},
  );
  assert.deepEqual(find("bun.lock", `"@a/b": ["@a/b@${range}", "", {}]`), {});
  const broken = [
    "",
    "{",
    "null",
    "[]",
    '"@a/b":',
    '"node_modules/@a/b": {',
    "'@a/b",
    "\0",
    "- - -\n  :",
  ];
  for (const { name, open } of LOCK_FILES) {
    for (const text of broken) {
      assert.equal(open(text)("@a/b")?.version, undefined, `${name}: ${text}`);
    }
    assert.equal(
      open(json({ npm: {}, packages: {}, dependencies: {} }))("__proto__"),
      undefined,
      name,
    );
  }
});
