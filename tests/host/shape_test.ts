import assert from "node:assert/strict";
import { orElse } from "../../src/errors.ts";
import { fieldOf } from "../../src/io/json.ts";
import { withText } from "../../src/plugin/result.ts";
import { createResultStore, type More, shapeResult } from "../../src/host/shape.ts";
import { errorOf } from "../support/calls.ts";
import { joined } from "../support/parts.ts";

const rows = (count: number, size = 40) =>
  Array.from({ length: count }, (_, index) => ({ id: `WORK-${index}`, title: "x".repeat(size) }));

Deno.test("a truncated result is just under the budget, and says where the rest is", () => {
  for (const budget of [2000, 5000, 30_000]) {
    const { content, structuredContent: structured } = shapeResult(
      { total: 5000, items: rows(5000) },
      createResultStore(budget),
    );
    const size = JSON.stringify(structured).length;
    assert.ok(size <= budget && size > budget - 150, `${size} of ${budget}`);
    assert.equal(fieldOf(content[0], "text"), JSON.stringify(structured));
    const { more, items, total } = structured as { more: More; items: unknown[]; total: number };
    assert.equal(total, 5000);
    assert.deepEqual(more.parts, { items: { shown: items.length, total: 5000 } });
    assert.equal(more.uri, `refrakt://result/${more.cursor}`);
    assert.ok(more.shown < more.total && more.total > 300_000);
    assert.equal(fieldOf(content[1], "uri"), more.uri);
  }
});

Deno.test("for any data, the head and the parts make up the whole, each within the budget", async () => {
  const pairs = Array.from({ length: 500 }, (_, n) => [`key${n}`, "x".repeat(150)]);
  const wide = Object.fromEntries(pairs);
  const deep = { a: { b: { c: Array.from({ length: 3000 }, (_, n) => ({ n })) } } };
  const long = { text: "a line of text 😀\n".repeat(2000), small: 1 };
  const record = { html: "<p>".repeat(4000), outline: rows(200), warnings: ["one"], name: "x" };
  // Whatever stands before it, a cut falls between the halves of a character of one of them.
  const [emoji, odd] = ["", "x"].map((start) => ({ text: start + "😀".repeat(9000) }));
  for (const value of [wide, deep, long, record, emoji, odd, [wide, wide], { wide, deep, long }]) {
    const limits = createResultStore(5000);
    const { structuredContent: structured } = shapeResult(value, limits);
    const parts: string[] = [];
    const next = async (cursor: string) => {
      const result = await limits.tool.run({ cursor }, undefined as never);
      const answer = shapeResult(result, limits);
      parts.push(JSON.stringify(answer.structuredContent));
      return answer.structuredContent!;
    };
    const whole = Array.isArray(value) ? { items: value } : value;
    assert.deepEqual(await joined(structured!, next), whole);
    for (const part of [JSON.stringify(structured), ...parts]) {
      assert.ok(part.length <= 5000, `${part.length}`);
      assert.doesNotMatch(part, /\\ud[89a-f]/, "no character is cut in two");
    }
  }
});

Deno.test("cutting keeps short fields of a record and whole entries of a map", () => {
  const limits = createResultStore(3000);
  const record = shapeResult({ rune: "hint", ok: true, html: "<p>".repeat(4000) }, limits);
  assert.equal(record.structuredContent!["rune"], "hint");
  assert.deepEqual(Object.keys((record.structuredContent!["more"] as More).parts), ["html"]);
  const contract = { root: "div", slots: ["a", "b"], note: "x".repeat(250) };
  const names = Array.from({ length: 100 }, (_, index) => `rune${index}`);
  const runes = Object.fromEntries(names.map((name) => [name, contract]));
  const map = shapeResult({ runes }, limits);
  const shown = Object.values(map.structuredContent!["runes"] as object);
  assert.ok(shown.length > 5 && shown.length < 100);
  for (const entry of shown) assert.deepEqual(entry, contract);
});

Deno.test("a part can be read twice and expires after many others; an unknown cursor returns a hint", async () => {
  const limits = createResultStore(2000);
  const cursorOf = () => (shapeResult(rows(100), limits).structuredContent!["more"] as More).cursor;
  const first = cursorOf();
  const read = (cursor: string) =>
    Promise.resolve().then(() => limits.tool.run({ cursor }, undefined as never));
  assert.deepEqual(await read(first), await read(first));
  assert.deepEqual(
    await limits.resource.read({ cursor: first }, undefined as never),
    { data: await read(first) },
  );
  for (let index = 0; index < 80; index++) cursorOf();
  for (const cursor of [first, "nothing", "__proto__"]) {
    const error = await errorOf(read(cursor));
    assert.deepEqual([error.code, error.hint?.includes("repeat")], ["NOT_FOUND", true]);
  }
});

Deno.test("long texts are cut, with a note about the tool, the cursor and the resource", async () => {
  const text = Array.from({ length: 900 }, (_, index) => `Line ${index} of the text.`).join("\n");
  const limits = createResultStore(5000);
  const plain = shapeResult(text, limits);
  const next = (cursor: string) => limits.tool.run({ cursor }, undefined as never);
  assert.deepEqual(await joined(plain.structuredContent!, next), { text });
  const prose = shapeResult(withText(text, { lines: 900 }), limits);
  assert.deepEqual(prose.structuredContent, { lines: 900 });
  const shown = String(fieldOf(prose.content[0], "text"));
  const cursor = /refrakt_more with cursor "([^"]+)"/.exec(shown)![1]!;
  assert.ok(shown.length < 5300 && shown.includes(`refrakt://result/${cursor}`));
  assert.equal(fieldOf(prose.content[1], "type"), "resource_link");
});

Deno.test("a store of results keeps 64 of them, of 8,000,000 characters together", () => {
  const { keep, tool } = createResultStore(3000);
  const progress = { shown: 0, total: 0 };
  const isKept = (cursor: string) =>
    orElse(() => tool.run({ cursor }, undefined!), false) !== false;
  for (let at = 0; at < 65; at++) keep(`small ${at}`, { text: "x" }, progress);
  assert.deepEqual(["small 0", "small 1"].map(isKept), [false, true]);
  for (let at = 0; at < 3; at++) keep(`large ${at}`, { text: "x".repeat(3_000_000) }, progress);
  assert.deepEqual(["small 64", "large 0", "large 1"].map(isKept), [false, false, true]);
});
