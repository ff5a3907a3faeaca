import assert from "node:assert/strict";
import { withPosition } from "../../src/io/json_errors.ts";

/** The error for invalid JSON. */
function said(text: string): string {
  try {
    JSON.parse(text);
  } catch (error) {
    return withPosition((error as Error).message, text);
  }
  return assert.fail(`This is JSON: ${text}`);
}

Deno.test("invalid JSON is reported with line and column for every V8 message", () => {
  const cases: [text: string, line: number, column: number][] = [
    ['{\n  "plan": oops\n}', 2, 11],
    ['{\n  "plan": { "dir": }\n}', 2, 20],
    ['{\n  "a": [1,\n  ]\n}', 3, 3],
    ['{ "a": 1 // note\n}', 1, 10],
    ["{\n  a: 1\n}", 2, 3],
    ['{ "a": 1,\n}', 2, 1],
    ['{\n  "a" 1 }', 2, 7],
    ['{ "a":\n  "b\n" }', 2, 5],
    ['{ "a": 1 }\n{', 2, 1],
    ['{\n  "a": [1', 2, 10],
    ["", 1, 1],
  ];
  for (const [text, line, column] of cases) {
    const message = said(text);
    assert.deepEqual(
      [...message.matchAll(/\(line (\d+),? column (\d+)\)/g)].map(([, ...at]) => at.map(Number)),
      [[line, column]],
      `${text}: ${message}`,
    );
  }
});
