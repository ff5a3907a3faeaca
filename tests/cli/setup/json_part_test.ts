import assert from "node:assert/strict";
import { hookPart, serverPart } from "../../../src/cli/setup/json_part.ts";

const OURS = { command: "deno", args: ["run", "jsr:@refrakt/mcp@0.2"] };
const server = serverPart("f.json", ["servers", "refrakt"], OURS);

/** The text with our entry. */
function added(text: string | null): string {
  const edit = server.add(text);
  assert.ok(edit.problem === undefined, String(edit.problem));
  return edit.text!;
}

Deno.test("an entry is added and removed with the file's indentation, line ends and other values", () => {
  const texts = [
    '{\n  "servers": {\n    "a": {\n      "b": 1\n    }\n  }\n}',
    '{\r\n\t"servers": {\r\n\t\t"b": {}\r\n\t},\r\n\t"z": null\r\n}\r\n',
    '{\n    "tab_size": 2\n}\n\n',
    '{\n  "big": 12345678901234567890,\n  "one": 1.0,\n  "huge": 1e400,\n  "text": "\\u00e9\\/ {\\"a\\": 1}"\n}\n',
    '{\n  "__proto__": {\n    "servers": {}\n  },\n  "servers": {\n    "__proto__": {\n      "x": 1\n    }\n  }\n}\n',
    '{\n  "constructor": 1,\n  "toString": "x"\n}\n',
  ];
  for (const text of texts) {
    const after = added(text);
    assert.deepEqual(JSON.parse(after).servers.refrakt, OURS);
    assert.equal(added(after), after, "a second time changes nothing");
    assert.equal(server.remove(after).text, text);
  }
});

Deno.test("a file is begun where there is none, and goes with its last entry", () => {
  for (const text of [null, "", "\n", "{}", '{"servers":{}}\n']) {
    const after = added(text);
    assert.deepEqual(JSON.parse(after), { servers: { refrakt: OURS } });
    assert.deepEqual(server.remove(after), { text: null });
  }
  const hook = hookPart("f.json", { command: "deno run jsr:@refrakt/mcp@0.2 prime" }, "start");
  const begun = hook.add(null).text!;
  assert.equal(JSON.parse(begun).version, 1);
  assert.deepEqual(hook.remove(begun), { text: null });
});

Deno.test("an older entry of ours is renewed; another one is named before it is replaced", () => {
  const entry = (command: string, arg: string) =>
    JSON.stringify({ servers: { refrakt: { command, args: [arg] }, z: 1 } });
  const older = entry("deno", "jsr:@refrakt/mcp@0.1");
  assert.equal(server.add(older).note, undefined);
  assert.ok(added(older).includes("mcp@0.2"));
  const others = entry("npx", "@refrakt-md/mcp");
  assert.match(server.add(others).note!, /^Replaced the server "refrakt" \(npx @refrakt-md\/mcp\)/);
  const kept = server.remove(others);
  assert.equal(kept.text, others);
  assert.match(kept.note!, /^f\.json keeps the server "refrakt" \(npx/);
});

Deno.test("what cannot be printed without a loss is left to people", () => {
  const texts = [
    '{ // mine\n "servers": {} }',
    '{"servers": {},}',
    '{"servers":{},"servers":{"b":{}}}',
    '{"servers":{"refrakt":{},"\\u0072efrakt":{}}}',
    '{"a":[{"b":1,"b":2}]}',
    '{"__proto__":1,"__proto__":2}',
    '{"servers":[]}',
    '{"servers":1.0}',
    "[]",
    "null",
    '"text"',
    '{\n "servers": {\n',
    "[".repeat(100_000),
    `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
  ];
  for (const text of texts) {
    const { problem } = server.add(text);
    assert.match(problem!, /^f\.json (?:is not a plain JSON object|has something else at)/);
    assert.deepEqual(server.remove(text), { text }, "it does not name the server");
  }
  const commented = `// mine\n${added(null)}`;
  assert.deepEqual(server.add(commented), { text: commented }, "it is there already");
  assert.match(server.remove(commented).problem!, /not a plain JSON object/);
});
