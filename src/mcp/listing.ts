/**
 * Converts list entries to SDK types, and bounds their texts: plugins write them, so they may hide or
 * repeat anything.
 */

import type { Tool } from "@modelcontextprotocol/server";
import { shortLine, shortText, withEscapes } from "../plain_text.ts";
import type { ListedEntry } from "../plugin/content.ts";
import type { JsonSchema } from "../plugin/schema.ts";

/** Removes `readonly` at any depth. */
export type Mutable<Value> = Value extends object
  ? { -readonly [Field in keyof Value]: Mutable<Value[Field]> }
  : Value;

/** A cast: the SDK does not modify what it sends. */
export function mutable<Value>(value: Value): Mutable<Value> {
  return value as Mutable<Value>;
}

export function objectSchema(schema: JsonSchema): Tool["inputSchema"] {
  return schema as Tool["inputSchema"];
}

export function boundedTitle(title: string): string {
  return shortLine(withEscapes(title), 120);
}

export function boundedDescription(description: string): string {
  return shortText(withEscapes(description), 2000);
}

export function listedFields({ title, description, _meta }: ListedEntry) {
  return {
    title: boundedTitle(title),
    description: boundedDescription(description),
    ...(_meta === undefined ? {} : { _meta: { ..._meta } }),
  };
}
