/**
 * Converts results and errors to the protocol's messages.
 *
 * @module
 */

import {
  type CallToolResult,
  type InputRequiredResult,
  isInputRequiredResult,
  ProtocolError,
} from "@modelcontextprotocol/server";
import type { RefraktError } from "../errors.ts";
import type { InputNeeded } from "../tools/context.ts";
import { CODES } from "./error_codes.ts";
import { mutable } from "./listing.ts";
import { type Limits, shapeResult } from "../tools/shape.ts";

export function successMessage(
  value: unknown,
  limits: Limits,
  dataAlone = false,
): CallToolResult {
  const { content, structured, meta } = shapeResult(value, limits, dataAlone);
  return {
    content: mutable(content),
    ...(structured === undefined ? {} : { structuredContent: structured }),
    ...(meta === undefined ? {} : { _meta: mutable(meta) }),
  };
}

/** A failed call. `_meta` repeats the code and the hint for clients that drop unknown fields. */
export function errorMessage(error: RefraktError): CallToolResult {
  const { code, hint, message, data } = bounded(error);
  const text = hint === undefined ? message : `${message}\n\n${hint}`;
  return {
    isError: true,
    content: [{ type: "text", text }],
    errorCode: code,
    ...(hint === undefined ? {} : { hint }),
    _meta: {
      errorCode: code,
      ...(hint === undefined ? {} : { hint }),
      ...(data === undefined ? {} : { data }),
    },
  };
}

/** Limit for the message, the hint and the data: they may contain input. */
const MOST_TEXT = 10_000;

function bounded({ code, message, hint, data }: RefraktError) {
  return {
    code,
    message: cut(message),
    hint: hint === undefined ? undefined : cut(hint),
    data: data === undefined || JSON.stringify(data).length > MOST_TEXT ? undefined : data,
  };
}

function cut(text: string): string {
  return text.length <= MOST_TEXT ? text : `${text.slice(0, MOST_TEXT).toWellFormed()}…`;
}

export function isNotFoundCode(code: unknown): boolean {
  return code === "NOT_FOUND" || code === "SPEC_NOT_FOUND";
}

/** A protocol error for a failed read, with the code, the hint and the URI as data. */
export function resourceError(error: RefraktError, uri: string, act = "read"): ProtocolError {
  const { code: errorCode, message, hint } = bounded(error);
  const code = isNotFoundCode(errorCode)
    ? CODES.resourceNotFound
    : errorCode === "INVALID_ARGS"
    ? CODES.invalidParams
    : CODES.internalError;
  const text = hint === undefined ? message : `${message.replace(/\.$/, "")}. ${hint}`;
  return new ProtocolError(code, `Failed to ${act} resource: ${text}`, {
    uri: cut(uri),
    errorCode,
    ...(hint === undefined ? {} : { hint }),
  });
}

export function requestError(error: RefraktError): ProtocolError {
  const { code, hint, message } = bounded(error);
  return new ProtocolError(CODES.invalidParams, message, {
    errorCode: code,
    ...(hint === undefined ? {} : { hint }),
  });
}

/** The reply that requests input, thrown if it is an error. */
export function replyOf({ reply }: InputNeeded): InputRequiredResult {
  if (isInputRequiredResult(reply)) return reply;
  throw reply;
}
