/** Converts results and errors to the protocol's messages. */

import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import type { RefraktError } from "../errors.ts";

/** A failed call. `_meta` repeats the code and the hint for clients that drop unknown fields. */
export function errorMessage(error: RefraktError): CallToolResult {
  const { message, fields } = bounded(error);
  const { data } = error;
  const isShort = data !== undefined && JSON.stringify(data).length <= MOST_TEXT;
  return {
    isError: true,
    content: [{ type: "text", text: fields.hint ? `${message}\n\n${fields.hint}` : message }],
    ...fields,
    _meta: { ...fields, ...(isShort ? { data } : {}) },
  };
}

/** Limit for the message, the hint and the data: they may contain input. */
const MOST_TEXT = 10_000;

function bounded({ code, message, hint }: RefraktError) {
  return {
    message: cut(message),
    fields: { errorCode: code, ...(hint === undefined ? {} : { hint: cut(hint) }) },
  };
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
  return new ProtocolError(code, `Failed to read resource: ${text}`, {
    uri: cut(uri),
    ...fields,
  });
}

export function requestError(error: RefraktError): ProtocolError {
  const { message, fields } = bounded(error);
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, fields);
}
