/**
 * The messages between the server and a Worker: JSON text with a maximum size. Only data crosses, so
 * neither side can reach objects of the other.
 */

import { Buffer } from "node:buffer";
import { z } from "zod";
import { isErrorCode, messageOf, RefraktError } from "../errors.ts";

/** The maximum message length, in UTF-16 units. */
export const LONGEST_MESSAGE = 32 * 1024 * 1024;
/** The maximum length of error and log texts, in UTF-16 units. */
const LONGEST_TEXT = 100_000;

/** Messages from the server to a Worker. */
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
  /** An `ErrorCode`; others are ignored. */
  code: z.string().exactOptional(),
  hint: text().exactOptional(),
  data,
  /** Whether it is a permission error of Deno or the system. */
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

/** Messages from a Worker to the server. */
export type FromWorker = z.infer<typeof FROM_WORKER>;

/** Progress of a call: amount done, total, and a message. */
export type WorkerProgress = Omit<Extract<FromWorker, { type: "progress" }>, "type" | "id">;

export type WorkerLogLevel = Extract<FromWorker, { type: "log" }>["level"];

/** A serialised error. */
export type WorkerError = Omit<z.infer<typeof ERROR>, "type" | "id">;

export function encodeMessage(message: ToWorker | FromWorker): string {
  const encoded = JSON.stringify(message, bytesAsBase64);
  if (encoded.length <= LONGEST_MESSAGE) return encoded;
  throw new RefraktError("TOOL_FAILED", `Message is too long: ${encoded.length} characters`, {
    hint: "Ask for less.",
  });
}

/** Encodes bytes in base64, as in MCP content blocks; Buffer's own JSON form is larger. */
function bytesAsBase64(this: Readonly<Record<string, unknown>>, key: string, value: unknown) {
  const given = this[key];
  return given instanceof Uint8Array ? Buffer.from(given).toString("base64") : value;
}

/** Parses a message from a Worker; `undefined` if it is invalid. */
export function decodeFromWorker(sent: unknown): FromWorker | undefined {
  if (typeof sent !== "string" || sent.length > LONGEST_MESSAGE) return undefined;
  try {
    return FROM_WORKER.safeParse(JSON.parse(sent)).data;
  } catch {
    return undefined;
  }
}

/** Serialises an error for the server. */
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
 * Restores an error from a Worker. The hint is marked as the Worker's, because code of the
 * repository may have written it.
 *
 * @param speaker What runs in the Worker: `Plugin @acme/runes`.
 */
export function errorFromData(
  { code, message, hint, data, isRefusal }: WorkerError,
  speaker: string,
): Error {
  // No flag gives a Worker more permissions.
  if (isRefusal === true) return new RefraktError("PERMISSION_DENIED", message, { hint: CONFINED });
  if (!isErrorCode(code)) return new Error(message);
  return new RefraktError(code, message, {
    ...(hint === undefined ? {} : { hint: quoted(hint, speaker) }),
    ...(data === undefined ? {} : { data }),
  });
}

const CONFINED = "Code of the project runs in a Worker: it may read the project, and write " +
  'only what its command declares in "writes" and the user permits. It has no access to programs, ' +
  "the network, the environment or other folders.";

/** Marks a package's hint as a quotation, so that it does not read like an instruction of ours. */
export function quoted(hint: string, speaker: string): string {
  return `${speaker} says: ${JSON.stringify(hint)}`;
}
