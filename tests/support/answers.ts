/** Holds every answer against the output schema that is listed for its tool, as real clients do. */

import assert from "node:assert/strict";
import { AjvJsonSchemaValidator } from "test/ajv";

/** An answer, and the tool that gave it. */
export interface GivenAnswer {
  /** The name under which the tool was called. */
  name: string;
  /** The answer. */
  answer: { isError?: boolean; structuredContent?: unknown };
}

/** A listed tool, as far as it is needed here. */
export interface ListedTool {
  /** Its name. */
  name: string;
  /** What its answers look like. */
  outputSchema?: unknown;
}

const ajv = new AjvJsonSchemaValidator();

/** Fails where an answer that went well does not fit the schema listed for its tool. */
export function checkAnswers(tools: readonly ListedTool[], given: readonly GivenAnswer[]): void {
  const key = (name: string) => name.replace(/[._-]/g, "_");
  const schemas = new Map(tools.map((tool) => [key(tool.name), tool.outputSchema]));
  const checks = new Map<string, (value: unknown) => { valid: boolean; errorMessage?: string }>();
  for (const { name, answer } of given) {
    const schema = schemas.get(key(name));
    if (schema === undefined || answer.isError) continue;
    const check = checks.get(key(name)) ?? ajv.getValidator(schema as never);
    checks.set(key(name), check as never);
    const { valid, errorMessage } = check(answer.structuredContent);
    const shown = JSON.stringify(answer.structuredContent)?.slice(0, 600);
    assert.ok(valid, `${name} does not keep its output schema: ${errorMessage}\n${shown}`);
  }
}
