import assert from "node:assert/strict";
import { jsonPart } from "../../../src/cli/setup/json_part.ts";
import { type FileText, type Part, withoutPart, withPart } from "../../../src/cli/setup/part.ts";
import { sectionPart } from "../../../src/cli/setup/section_part.ts";
import { tomlPart } from "../../../src/cli/setup/toml_part.ts";
import { RefraktError } from "../../../src/errors.ts";

const OURS = { command: "deno", args: ["run", "jsr:@refrakt/mcp"] };
const json = jsonPart("f.json", ["servers", "refrakt"], OURS);
const TABLE = '[servers.refrakt]\ncommand = "deno"\nargs = [\n  "jsr:@refrakt/mcp",\n]';
const toml = tomlPart("f.toml", ["servers", "refrakt"], TABLE);
const section = sectionPart("f.md", "## refrakt\n\nUse the tools.");

/** Writes the part and takes it out again; returns the text between. */
function thereAndBack(part: Part, before: FileText, copied: boolean): string {
  const set = withPart(part, before, null, false);
  assert.notEqual(set.after, before);
  assert.equal(set.copy, copied ? before : null, JSON.stringify(before));
  const again = withPart(part, set.after, set.copy, true);
  assert.deepEqual([again.after, again.copy], [set.after, set.copy]);
  const undone = withoutPart(part, set.after, set.copy);
  assert.deepEqual([undone.after, undone.copy], [before, null], String(set.after));
  return set.after!;
}

/** Whether a text was changed by additions and layout alone. */
function isAddition(before: string, after: string): boolean {
  const visible = before.replace(/\s/g, "");
  let at = 0;
  for (const char of after) if (char === visible[at]) at++;
  return at === visible.length;
}

Deno.test("a part that was added is taken out byte for byte, without a copy", () => {
  const shapes: [Part, string[]][] = [
    [json, [
      '\uFEFF{\r\n  "servers": {\r\n    "a": {}\r\n  }\r\n}',
      '{\r\n\t// all\r\n\t"servers": { // ours\r\n\t\t"b": {}, // last\r\n\t},\r\n}\r\n',
      '// Zed\n{\n    "tab_size": 2 // wide\n}\n',
      '{\n  "servers": {\n    "a": {}\n    , // comma first\n  }\n}',
      '{\n  "servers": {\n    // none yet\n  }\n}\n',
    ]],
    [toml, [
      'model = "x"',
      'model = "x"\r\n\r\n[tui]\r\nx = 1\r\n',
      '[servers.other]\nargs = [\n  "[servers.refrakt]",\n]\n\n# the end\n',
      "x = [\n[1],\n[2]\n]\n",
    ]],
    [section, ["# Rules", "# Rules\r\n\r\nBe kind.\r\n", "\uFEFF# Rules\n\n\n"]],
  ];
  for (const [part, texts] of shapes) {
    for (const text of texts) {
      const after = thereAndBack(part, text, false);
      assert.ok(isAddition(text, after), after);
      assert.equal(after.includes("\r\n"), text.includes("\r\n"), after);
      if (text.includes("\r\n")) assert.doesNotMatch(after, /[^\r]\n/);
    }
    assert.ok(thereAndBack(part, null, false).endsWith("\n"));
  }
});

Deno.test("where taking out does not give the same bytes, the file comes back from a copy", () => {
  const shapes = [
    ...["", "\uFEFF", "{}", '{"servers":{}}', '{ "theme": "dark" }'],
    '{"servers":{"a":{},"b":{}}}',
    '{"servers":{"a":{},},}\n',
    '{"servers":{"__proto__":{"refrakt":1}}}',
  ];
  for (const text of shapes) {
    const after = thereAndBack(json, text, true);
    assert.ok(isAddition(text, after), after);
  }
  for (const part of [toml, section]) thereAndBack(part, "\uFEFF", true);
});

Deno.test("a replaced server is named and comes back, also if the file has changed since", () => {
  const keys = ['"refrakt"', '"\\u0072efrakt"'];
  for (const key of keys) {
    const before = `{"servers":{${key}:{"command":"npx","args":["@refrakt-md/mcp"]},"z":1}}`;
    thereAndBack(json, before, true);
    const { after, copy, note } = withPart(json, before, null, false);
    assert.match(note!, /Replaced the server "refrakt" \(npx @refrakt-md\/mcp\)/);
    const changed = withoutPart(json, after!.replace('"z":1', '"y":2'), copy);
    assert.equal(changed.after, before.replace('"z":1', '"y":2'));
    assert.equal(changed.copy, null);
    assert.match(changed.note!, /f\.json has changed since setup wrote it\. Only the server/);
  }
  const before = '[servers.refrakt] # old\ncommand = "npx"\n\n# about tui\n[tui]\n';
  thereAndBack(toml, before, true);
  const { after, copy } = withPart(toml, before, null, false);
  const changed = withoutPart(toml, `${after}x = 1\n`, copy);
  assert.equal(changed.after, `${before}x = 1\n`);
});

Deno.test("an older part of ours is renewed without a copy; what is not ours stays", () => {
  const older = '{"servers":{"refrakt":{"command":"deno","args":["run","jsr:@refrakt/mcp@1"]}}}';
  assert.equal(withPart(json, older, null, true).copy, null);
  // An entry that somebody wrote by hand, before the first setup.
  assert.equal(withPart(json, older, null, false).copy, older);
  const theirs = '{"servers":{"refrakt":{"command":"npx"}}}';
  const { after, note } = withoutPart(json, theirs, null);
  assert.equal(after, theirs);
  assert.match(note!, /keeps the server "refrakt" \(npx\), which setup did not write/);
  // A copy that is not of this file, such as one that came with the repository.
  assert.throws(() => withPart(json, theirs, "{}", false), /before-refrakt exists and differs/);
});

Deno.test("a file that cannot be edited is refused with the line", () => {
  const refused: [Part, string, RegExp][] = [
    [
      json,
      '{\n"servers":{"refrakt":{},\n"\\u0072efrakt":{}}}',
      /"servers\.refrakt" twice \(line 3/,
    ],
    [json, '{"servers":{},\n"servers":{"refrakt":{}}}', /has "servers" twice \(line 2\)/],
    [json, '{\n"servers":[]}', /"servers" in f\.json is not an object \(line 2\)/],
    [json, "[]", /not a JSON object/],
    [json, '{\n "servers": {\n', /not a JSON object \(line 3\)/],
    [json, "[".repeat(100_000), /not a JSON object/],
    [toml, "a = 1\n[x\n", /not valid TOML \(line 2\)/],
    [toml, "[servers.refrakt]\n[servers.refrakt]\n", /not valid TOML \(line 2\)/],
    [toml, 'servers = { refrakt = { command = "npx" } }', /Cannot edit servers\.refrakt/],
    [toml, '[servers.refrakt]\n[servers.refrakt.env]\nA = "b"\n', /Cannot edit servers\.refrakt/],
    [toml, 'a = """\n[servers.refrakt]\n"""\n', /Cannot edit servers\.refrakt/],
    [section, "<!-- refrakt-mcp: begin -->", /only one marker/],
    [section, "<!-- refrakt-mcp: begin --><!-- refrakt-mcp: end -->".repeat(2), /more than once/],
  ];
  for (const [part, text, message] of refused) {
    assert.throws(
      () => withPart(part, text, null, false),
      // What was to be written can be pasted.
      (error) =>
        error instanceof RefraktError && message.test(error.message) && !!error.hint &&
        error.hint.endsWith(TABLE) === error.message.startsWith("Cannot edit"),
      text.slice(0, 80),
    );
  }
});
