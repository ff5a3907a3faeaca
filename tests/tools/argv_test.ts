import assert from "node:assert/strict";
import { inputToArgv } from "../../src/tools/argv.ts";

Deno.test("an input object becomes arguments", () => {
  assert.deepEqual(
    inputToArgv({
      _: ["src", "a b"],
      sourceUrl: "https://x",
      validate: true,
      color: false,
      tag: ["one", "two"],
      attrs: { a: 1 },
      nothing: null,
    }),
    [
      ...["src", "a b", "--source-url", "https://x", "--validate", "--no-color"],
      ...["--tag", "one", "--tag", "two", "--attrs", '{"a":1}'],
    ],
  );
  assert.deepEqual(inputToArgv({ args: ["-o", "x"] }), ["-o", "x"]);
});

Deno.test("no value and no name can pass as another flag", () => {
  assert.deepEqual(inputToArgv({ title: "--force" }), ["--title=--force"]);
  for (const input of [{ _: ["--force"] }, { "x=--force": 1 }, { "a b": 1 }, { "": 1 }]) {
    assert.throws(() => inputToArgv(input), { code: "INVALID_ARGS" }, JSON.stringify(input));
  }
});
