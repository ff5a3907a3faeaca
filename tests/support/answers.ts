/** Checks every answer against the listed output schema of its tool, as real clients do. */

import assert from "node:assert/strict";
import { AjvJsonSchemaValidator } from "./npm/client_v1.ts";

export interface GivenAnswer {
  name: string;
  answer: { isError?: boolean; hint?: string; structuredContent?: unknown; content?: unknown };
}

export interface ListedTool {
  name: string;
  outputSchema?: unknown;
}

type Check = ReturnType<AjvJsonSchemaValidator["getValidator"]>;

const ajv = new AjvJsonSchemaValidator();
const checks = new Map<string, Check>();

/**
 * The validator of the 1.x client, compiling each schema on first use and caching it:
 * compiling all schemas for each list takes longer than most tests.
 */
export const LAZY_VALIDATOR = {
  getValidator: (schema: Parameters<AjvJsonSchemaValidator["getValidator"]>[0]): Check => (value) =>
    checkOf(schema)(value),
} as AjvJsonSchemaValidator;

function checkOf(schema: Parameters<AjvJsonSchemaValidator["getValidator"]>[0]): Check {
  const key = JSON.stringify(schema);
  const known = checks.get(key);
  if (known !== undefined) return known;
  const made: Check = ajv.getValidator(schema);
  checks.set(key, made);
  return made;
}

/** The words of our own in the texts of each tool: all others must be in its data. */
const FIXED_WORDS: readonly (readonly [tool: RegExp, words: string])[] = [
  [/^ralph_/, "Spec Note Next Tasks tasks done Documents Phase Goal Coverage Current Open none of"],
  [/^ralph_/, "A corrupt state file was kept as specs findings"],
  [/^refrakt_query$/, "Note rows of aggregate LIMIT and OFFSET 0"],
  [/^plan_board$/, "entity entities status all Some of the plan could not be read 0"],
  [/./, "more characters call refrakt with cursor or read result"],
  [/./, "is not listed here In a shell"],
];

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

function wordsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return wordsOf(String(value));
  const length = Array.isArray(value) ? [String(value.length)] : [];
  const parts = Object.entries(value);
  return [...length, ...parts.flatMap(([key, part]) => [...wordsOf(key), ...wordsIn(part)])];
}

/** What only programs need of the data, or the text says in other words. */
const LEFT_OUT =
  /^(?:plan_board (?:stamp|project|branch)|refrakt_reference format|ralph_check coverage|ralph_complete_phase phase|ralph_status (?:current|specs \d+ (?:status|phase|artifacts)))\b/;

/** The words in the texts of the data that a text lacks, by field. */
function leftOut(field: string, value: unknown, said: ReadonlySet<string>): string[] {
  if (LEFT_OUT.test(field)) return [];
  if (typeof value === "string") {
    return wordsOf(value).filter((word) => !said.has(word)).map((word) => `${field}: ${word}`);
  }
  return Object.entries(value ?? {}).flatMap(([key, part]) =>
    leftOut(`${field} ${key}`, part, said)
  );
}

/** Throws if the text of one of our tools says something that its data does not, or the reverse. */
export function checkText(name: string, text: string, data: unknown): void {
  if (text === JSON.stringify(data)) return;
  const fixed = FIXED_WORDS.filter(([tool]) => tool.test(name)).flatMap(([, words]) =>
    words.split(" ")
  );
  // A text that quotes line ends is quoted again in a table.
  const unescaped = wordsOf(JSON.stringify(data).replaceAll(/\\+[nrt]/g, " "));
  const known = new Set([...fixed, ...wordsIn(data), ...unescaped]);
  const shown = text.replaceAll(/\\[nrt]/g, " ");
  const missing = wordsOf(shown).filter((word) => !known.has(word));
  assert.deepEqual(missing, [], `${name}: the data lacks words of\n${text.slice(0, 2000)}`);
  const unsaid = leftOut(name, data, new Set(wordsOf(`${text} ${shown}`)));
  assert.deepEqual(unsaid, [], `the text lacks words of the data:\n${text.slice(0, 2000)}`);
}

/**
 * Throws if a successful answer does not match the schema listed for its tool, or if its text says
 * more than its data.
 */
export function checkAnswers(tools: readonly ListedTool[], given: readonly GivenAnswer[]): void {
  const key = (name: string) => name.replace(/[._-]/g, "_");
  const schemas = new Map(tools.map((tool) => [key(tool.name), tool.outputSchema]));
  for (const { name, answer } of given) {
    const data = answer.structuredContent;
    const [block] = Array.isArray(answer.content) ? answer.content : [];
    const isOurs = /^(plan|refrakt|ralph)_/.test(key(name)) && block?.type === "text";
    const isCut = JSON.stringify(data)?.includes('"cursor":');
    if (isOurs && data !== undefined && !isCut) checkText(key(name), block.text, data);
    const { hint } = answer;
    if (hint) assert.ok(block?.text?.endsWith(hint), `${name}: the text lacks the hint: ${hint}`);
    const schema = schemas.get(key(name));
    if (schema === undefined || answer.isError) continue;
    const { valid, errorMessage } = checkOf(schema as never)(answer.structuredContent);
    const shown = JSON.stringify(answer.structuredContent)?.slice(0, 600);
    assert.ok(valid, `${name} does not keep its output schema: ${errorMessage}\n${shown}`);
  }
}
