/**
 * Results and errors in the words of the protocol.
 *
 * @module
 */

import { ProtocolError } from "@modelcontextprotocol/server";
import type { RefraktError } from "../errors.ts";
import type { Overflow } from "../surface/overflow.ts";
import { shapeResult } from "../surface/shape.ts";

/** A `tools/call` result; extra keys are kept by both protocol eras. */
export interface ToolResultMessage {
  /** What the model reads. */
  content: (
    | { type: "text"; text: string }
    | {
      type: "resource_link";
      uri: string;
      name: string;
      description: string;
      mimeType: string;
    }
  )[];
  /** The same facts as data. */
  structuredContent?: Record<string, unknown>;
  /** It is an error. */
  isError?: boolean;
  /** The stable code of an error. */
  errorCode?: string;
  /** What to do about it. */
  hint?: string;
  /** The code and the hint again, for clients that drop what they do not know. */
  _meta?: Record<string, unknown>;
  /** The index signature of the protocol's result. */
  [key: string]: unknown;
}

/** The codes of JSON-RPC and of MCP that resource errors use. */
const RESOURCE_NOT_FOUND = -32002;
const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

/** The result of a call that went well. */
export function successMessage(
  value: unknown,
  budget: number,
  overflow: Overflow,
): ToolResultMessage {
  const shaped = shapeResult(value, budget);
  const message: ToolResultMessage = { content: [{ type: "text", text: shaped.text }] };
  if (shaped.structured !== undefined) message.structuredContent = shaped.structured;
  if (shaped.whole !== undefined) {
    const { uri, pages } = overflow.keep(shaped.whole);
    message.content.push({
      type: "resource_link",
      uri,
      name: "whole result",
      description: `The whole result, ${shaped.whole.length} characters in ${pages} pages: ` +
        `read ${uri}?page=1 to ${pages}.`,
      mimeType: "text/plain",
    });
  }
  return message;
}

/** The result of a call that failed: a text to act on, and the code and hint as data. */
export function errorMessage(error: RefraktError): ToolResultMessage {
  const { code, hint, message } = error;
  const text = hint === undefined ? message : `${message}\n\n${hint}`;
  return {
    isError: true,
    content: [{ type: "text", text }],
    errorCode: code,
    ...(hint === undefined ? {} : { hint }),
    _meta: {
      errorCode: code,
      ...(hint === undefined ? {} : { hint }),
      ...(error.data === undefined ? {} : { data: error.data }),
    },
  };
}

/** A failed read: a protocol error with the code, the hint and the URI as data. */
export function resourceError(error: RefraktError, uri: string): ProtocolError {
  const code = error.code === "NOT_FOUND" || error.code === "SPEC_NOT_FOUND"
    ? RESOURCE_NOT_FOUND
    : error.code === "INVALID_ARGS"
    ? INVALID_PARAMS
    : INTERNAL_ERROR;
  const text = error.hint === undefined
    ? error.message
    : `${error.message.replace(/\.$/, "")}. ${error.hint}`;
  return new ProtocolError(code, `Failed to read resource: ${text}`, {
    uri,
    errorCode: error.code,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
  });
}

/** A failed prompt or completion. */
export function requestError(error: RefraktError): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, error.message, {
    errorCode: error.code,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
  });
}
