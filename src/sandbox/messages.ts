/**
 * What goes between the server and a Worker: JSON texts, bounded in size. Nothing
 * but data crosses, so neither side can reach objects of the other.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { isErrorCode, messageOf, RefraktError } from "../errors.ts";
import { isObject } from "../io/json.ts";

/** The longest message, in UTF-16 units; a result is cut to a thousandth of it. */
export const LONGEST_MESSAGE = 32 * 1024 * 1024;

/** How severe a line of a Worker's log is. */
export type WorkerLogLevel = "debug" | "info" | "warning" | "error";

/** How far a call is. */
export interface WorkerProgress {
  /** How much is done. */
  readonly progress: number;
  /** How much there is in all. */
  readonly total?: number;
  /** One short line for a person. */
  readonly message?: string;
}

/** What the server sends to a Worker. */
export type ToWorker =
  | { readonly type: "start"; readonly root: string; readonly leftOut: readonly string[] }
  | {
    readonly type: "call";
    readonly id: number;
    readonly method: string;
    readonly params: unknown;
    readonly canConfirm: boolean;
  }
  | { readonly type: "cancel"; readonly id: number }
  | { readonly type: "answer"; readonly id: number; readonly yes: boolean }
  | { readonly type: "memory"; readonly id: number };

/** What a Worker sends to the server. */
export type FromWorker =
  | { readonly type: "result"; readonly id: number; readonly value?: unknown }
  | {
    readonly type: "error";
    readonly id: number;
    readonly error: WorkerError;
    /** Whether the runtime, or the system, refused what the code tried. */
    readonly isRefusal?: boolean;
  }
  | ({ readonly type: "progress"; readonly id: number } & WorkerProgress)
  | {
    readonly type: "log";
    readonly id: number;
    readonly level: WorkerLogLevel;
    readonly message: string;
    readonly data?: Readonly<Record<string, unknown>>;
  }
  | { readonly type: "question"; readonly id: number; readonly text: string }
  | { readonly type: "loading"; readonly id: number; readonly module?: string }
  | { readonly type: "memory"; readonly id: number; readonly bytes: number };

/** An error as data. */
export interface WorkerError {
  /** One of our codes, or nothing where it is none of ours. */
  readonly code?: string;
  /** What is wrong. */
  readonly message: string;
  /** What to do next. */
  readonly hint?: string;
  /** Extra facts. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** A message as text. */
export function encodeMessage(message: ToWorker | FromWorker): string {
  const text = JSON.stringify(message, bytesAsBase64);
  if (text.length <= LONGEST_MESSAGE) return text;
  throw new RefraktError("TOOL_FAILED", `Message is too long: ${text.length} characters`, {
    hint: "Ask for less.",
  });
}

/** Bytes, as MCP's content blocks have them; a Buffer has a form of its own that is larger. */
function bytesAsBase64(this: Readonly<Record<string, unknown>>, key: string, value: unknown) {
  const given = this[key];
  return given instanceof Uint8Array ? Buffer.from(given).toString("base64") : value;
}

/** What a Worker sent; `undefined` where it is no message. The fields are checked, not their use. */
export function decodeFromWorker(sent: unknown): FromWorker | undefined {
  if (typeof sent !== "string" || sent.length > LONGEST_MESSAGE) return undefined;
  let message: unknown;
  try {
    message = JSON.parse(sent);
  } catch {
    return undefined;
  }
  if (!isObject(message)) return undefined;
  const { type, id } = message;
  if (typeof type !== "string" || typeof id !== "number") return undefined;
  return READERS.get(type)?.(id, message);
}

type Fields = Readonly<Record<string, unknown>>;

/** Each kind of message, made anew of the fields that it may have. */
const READERS: ReadonlyMap<string, (id: number, fields: Fields) => FromWorker> = new Map<
  string,
  (id: number, fields: Fields) => FromWorker
>([
  ["result", (id, { value }) => ({ type: "result", id, value })],
  ["error", (id, { error, isRefusal }) => ({
    type: "error",
    id,
    error: readError(error),
    isRefusal: isRefusal === true,
  })],
  ["progress", (id, { progress, total, message }) => ({
    type: "progress",
    id,
    progress: Number(progress) || 0,
    ...(typeof total === "number" ? { total } : {}),
    ...(typeof message === "string" ? { message: message.slice(0, 500) } : {}),
  })],
  ["log", (id, { level, message, data }) => ({
    type: "log",
    id,
    level: level === "info" || level === "warning" || level === "error" ? level : "debug",
    message: String(message).slice(0, 100_000),
    ...(isObject(data) ? { data } : {}),
  })],
  ["question", (id, { text }) => ({ type: "question", id, text: String(text).slice(0, 2000) })],
  ["loading", (id, { module }) => ({
    type: "loading",
    id,
    ...(typeof module === "string" ? { module: module.slice(0, 4000) } : {}),
  })],
  ["memory", (id, { bytes }) => ({ type: "memory", id, bytes: Number(bytes) || 0 })],
]);

function readError(error: unknown): WorkerError {
  const { code, message, hint, data } = isObject(error) ? error : {};
  return {
    message: typeof message === "string" ? message.slice(0, 100_000) : "It failed",
    ...(typeof code === "string" ? { code } : {}),
    ...(typeof hint === "string" ? { hint: hint.slice(0, 100_000) } : {}),
    ...(isObject(data) ? { data } : {}),
  };
}

/** An error as data, for the way to the server. */
export function errorToData(error: unknown): WorkerError {
  if (error instanceof RefraktError) {
    const { code, message, hint, data } = error;
    return {
      code,
      message,
      ...(hint === undefined ? {} : { hint }),
      ...(data === undefined ? {} : { data }),
    };
  }
  return { message: messageOf(error) };
}

/**
 * The error that a Worker reported.
 *
 * @param speaker Whose hints these are, where they are not our own: `Plugin @acme/runes`.
 */
export function errorFromData(
  { error: { code, message, hint, data }, isRefusal }: Extract<FromWorker, { type: "error" }>,
  speaker?: string,
): Error {
  // No flag opens the rest to code in a Worker.
  if (isRefusal === true) return new RefraktError("PERMISSION_DENIED", message, { hint: CONFINED });
  if (!isErrorCode(code)) return new Error(message);
  return new RefraktError(code, message, {
    ...(hint === undefined ? {} : { hint: speaker === undefined ? hint : quoted(hint, speaker) }),
    ...(data === undefined ? {} : { data }),
  });
}

const CONFINED =
  "Code of the project runs apart from the server: it reads the project, and writes " +
  'only what its command declares in "writes" and the user has granted. It neither runs programs ' +
  "nor reaches the network, the environment or other folders.";

/** A hint of a package, marked as such: ours are instructions, a package's are what it says. */
export function quoted(hint: string, speaker: string): string {
  return `${speaker} says: ${JSON.stringify(hint)}`;
}
