import assert from "node:assert/strict";
import { ERROR_CODES, messageOf, nearest, WARNING_CODES } from "../src/errors.ts";
import { ROOT } from "./support/server.ts";

Deno.test("every code has a description", () => {
  for (const [code, text] of Object.entries({ ...ERROR_CODES, ...WARNING_CODES })) {
    assert.match(code, /^[A-Z][A-Z_]+$/);
    assert.match(text, /^[A-Z].*\.$/, code);
  }
});

Deno.test("every code is used by the sources and documented in docs/errors.md", () => {
  const read = (folder: string): string =>
    [...Deno.readDirSync(folder)].map(({ name, isDirectory }) => {
      const path = `${folder}/${name}`;
      if (isDirectory) return read(path);
      return name.endsWith(".ts") && path !== `${ROOT}src/errors.ts`
        ? Deno.readTextFileSync(path)
        : "";
    }).join("");
  const sources = read(`${ROOT}src`) + read(`${ROOT}plugins`);
  const documented = Deno.readTextFileSync(`${ROOT}docs/errors.md`);
  for (const code of Object.keys({ ...ERROR_CODES, ...WARNING_CODES })) {
    assert.ok(sources.includes(`"${code}"`), `${code} is not used`);
    assert.ok(documented.includes(`\`${code}\``), `${code} is not documented`);
  }
  for (const [, code] of sources.matchAll(/\bcode: "([A-Z][A-Z_]+)"/g)) {
    assert.ok(code! in ERROR_CODES || code! in WARNING_CODES || code!.startsWith("E"), code);
  }
});

Deno.test("messageOf() returns a message for any thrown value", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  assert.equal(messageOf(new TypeError("odd")), "odd");
  assert.equal(messageOf(new TypeError()), "TypeError");
  assert.equal(messageOf("text"), "text");
  assert.equal(messageOf({ a: 1 }), '{"a":1}');
  assert.equal(messageOf(undefined), "undefined");
  assert.equal(messageOf(cyclic), "[object Object]");
  assert.equal(messageOf(null), "null");
  assert.equal(messageOf(1n), "1");
  assert.equal(messageOf(Symbol("x")), "Symbol(x)");
});

Deno.test("nearest() finds typos and partial names, best first, and nothing for distant names", () => {
  const names = ["plan.next", "plan.next-id", "plan.status", "refrakt.detect"];
  assert.equal(nearest("plan.nxt", names)[0], "plan.next");
  assert.equal(nearest("detect", names)[0], "refrakt.detect");
  assert.deepEqual(nearest("zzzzzzzzzzzz", names), []);
  assert.deepEqual(nearest("", names), []);
  assert.equal(nearest("plan.next", names, 1).length, 1);
  assert.deepEqual(nearest("x".repeat(100_000), names), []);
});
