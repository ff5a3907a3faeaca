import assert from "node:assert/strict";
import {
  type Catalogs,
  highestIn,
  isSimpleRange,
  parseRange,
  takes,
} from "../../src/npm/ranges.ts";

const CATALOGS: Catalogs = new Map([
  ["default", new Map([["plan", "^1.0.0"], ["loop", "catalog:"]])],
  ["old", new Map([["plan", "npm:other@0.9.0"]])],
]);

const read = (range: string, name = "plan") => parseRange(name, range, CATALOGS);

Deno.test("a range of the registry is taken as it is written, and none means any", () => {
  assert.deepEqual(read(" ^1.0.0 "), { kind: "registry", name: "plan", range: "^1.0.0" });
  assert.deepEqual(read(""), { kind: "registry", name: "plan", range: "*" });
  assert.deepEqual(read("next"), { kind: "registry", name: "plan", range: "next" });
});

Deno.test("an alias is another package, and npm: before a range is none", () => {
  assert.deepEqual(read("npm:@acme/other@~2"), {
    kind: "registry",
    name: "@acme/other",
    range: "~2",
  });
  assert.deepEqual(read("npm:@acme/other"), { kind: "registry", name: "@acme/other", range: "*" });
  assert.deepEqual(read("npm:^1.0.0"), { kind: "registry", name: "plan", range: "^1.0.0" });
  assert.equal(read("npm:../../etc@1.0.0").kind, "unknown");
});

Deno.test("a catalog's range is looked up, and one that leads to a catalog again is refused", () => {
  assert.deepEqual(read("catalog:"), { kind: "registry", name: "plan", range: "^1.0.0" });
  assert.deepEqual(read("catalog:old"), { kind: "registry", name: "other", range: "0.9.0" });
  assert.match(JSON.stringify(read("catalog:none")), /the catalog \\"none\\" does not have it/);
  assert.equal(read("catalog:", "loop").kind, "unknown");
});

Deno.test("folders, repositories and other registries are told from ranges", () => {
  for (const range of ["workspace:^", "file:../x", "link:x", "../x", "/x"]) {
    assert.equal(read(range).kind, "disk", range);
  }
  for (
    const range of ["github:a/b", "a/b#main", "git+ssh://x/y", "https://x/y.tgz", "jsr:@a/b@1"]
  ) {
    assert.equal(read(range).kind, "elsewhere", range);
  }
  for (const range of ["$(id)", "1.0.0; rm -rf", "\u202e1.0.0"]) {
    assert.equal(read(range).kind, "unknown", range);
  }
});

Deno.test("a range that leads to others without end is refused like any other", () => {
  const circle: Catalogs = new Map([["default", new Map([["plan", "npm:plan@catalog:"]])]]);
  assert.equal(parseRange("plan", "catalog:", circle).kind, "unknown");
  assert.equal(read("npm:".repeat(50_000)).kind, "unknown");
  assert.equal(read("npm:a@".repeat(50_000)).kind, "unknown");
});

Deno.test("Deno takes simple ranges as they are, and no combined ones", () => {
  for (const range of ["1.0.0", "^1", "~1.2", "1.x", "*", "latest", "1.0.0-beta.1"]) {
    assert.ok(isSimpleRange(range), range);
  }
  for (const range of [">=1", "1 || 2", "1.0.0 - 2.0.0", ""]) {
    assert.ok(!isSimpleRange(range), range);
  }
});

Deno.test("the highest version of a range is found as npm does, without prereleases unasked", async () => {
  const versions = ["1.0.0", "1.10.0", "1.9.0", "2.0.0-beta.1"];
  assert.equal(await highestIn(versions, "^1.0.0"), "1.10.0");
  assert.equal(await highestIn(versions, ">=2"), undefined);
  assert.equal(await highestIn(versions, "^2.0.0-beta"), "2.0.0-beta.1");
  assert.deepEqual(
    [await takes("^1", "1.2.3"), await takes("^1", "2.0.0"), await takes("latest", "2.0.0")],
    [true, false, true],
  );
});
