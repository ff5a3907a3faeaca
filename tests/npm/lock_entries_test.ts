import assert from "node:assert/strict";
import { compare, exact, isElsewhere, locked } from "../../src/npm/lock_entries.ts";

Deno.test("versions are compared by their numbers, and a release is higher than what precedes it", () => {
  const sorted = [undefined, "0.9.0", "0.10.0", "1.0.0-alpha", "1.0.0-beta", "1.0.0", "1.0.1"];
  assert.deepEqual(sorted.toReversed().sort(compare).filter(Boolean), sorted.slice(1));
  assert.ok(compare(undefined, "0.9.0") < 0 && compare("0.10.0", "0.9.0") > 0);
  assert.equal(compare("1.0.0", "1.0.0"), 0);
});

Deno.test("only an exact version pins, and what is no text is left out", () => {
  for (const version of ["^1.0.0", "latest", "../x", 1, undefined]) {
    assert.equal(exact(version), undefined);
  }
  assert.deepEqual(locked("1.0.0", "https://r/x.tgz", "sha512-x"), {
    version: "1.0.0",
    resolved: "https://r/x.tgz",
    integrity: "sha512-x",
  });
  assert.deepEqual(locked("^1", null, 7), {});
});

Deno.test("folders, repositories and addresses are told from versions", () => {
  for (const elsewhere of ["link:../a", "workspace:*", "git+ssh://r/a", "https://r/a.tgz"]) {
    assert.ok(isElsewhere(elsewhere), elsewhere);
  }
  for (const version of ["1.0.0", "npm:a@1.0.0", "latest"]) assert.ok(!isElsewhere(version));
});
