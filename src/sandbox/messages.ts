/**
 * What goes between the server and a Worker: JSON texts, bounded in size. Nothing but data
 * crosses, so neither side can reach objects of the other.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { isErrorCode, messageOf, RefraktError } from "../errors.ts";
import { asObject, isObject } from "../io/json.ts";

/** The longest message, in UTF-16 units; a result is cut to a thousandth of it. */
export const LONGEST_MESSAGE = 32 * 1024 * 1024;
/** The longest text of an error or a log, in UTF-16 units. */
const LONGEST_TEXT = 100_000;

/** How severe a line of a Worker's log is. */
export type WorkerLogLevel = "debug" | "info" | "warning" | "error";

type Data = Readonly<Record<string, unknown>>;

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
  | { readonly type: "memory"; readonly id: number }
  | { readonly type: "answer"; readonly id: number; readonly yes: boolean };

/** What a Worker sends to the server. */
export type FromWorker =
  | { readonly type: "result"; readonly id: number; readonly value?: unknown }
  | ({ readonly type: "error"; readonly id: number } & WorkerError)
  | ({ readonly type: "progress"; readonly id: number } & WorkerProgress)
  | {
    readonly type: "log";
    readonly id: number;
    readonly level: WorkerLogLevel;
    readonly message: string;
    readonly data?: Data;
  }
  | { readonly type: "question"; readonly id: number; readonly text: string }
  | { readonly type: "loading"; readonly id: number; readonly module?: string }
  | { readonly type: "memory"; readonly id: number; readonly bytes: number };

/** An error as data. */
export interface WorkerError {
  /** An `ErrorCode`; another one is not taken. */
  readonly code?: string;
  /** What is wrong. */
  readonly message: string;
  /** What to do next. */
  readonly hint?: string;
  /** Extra facts. */
  readonly data?: Data;
  /** Whether the runtime, or the system, refused what the code tried. */
  readonly isRefusal?: boolean;
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
function bytesAsBase64(this: Data, key: string, value: unknown) {
  const given = this[key];
  return given instanceof Uint8Array ? Buffer.from(given).toString("base64") : value;
}

/** What a Worker sent; `undefined` where it is no message. The fields are checked, not their use. */
export function decodeFromWorker(sent: unknown): FromWorker | undefined {
  if (typeof sent !== "string" || sent.length > LONGEST_MESSAGE) return undefined;
  let message: Data;
  try {
    message = asObject(JSON.parse(sent));
  } catch {
    return undefined;
  }
  const { type, id, level, data } = message;
  if (typeof id !== "number") return undefined;
  const text = (name: string, most = LONGEST_TEXT) => {
    const value = message[name];
    return typeof value === "string" ? { [name]: value.slice(0, most) } : {};
  };
  const required = (name: string, most = LONGEST_TEXT) =>
    String(message[name] ?? "").slice(0, most);
  switch (type) {
    case "result":
      return { type, id, value: message["value"] };
    case "error":
      return {
        type,
        id,
        message: required("message") || "It failed",
        ...text("code"),
        ...text("hint"),
        ...(isObject(data) ? { data } : {}),
        ...(message["isRefusal"] === true ? { isRefusal: true } : {}),
      };
    case "progress": {
      const { progress, total } = message;
      const done = { type, id, progress: Number(progress) || 0, ...text("message", 500) } as const;
      return typeof total === "number" ? { ...done, total } : done;
    }
    case "log":
      return {
        type,
        id,
        level: level === "info" || level === "warning" || level === "error" ? level : "debug",
        message: required("message"),
        ...(isObject(data) ? { data } : {}),
      };
    case "question":
      return { type, id, text: required("text", 2000) };
    case "loading":
      return { type, id, ...text("module", 4000) };
    case "memory":
      return { type, id, bytes: Number(message["bytes"]) || 0 };
    default:
      return undefined;
  }
}

/** An error as data, for the way to the server. */
export function errorToData(error: unknown): WorkerError {
  if (!(error instanceof RefraktError)) return { message: messageOf(error) };
  const { code, message, hint, data } = error;
  return {
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(data === undefined ? {} : { data }),
  };
}

/**
 * The error that a Worker reported.
 *
 * @param speaker Whose hints these are, where they are not our own: `Plugin @acme/runes`.
 */
export function errorFromData(
  { code, message, hint, data, isRefusal }: WorkerError,
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
