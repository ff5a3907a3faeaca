import assert from "node:assert/strict";
import { hostIn, isPublicHost, readRegistries } from "../../src/npm/registries.ts";
import { makeProject } from "../support/project.ts";

Deno.test("a package belongs to its scope's registry, else to the project's, else to none that is known", () => {
  const { hostOf, namesScopeOf } = readRegistries(makeProject({
    ".npmrc": [
      "; a comment",
      "registry = https://npm.example/",
      '@acme:registry="https://ada:secret@npm.acme.example:8443/npm/"',
      "//npm.acme.example/:_authToken=secret",
      "",
    ].join("\r\n"),
  }));
  assert.equal(hostOf("@acme/plan"), "npm.acme.example:8443");
  assert.equal(hostOf("@other/plan"), "npm.example");
  assert.equal(hostOf("plan"), "npm.example");
  assert.deepEqual(["@acme/x", "@other/x", "acme"].map(namesScopeOf), [true, false, false]);
  assert.equal(readRegistries(makeProject()).hostOf("@acme/plan"), undefined);
});

Deno.test("a file that cannot be read says nothing", () => {
  const cwd = makeProject();
  Deno.mkdirSync(`${cwd}/.npmrc`);
  assert.equal(readRegistries(cwd).hostOf("plan"), undefined);
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
