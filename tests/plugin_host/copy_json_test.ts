import assert from "node:assert/strict";
import { copyJson } from "../../src/plugin_host/copy_json.ts";

Deno.test("copyJson() gives what JSON has of a value, and runs none of its code", () => {
  const value = { a: [1, NaN, undefined, "x\u200by"], run: () => assert.fail(), b: null };
  assert.deepEqual(copyJson(value, "schema"), { a: [1, null, null, "xy"], b: null });
  assert.equal(copyJson(() => {}, "schema"), undefined);
  const getter = Object.defineProperty({}, "x", { enumerable: true, get: () => assert.fail() });
  assert.throws(() => copyJson(getter, "schema"), /^Error: its schema has a getter$/);
  const nested = JSON.parse('{ "__proto__": { "polluted": true } }');
  assert.deepEqual(Object.keys(copyJson(nested, "schema") as object), ["__proto__"]);
});

Deno.test("copyJson() refuses what is too large or too deep, and says how large it may be", () => {
  assert.throws(() => copyJson(new Array(101).fill(1), "list", 100), /more than 100 values$/);
  assert.throws(() => copyJson(new Array(1e9), "list"), /more than 5000 values$/);
  let deep: unknown = 1;
  for (let level = 0; level < 40; level++) deep = [deep];
  assert.throws(() => copyJson(deep, "list"), /its list is deeper than 32$/);
});
