import assert from "node:assert/strict";
import { mayMean, readOverrides } from "../../src/npm/overrides.ts";

Deno.test("overrides are read of every package manager, with the ranges that they replace", () => {
  const found = readOverrides({
    overrides: { a: "1.0.0", b: { ".": "2.0.0", c: "3.0.0" }, "d@1": "4.0.0", e: "$e" },
    resolutions: { "**/f": "5.0.0", "@g/h@npm:^1.0.0": "6.0.0", "i/j": "7.0.0" },
    pnpm: { overrides: { "k@>=2": "8.0.0", "l>m": "9.0.0" } },
  }, "overrides:\n  '@n/o': git+https://example/o.git\n");
  assert.deepEqual(
    found.map(({ name, selector, range, from }) => [name, selector, range, from]),
    [
      ["@n/o", undefined, "git+https://example/o.git", "pnpm-workspace.yaml"],
      ["k", ">=2", "8.0.0", "package.json"],
      ["f", undefined, "5.0.0", "package.json"],
      ["@g/h", "^1.0.0", "6.0.0", "package.json"],
      ["a", undefined, "1.0.0", "package.json"],
      ["b", undefined, "2.0.0", "package.json"],
      ["d", "1", "4.0.0", "package.json"],
    ],
  );
  assert.deepEqual(readOverrides(undefined, ""), []);
});

Deno.test("a selector means a range of its major version, and what cannot be told", () => {
  for (
    const [selector, range] of [[undefined, "^2.0.0"], ["1", "^1.2.0"], ["^1", "latest"]] as const
  ) {
    assert.ok(mayMean(selector, range), `${selector} ${range}`);
  }
  assert.ok(!mayMean("2", "^1.0.0"));
});
