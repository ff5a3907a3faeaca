import assert from "node:assert/strict";
import {
  FIRST_PARTY_NAMES,
  isPackageName,
  isRegistryRange,
  mayHaveCommands,
} from "../../src/packages/names.ts";

Deno.test("package names exclude paths, versions and other specifiers", () => {
  for (const name of ["plan", "@acme/plan", "a.b-c_d~e", "a".repeat(214), ...FIRST_PARTY_NAMES]) {
    assert.ok(isPackageName(name), name);
  }
  const none = ["", ".", "..", "../plan", "@acme", "@acme/", "@acme/../plan", "@acme/a/b", "/etc"];
  const not = ["Plan", "plan@1.0.0", "npm:plan", "a b", "plan\n", "a\0", "%2e%2e", "a".repeat(215)];
  for (const name of [...none, ...not, "_plan", "@acme/.plan"]) {
    assert.ok(!isPackageName(name), JSON.stringify(name));
  }
});

Deno.test("a registry range is plain, as npm: specifiers take it", () => {
  for (const range of ["1.0.0", "^1", "~2.3", "1.x", "latest", "*", "1.0.0-beta.1"]) {
    assert.ok(isRegistryRange(range), range);
  }
  const none = ["", "  ", "^1 || ~2.3", ">=1.0.0 <2", "file:../x", "a/b", "1.0.0; rm", "1.0.0?x"];
  for (const range of [...none, "9".repeat(129)]) {
    assert.ok(!isRegistryRange(range), JSON.stringify(range));
  }
});

Deno.test("a first-party package may have commands unless it is known to have none", () => {
  assert.deepEqual(
    ["@refrakt-md/plan", "@refrakt-md/unheard-of", "@refrakt-md/runes", "@acme/plan", "plan"]
      .map(mayHaveCommands),
    [true, true, false, false, false],
  );
});
