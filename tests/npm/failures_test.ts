import assert from "node:assert/strict";
import { RefraktError } from "../../src/errors.ts";
import { loadError } from "../../src/npm/failures.ts";
import type { PackageVersion } from "../../src/npm/versions.ts";

const FOUND: PackageVersion = {
  name: "@acme/plan",
  version: "1.0.0",
  from: "package.json",
};

const say = (message: string) => loadError(FOUND, "cli-plugin", new Error(message));

Deno.test("what the runtime says of a failed import becomes a cause and what to do", () => {
  const cases: [said: string, message: RegExp, hint: RegExp][] = [
    [
      "Failed caching npm package 'left-pad@1.0.0'\n    0: error sending request for url",
      /left-pad, which was needed beside @acme\/plan, could not be downloaded: the registry cannot/,
      /^Restart the server/,
    ],
    [
      'Failed loading https://r/dep for package "dep"\n    0: client error (Connect)',
      /dep, which was needed beside @acme\/plan, could not be downloaded: the registry cannot/,
      /connect to the network.* tries again by itself\.$/,
    ],
    [
      "Failed caching npm package '@acme/plan@1.0.0'\n 0: Bad tarball\n1: x",
      /: @acme\/plan could not be downloaded: Bad tarball$/,
      /registry has it/,
    ],
    [
      "npm package '@acme/plan' does not exist.",
      /@acme\/plan@1\.0\.0 \(from package\.json\) is not on the npm registry/,
      /exists only on disk/,
    ],
    [
      'Failed loading https://r/@acme%2fplan for package "@acme/plan"\n    0: Bad response: 503\n       \n',
      /: @acme\/plan could not be downloaded: the registry answered 503$/,
      /^Try again later/,
    ],
    [
      'Failed loading https://r/dep for package "dep"\n    0: Bad response: 401',
      /dep, which was needed beside @acme\/plan, could not be downloaded: the registry answered 401$/,
      /knows no secrets.*--node-modules-dir=manual/,
    ],
    [
      'Failed loading https://r/dep for package "@acme/plan"\n    0: npm packument missing name',
      /what the registry answered describes no package \(npm packument missing name\)$/,
      /A proxy may have answered/,
    ],
    ["npm package 'dep' does not exist.", /@acme\/plan depends on dep, which is not/, /./],
    [
      "Could not find npm package '@acme/plan' matching '^9'.",
      /no version of @acme\/plan that fits "\^9"/,
      /from package\.json/,
    ],
    [
      "Could not find a matching package for 'npm:@acme/plan@1.0.0' in the node_modules directory",
      /@acme\/plan is not installed/,
      /npm install/,
    ],
    [
      'Requires read access to "/elsewhere/x"',
      /lies outside of the folder.*\/elsewhere\/x/,
      /--allow-read/,
    ],
    [
      "Cannot find package 'zod' imported from file:///x",
      /@acme\/plan imports "zod", which is not installed/,
      /zod/,
    ],
  ];
  for (const [said, message, hint] of cases) {
    const error = say(said);
    assert.equal(error.code, "PLUGIN_LOAD_FAILED");
    assert.match(error.message, /^Cannot load @acme\/plan\/cli-plugin@1\.0\.0: /);
    assert.match(error.message, message);
    assert.match(error.hint ?? "", hint);
  }
});

Deno.test("a failure of no known kind is told by its first line, however long the rest is", () => {
  const error = say(`Odd\n${"at x\n".repeat(100_000)}`);
  assert.equal(error.message, "Cannot load @acme/plan/cli-plugin@1.0.0: Odd");
  assert.ok(say("x".repeat(1e6)).message.length < 500);
});

Deno.test("a registry's address is told without the name and the password in it", () => {
  for (
    const said of ["Odd: https://ada:secret@r.example/x", 'Odd "http://secret@r.example:81/@a/b"']
  ) {
    const { message } = say(said);
    assert.ok(!message.includes("secret") && message.includes("r.example"), message);
  }
  assert.match(say("Odd https://r.example/@a/b@1.0.0").message, /r\.example\/@a\/b@1\.0\.0$/);
});

Deno.test("an error of ours stays what it is, and the project's own path is not told", () => {
  const own = new RefraktError("NOT_FOUND", "It is not there");
  assert.equal(loadError(FOUND, undefined, own), own);
  const error = loadError(
    { ...FOUND, root: "/home/ada/site" },
    undefined,
    new Error("No file:///home/ada/site/x.js"),
  );
  assert.equal(error.message, "Cannot load @acme/plan@1.0.0: No x.js");
});
