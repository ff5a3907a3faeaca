/** JSON that clients send: bounded in size and levels before it is parsed, over stdio and HTTP. */

import { Buffer } from "node:buffer";
import {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { fieldOf } from "../io/json.ts";

/** The largest message, in bytes. */
const MOST_BYTES = 10_000_000;

/** How deep objects and lists may be nested: parsers and checks of deeper ones are costly. */
const MOST_NESTED = 64;

const MOST_MESSAGES = 100;

const NEW_LINE = 0x0a;

interface Unreadable {
  /** The status over HTTP. */
  readonly status: number;
  readonly code: ProtocolErrorCode;
  readonly message: string;
}

const BROKEN: Unreadable = {
  status: 400,
  code: ProtocolErrorCode.ParseError,
  message: "Parse error: the message is not JSON",
};

function invalid(message: string, status = 400): Unreadable {
  return { status, code: ProtocolErrorCode.InvalidRequest, message };
}

/** The bytes of a JSON text that arrives in chunks. A text that is too large is dropped. */
class JsonText {
  #chunks: Uint8Array[] = [];
  size = 0;

  add(chunk: Uint8Array): void {
    this.size += chunk.length;
    if (this.size > MOST_BYTES) this.#chunks = [];
    else this.#chunks.push(chunk);
  }

  /** Returns the parsed text; `undefined` for an empty one. */
  parsed(): { readonly value: unknown } | Unreadable | undefined {
    if (this.size > MOST_BYTES) return invalid(`The message exceeds ${MOST_BYTES} bytes`, 413);
    const text = new TextDecoder().decode(Buffer.concat(this.#chunks));
    if (text.trim() === "") return undefined;
    if (isTooDeep(text)) {
      return invalid(`The message is nested more than ${MOST_NESTED} levels deep`);
    }
    try {
      const value: unknown = JSON.parse(text);
      const isTooLong = Array.isArray(value) && value.length > MOST_MESSAGES;
      return isTooLong ? invalid(`The list has more than ${MOST_MESSAGES} messages`) : { value };
    } catch {
      return BROKEN;
    }
  }
}

/** Counts brackets outside of strings. */
function isTooDeep(text: string): boolean {
  let levels = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') isInString = !isInString;
    else if (isInString) {
      if (character === "\\") at++;
    } else if (character === "[" || character === "{") {
      if (++levels > MOST_NESTED) return true;
    } else if (character === "]" || character === "}") levels--;
  }
  return false;
}

/** Reads the JSON of a request's body; of one that is too large, the rest is not read. */
export async function readJson(
  body: ReadableStream<Uint8Array> | null,
): Promise<{ readonly value: unknown } | Unreadable> {
  const text = new JsonText();
  try {
    for await (const chunk of body ?? []) {
      text.add(chunk);
      if (text.size > MOST_BYTES) break;
    }
  } catch {
    return BROKEN;
  }
  return text.parsed() ?? BROKEN;
}

export async function* messagesIn(
  input: AsyncIterable<Uint8Array>,
): AsyncGenerator<ReturnType<typeof messageFrom>> {
  let line = new JsonText();
  for await (const chunk of input) {
    let start = 0;
    for (let end = 0; (end = chunk.indexOf(NEW_LINE, start)) >= 0; start = end + 1) {
      line.add(chunk.subarray(start, end));
      const parsed = line.parsed();
      line = new JsonText();
      if (parsed !== undefined) yield messageFrom(parsed);
    }
    line.add(chunk.subarray(start));
  }
}

/** A message, or the error to answer it with. */
function messageFrom(
  parsed: { readonly value: unknown } | Unreadable,
): { readonly message: JSONRPCMessage } | { readonly answer: string } {
  if ("message" in parsed) return { answer: errorAnswer(null, parsed) };
  const { value } = parsed;
  try {
    return { message: parseJSONRPCMessage(value) };
  } catch {
    const id = fieldOf(value, "id");
    // The id of a response belongs to a request of this server.
    const isRequest = fieldOf(value, "result") === undefined &&
      fieldOf(value, "error") === undefined && (typeof id === "string" || typeof id === "number");
    const error = invalid("Invalid request: the message is not a JSON-RPC 2.0 request of MCP");
    return { answer: errorAnswer(isRequest ? id : null, error) };
  }
}

/** An error response as text. JSON-RPC requires `null` for an unknown id. */
function errorAnswer(id: string | number | null, { code, message }: Unreadable): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
}
