import assert from "node:assert/strict";
import { type EditedText, editKey, editSection } from "../../src/cli/setup_files.ts";

const OURS = { command: "deno", args: ["run", "jsr:@refrakt/mcp@0.2"] };

const add = (text: string | null) =>
  editKey(text, "servers", (group) => ({ ...group, refrakt: OURS }));

const remove = (text: string | null) =>
  editKey(text, "servers", ({ refrakt: _, ...others }) => others);

function textOf(edit: EditedText): string | null {
  assert.ok("text" in edit, JSON.stringify(edit));
  return edit.text;
}

Deno.test("a key is added and removed with the file's indentation, line ends and other values", () => {
  const texts = [
    '{\n  "servers": {\n    "a": {\n      "b": 1\n    }\n  }\n}',
    '{\r\n\t"servers": {\r\n\t\t"b": {}\r\n\t},\r\n\t"z": null\r\n}\r\n',
    '{\n    "tab_size": 2\n}\n\n',
    '{\n  "text": "{\\"a\\" : 1}\\n // x"\n}\n',
    '{\n  "__proto__": {\n    "servers": {}\n  },\n  "servers": {\n    "__proto__": {\n      "x": 1\n    }\n  }\n}\n',
    '{\n  "constructor": 1,\n  "toString": "x"\n}\n',
  ];
  for (const text of texts) {
    const after = textOf(add(text))!;
    assert.deepEqual(JSON.parse(after).servers.refrakt, OURS);
    assert.equal(textOf(add(after)), after, "a second time changes nothing");
    assert.equal(textOf(remove(after)), text);
  }
  const packed = '{"servers": {"b": {"args": ["x",  "y"]}}}';
  assert.deepEqual(JSON.parse(textOf(add(packed))!).servers.b, { args: ["x", "y"] });
});

Deno.test("a file is begun where there is none, and goes with its last key", () => {
  for (const text of [null, "", "\n", "{}", '{"servers":{}}\n']) {
    const after = textOf(add(text));
    assert.deepEqual(JSON.parse(after!), { servers: { refrakt: OURS } });
    assert.equal(textOf(remove(after)), null);
  }
  const base = { version: 1 };
  const begun = textOf(editKey("{}", "hooks", () => ({ start: [1] }), base))!;
  assert.deepEqual(JSON.parse(begun), { version: 1, hooks: { start: [1] } });
  assert.equal(textOf(editKey(begun, "hooks", () => ({}), base)), null);
});

Deno.test("what cannot be printed without a loss is left to people", () => {
  const texts = [
    '{ // mine\n "servers": {} }',
    '{"servers": {},}',
    '{"servers":{},"servers":{"b":{}}}',
    '{"servers":{"refrakt":{},"\\u0072efrakt":{}}}',
    '{"a":[{"b":1,"b":2}]}',
    '{"__proto__":1,"__proto__":2}',
    '{"big":12345678901234567890}',
    '{"one":1.0}',
    '{"2":1,"1":2}',
    '\uFEFF{"a":1}',
    '{"servers":[]}',
    '{"servers":null}',
    "[]",
    "null",
    '"text"',
    '{\n "servers": {\n',
    "[".repeat(100_000),
    `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
  ];
  for (const text of texts) {
    for (const edit of [add(text), remove(text)]) {
      assert.ok("problem" in edit, text.slice(0, 80));
      assert.match(edit.problem, /^is not plain JSON|^has something else at servers$/);
    }
  }
});

Deno.test("a section is appended, renewed and taken out; wrong markers are left to people", () => {
  for (const text of ["# A\r\n\r\nb\r\n", "# A\n", "# A"]) {
    const after = textOf(editSection(text, "x"))!;
    assert.ok(after.startsWith(text));
    const renewed = textOf(editSection(`${after}\nmore\n`, "y\nz"))!;
    assert.match(renewed, /^y\r?\nz\r?\n<!--.*-->[^]*more\n$/m);
    assert.equal(textOf(editSection(after, undefined))!.trimEnd(), text.trimEnd());
  }
  const whole = textOf(editSection(null, "x"))!;
  assert.equal(textOf(editSection(whole, undefined)), null);
  for (const text of [whole + whole, whole.slice(0, 30), whole.split("\n").reverse().join("\n")]) {
    assert.ok("problem" in editSection(text, "x"), text);
  }
});
