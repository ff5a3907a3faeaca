import assert from "node:assert/strict";
import { yamlLines } from "../../src/npm/lines.ts";

const read = (text: string) =>
  [...yamlLines(text)].map(({ indent, key, value }) => [indent, key, value]);

Deno.test("keys and values of YAML are read with their indent, without quotes and comments", () => {
  assert.deepEqual(
    read(
      "# a comment\n\na:\n  '@x/y@1.0.0': {integrity: z}\n  \"b: c\": 'd # e' # f\r\n  g: h # i\n",
    ),
    [[0, "a", ""], [2, "@x/y@1.0.0", "{integrity: z}"], [2, "b: c", "d # e"], [2, "g", "h"]],
  );
});

Deno.test("a colon within a key or a value does not end the key", () => {
  assert.deepEqual(read("a:b: link:../c\nd:e:"), [[0, "a:b", "link:../c"], [0, "d:e", ""]]);
});

Deno.test("items of a list and yarn's first format are read too", () => {
  assert.deepEqual(read('- "packages/*"\n  version "1.0.0"\n'), [[0, "-", "packages/*"], [
    2,
    "version",
    "1.0.0",
  ]]);
});

Deno.test("what is no YAML is read without an error, and each line once", () => {
  assert.deepEqual(read("\"open: 1\n:\n'"), [[0, '"open', "1"], [0, "", ""], [0, "'", ""]]);
  assert.equal(
    read(`${":".repeat(200_000)}\n${'"'.repeat(200_000)}\n${" ".repeat(200_000)}`).length,
    2,
  );
});
