/**
 * What goes between the server and a Worker: JSON texts, bounded in size. Nothing but data
 * crosses, so neither side can reach objects of the other.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { z } from "zod";
import { isErrorCode, messageOf, RefraktError } from "../errors.ts";

/** The longest message, in UTF-16 units. */
export const LONGEST_MESSAGE = 32 * 1024 * 1024;
/** The longest text of an error or a log, in UTF-16 units. */
const LONGEST_TEXT = 100_000;

/** What the server sends to a Worker. */
export type ToWorker =
  | { readonly type: "start"; readonly root: string }
  | {
    readonly type: "call";
    readonly id: number;
    readonly method: string;
    readonly params: unknown;
    readonly canConfirm: boolean;
  }
  | { readonly type: "cancel"; readonly id: number }
  | { readonly type: "answer"; readonly id: number; readonly yes: boolean };

const id = z.number();
const data = z.record(z.string(), z.unknown()).exactOptional();
const text = (most = LONGEST_TEXT) => z.string().transform((given) => given.slice(0, most));

const ERROR = z.object({
  type: z.literal("error"),
  id,
  message: text(),
  /** An `ErrorCode`; another one is not taken. */
  code: z.string().exactOptional(),
  hint: text().exactOptional(),
  data,
  /** Whether the runtime, or the system, refused what the code tried. */
  isRefusal: z.boolean().exactOptional(),
});

const FROM_WORKER = z.discriminatedUnion("type", [
  ERROR,
  z.object({ type: z.literal("result"), id, value: z.unknown().optional() }),
  z.object({
    type: z.literal("progress"),
    id,
    progress: z.number(),
    total: z.number().exactOptional(),
    message: text(500).exactOptional(),
  }),
  z.object({
    type: z.literal("log"),
    id,
    level: z.enum(["debug", "info", "warning", "error"]),
    message: text(),
    data,
  }),
  z.object({ type: z.literal("question"), id, text: text(2000) }),
  z.object({ type: z.literal("loading"), id, module: text(1000) }),
]);

/** What a Worker sends to the server. */
export type FromWorker = z.infer<typeof FROM_WORKER>;

/** How far a call is: how much is done, how much there is in all, and a line for a person. */
export type WorkerProgress = Omit<Extract<FromWorker, { type: "progress" }>, "type" | "id">;

/** How severe a line of a Worker's log is. */
export type WorkerLogLevel = Extract<FromWorker, { type: "log" }>["level"];

/** An error as data. */
export type WorkerError = Omit<z.infer<typeof ERROR>, "type" | "id">;

/** A message as text. */
export function encodeMessage(message: ToWorker | FromWorker): string {
  const encoded = JSON.stringify(message, bytesAsBase64);
  if (encoded.length <= LONGEST_MESSAGE) return encoded;
  throw new RefraktError("TOOL_FAILED", `Message is too long: ${encoded.length} characters`, {
    hint: "Ask for less.",
  });
}

/** Bytes, as MCP's content blocks have them; a Buffer has a form of its own that is larger. */
function bytesAsBase64(this: Readonly<Record<string, unknown>>, key: string, value: unknown) {
  const given = this[key];
  return given instanceof Uint8Array ? Buffer.from(given).toString("base64") : value;
}

/** What a Worker sent; `undefined` for what is no message. */
export function decodeFromWorker(sent: unknown): FromWorker | undefined {
  if (typeof sent !== "string" || sent.length > LONGEST_MESSAGE) return undefined;
  try {
    return FROM_WORKER.safeParse(JSON.parse(sent)).data;
  } catch {
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
    ...(data === undefined ? {} : { data: { ...data } }),
  };
}

/**
 * The error that a Worker reported. Its hint is marked as the Worker's: code of the repository
 * can have sent it.
 *
 * @param speaker What runs in the Worker: `Plugin @acme/runes`.
 */
export function errorFromData(
  { code, message, hint, data, isRefusal }: WorkerError,
  speaker: string,
): Error {
  // No flag opens the rest to code in a Worker.
  if (isRefusal === true) return new RefraktError("PERMISSION_DENIED", message, { hint: CONFINED });
  if (!isErrorCode(code)) return new Error(message);
  return new RefraktError(code, message, {
    ...(hint === undefined ? {} : { hint: quoted(hint, speaker) }),
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
