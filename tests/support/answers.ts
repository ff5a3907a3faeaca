/** Checks every answer against the listed output schema of its tool, as real clients do. */

import assert from "node:assert/strict";
import { AjvJsonSchemaValidator } from "./npm/client_v1.ts";

export interface GivenAnswer {
  name: string;
  answer: { isError?: boolean; structuredContent?: unknown };
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

/** Throws if a successful answer does not match the schema listed for its tool. */
export function checkAnswers(tools: readonly ListedTool[], given: readonly GivenAnswer[]): void {
  const key = (name: string) => name.replace(/[._-]/g, "_");
  const schemas = new Map(tools.map((tool) => [key(tool.name), tool.outputSchema]));
  for (const { name, answer } of given) {
    const schema = schemas.get(key(name));
    if (schema === undefined || answer.isError) continue;
    const { valid, errorMessage } = checkOf(schema as never)(answer.structuredContent);
    const shown = JSON.stringify(answer.structuredContent)?.slice(0, 600);
    assert.ok(valid, `${name} does not keep its output schema: ${errorMessage}\n${shown}`);
  }
}
