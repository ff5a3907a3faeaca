/** Holds every answer against the output schema that is listed for its tool, as real clients do. */

import assert from "node:assert/strict";
import { AjvJsonSchemaValidator } from "./npm/client_v1.ts";

/** An answer, and the tool that gave it. */
export interface GivenAnswer {
  name: string;
  answer: { isError?: boolean; structuredContent?: unknown };
}

/** A listed tool, as far as it is needed here. */
export interface ListedTool {
  name: string;
  outputSchema?: unknown;
}

type Check = ReturnType<AjvJsonSchemaValidator["getValidator"]>;

const ajv = new AjvJsonSchemaValidator();
const checks = new Map<string, Check>();

/**
 * The validator of the 1.x client, which compiles a schema when the first answer comes and
 * keeps it: compiling those of all tools for each list takes longer than most tests.
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

/** Fails where an answer that went well does not fit the schema listed for its tool. */
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
