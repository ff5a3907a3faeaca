/**
 * Results and errors in the words of the protocol.
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

/** The result of a call that went well. */
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

/**
 * The result of a call that failed: a text to act on, and the code and hint as data. They stand
 * in `_meta` again, for clients that drop the fields that they do not know.
 */
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

/** The most characters of a message, of a hint and of the facts for programs: input may be in them. */
const MOST_TEXT = 10_000;

/** What an error says, in bounds. */
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

/** Whether an error says that what was named does not exist. */
export function isNotFoundCode(code: unknown): boolean {
  return code === "NOT_FOUND" || code === "SPEC_NOT_FOUND";
}

/** A failed read: a protocol error with the code, the hint and the URI as data. */
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

/** A failed prompt or completion. */
export function requestError(error: RefraktError): ProtocolError {
  const { code, hint, message } = bounded(error);
  return new ProtocolError(CODES.invalidParams, message, {
    errorCode: code,
    ...(hint === undefined ? {} : { hint }),
  });
}

/** What a client is sent that has to answer first: a result, or an error where it cannot. */
export function replyOf({ reply }: InputNeeded): InputRequiredResult {
  if (isInputRequiredResult(reply)) return reply;
  throw reply;
}
