/**
 * Converts results, errors and list entries to the protocol's messages, with bounded texts: plugins
 * and callers write them, so they may hide or repeat anything.
 */

import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import type { RefraktError } from "../errors.ts";
import { shortLine, shortText, withEscapes } from "../plain_text.ts";
import type { ListedEntry } from "../plugin/content.ts";

/** Removes `readonly` at any depth. */
type Mutable<Value> = Value extends object
  ? { -readonly [Field in keyof Value]: Mutable<Value[Field]> }
  : Value;

/** A cast: the SDK does not modify what it sends. */
export function mutable<Value>(value: Value): Mutable<Value> {
  return value as Mutable<Value>;
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
    _meta: _meta && { ..._meta },
  };
}

/** A failed call. `_meta` repeats the code and the hint for clients that drop unknown fields. */
export function errorMessage(error: RefraktError): CallToolResult {
  const { message, fields } = bounded(error);
  const isLong = JSON.stringify(error.data ?? "").length > MOST_TEXT;
  return {
    isError: true,
    content: [{ type: "text", text: fields.hint ? `${message}\n\n${fields.hint}` : message }],
    ...fields,
    _meta: { ...fields, data: isLong ? undefined : error.data },
  };
}

/** Limit for the message, the hint and the data: they may contain input. */
const MOST_TEXT = 10_000;

function bounded({ code, message, hint }: RefraktError) {
  return { message: cut(message), fields: { errorCode: code, hint: hint && cut(hint) } };
}

function cut(text: string): string {
  return text.length <= MOST_TEXT ? text : `${text.slice(0, MOST_TEXT).toWellFormed()}…`;
}

export function isNotFoundCode(code: unknown): boolean {
  return code === "NOT_FOUND" || code === "SPEC_NOT_FOUND";
}

/** A protocol error for a failed read, with the code, the hint and the URI as data. */
export function resourceError(error: RefraktError, uri: string): ProtocolError {
  const { message, fields } = bounded(error);
  const code = isNotFoundCode(error.code)
    ? ProtocolErrorCode.ResourceNotFound
    : error.code === "INVALID_ARGS"
    ? ProtocolErrorCode.InvalidParams
    : ProtocolErrorCode.InternalError;
  const text = fields.hint ? `${message.replace(/\.$/, "")}. ${fields.hint}` : message;
  return new ProtocolError(code, `Failed to read resource: ${text}`, { uri: cut(uri), ...fields });
}

export function requestError(error: RefraktError): ProtocolError {
  const { message, fields } = bounded(error);
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, fields);
}
