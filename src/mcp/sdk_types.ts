/**
 * Values in the types of the SDK, which knows no readonly lists and fields.
 *
 * @module
 */

import type { InputRequest as SdkInputRequest, Tool } from "@modelcontextprotocol/server";
import type { InputRequest } from "../tools/context.ts";
import type { JsonSchema } from "../tools/schema.ts";

/** A type without `readonly`, at any depth. */
export type Mutable<Value> = Value extends object
  ? { -readonly [Field in keyof Value]: Mutable<Value[Field]> }
  : Value;

/** The value itself: the SDK only reads what it sends. */
export function mutable<Value>(value: Value): Mutable<Value> {
  return value as Mutable<Value>;
}

/** The schema of a tool's input or output, which is JSON. */
export function objectSchema(schema: JsonSchema): Tool["inputSchema"] {
  return schema as Tool["inputSchema"];
}

/** What a tool asks the client for; the SDK checks the parameters when it sends them. */
export function inputRequest(request: InputRequest): SdkInputRequest {
  return { params: {}, ...request } as SdkInputRequest;
}
