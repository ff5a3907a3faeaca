import assert from "node:assert/strict";
import { openPnpm, openYarn } from "../../src/npm/yaml_lockfiles.ts";

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
  assert.deepEqual(openPnpm(text)("@a/b"), {
    version: "1.2.0",
    resolved: "https://r/b.tgz",
    integrity: "sha512-x",
  });
  assert.deepEqual(openPnpm(text.replace("1.2.0(c@1.0.0)", "link:../b"))("@a/b"), {
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
  assert.deepEqual(openYarn(text)("@a/b", "^1.1.0"), {
    version: "1.2.0",
    resolved: "https://r/b.tgz",
    integrity: "sha512-x",
  });
  assert.equal(openYarn(text)("@a/b")?.version, "2.0.0");
});
