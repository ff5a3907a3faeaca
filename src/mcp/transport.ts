/**
 * The pipes as a transport of the SDK. Every message gets an answer, also one that is no
 * JSON-RPC; a client that closes its end gets the answers it asked for, and one that
 * does not read is not served further.
 *
 * @module
 */

import type { JSONRPCMessage, JSONRPCRequest, Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";
import { errorOf } from "../errors.ts";
import { fieldOf, isObject, textOf } from "../io/json.ts";
import { exitProcess } from "../io/pipes.ts";
import type { Workspace } from "../tools/workspace.ts";
import { createBatches } from "./batches.ts";
import { idOf, type Line, MOST_BYTES, readLines } from "./framing.ts";
import { createListened, type Listened } from "./listened.ts";
import { logLine } from "./log.ts";
import { answerableId, CODES, isMessage, messageProblem, type RpcError } from "./requests.ts";
import { createMcpServer } from "./server.ts";
import type { ServeOptions } from "./session.ts";
import { MOST_SUBSCRIPTIONS } from "./subscriptions.ts";
import { watchOf } from "./watch.ts";

/** How long requests that are under way may go on when the client's input has ended, in milliseconds. */
const GRACE_MS = 5000;

/** How many requests are worked on at a time; the others wait. */
const MOST_OPEN = 64;

/** How many bytes of answers may wait for the client to read before no more requests are taken up. */
const MOST_UNREAD = 4_000_000;

/** How many requests may wait before no more input is read. */
const MOST_WAITING = 10_000;

/** The revision of the protocol that has batches. */
const BATCH_VERSION = "2025-03-26";

/** An answer to a request, or to something that has no id because it cannot be read. */
interface Answer {
  readonly id?: unknown;
  readonly [field: string]: unknown;
}

/** The two ends of a connection. */
export interface Pipes {
  /** What the client sends. */
  input(): AsyncIterable<Uint8Array>;
  /** Sends bytes to the client. */
  write(bytes: Uint8Array): Promise<void>;
}

/** Serves a workspace on pipes; the process ends with its client. */
export function serveTransport(workspace: Workspace, options: ServeOptions, pipes: Pipes): void {
  // Compiling the checks of each message takes longer than a session of them saves.
  z.config({ jitless: true });
  const listened = createListened(workspace, MOST_SUBSCRIPTIONS);
  serveStdio((request) => createMcpServer(workspace, options, request, listened.uris), {
    transport: pipeTransport(pipes, async (params) => {
      const added = await listened.add(params);
      // The client is told of what changes from now on.
      if ("end" in added) await watchOf(workspace).check();
      return added;
    }),
    onerror: (error) => {
      logLine(options.logLevel ?? "info", "warning", "stdio", error.message);
    },
  });
}

/** @param listen Looks at what a client of the newer era wants to listen to, and may refuse. */
function pipeTransport({ input, write }: Pipes, listen: Listened["add"]): Transport {
  const encoder = new TextEncoder();
  const open = new Set<unknown>();
  const waiting: JSONRPCRequest[] = [];
  /** What ends each request that listens; nothing yet for one that is being looked at. */
  const listening = new Map<unknown, (() => void) | undefined>();
  const batches = createBatches();
  let version: string | undefined;
  let unread = 0;
  let sent: Promise<void> = Promise.resolve();
  /** Called whenever a request is answered or the client has read something. */
  let wake: (() => void) | undefined;
  const progress = () => {
    takeUp();
    wake?.();
  };
  const changed = () => new Promise<void>((resolve) => wake = resolve);

  const writeOut = async (message: unknown) => {
    const bytes = encoder.encode(`${JSON.stringify(message)}\n`);
    unread += bytes.length;
    try {
      await (sent = write(bytes));
    } catch {
      // The client has closed its end.
      await transport.close();
    } finally {
      unread -= bytes.length;
      progress();
    }
  };
  /** An answer, by itself or with those to the other requests of its batch. */
  const answer = async (message: Answer) => {
    const whole = batches.take(message);
    if (whole !== undefined) await writeOut(whole);
  };
  const refuse = (error: RpcError, id: string | number | null) =>
    void answer({ jsonrpc: "2.0", id, error });

  const settle = (id: unknown) => {
    open.delete(id);
    listening.get(id)?.();
    listening.delete(id);
    progress();
  };
  const startListening = async (message: JSONRPCRequest) => {
    const { id } = message;
    listening.set(id, undefined);
    const added = await listen(message.params);
    if (!listening.has(id)) {
      // It was cancelled meanwhile.
      if ("end" in added) added.end();
    } else if ("refusal" in added) {
      refuse(added.refusal, id);
      settle(id);
    } else {
      listening.set(id, added.end);
      deliver(message);
    }
  };
  const deliver = (message: JSONRPCMessage) => {
    try {
      transport.onmessage?.(message);
    } catch (error) {
      transport.onerror?.(errorOf(error));
    }
  };
  const takeUp = () => {
    while (waiting.length > 0 && open.size < MOST_OPEN && unread < MOST_UNREAD) {
      const request = waiting.shift()!;
      open.add(request.id);
      deliver(request);
    }
  };
  const receive = (message: unknown) => {
    if (!isMessage(message)) {
      // JSON-RPC: a notification is not answered, not even with an error.
      if (isNotification(message)) return;
      return refuse(messageProblem(message)!, answerableId(message));
    }
    if ("method" in message && message.method === "notifications/cancelled") {
      cancel(fieldOf(message.params, "requestId"));
    }
    if (!isRequest(message)) return deliver(message);
    if (message.method === "subscriptions/listen") {
      settle(message.id);
      void startListening(message);
      return;
    }
    waiting.push(message);
    takeUp();
  };
  const cancel = (id: unknown) => {
    const at = waiting.findIndex((request) => request.id === id);
    if (at !== -1) waiting.splice(at, 1);
    batches.forget(id);
    settle(id);
  };
  const receiveLine = (line: Line) => {
    if (!("text" in line)) {
      const message = `Message too large: it has more than ${MOST_BYTES} bytes`;
      return refuse({ code: CODES.invalidRequest, message }, idOf(line));
    }
    const text = line.text.trim();
    if (text === "") return;
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      return refuse({ code: CODES.parseError, message: "Parse error: this is not JSON" }, null);
    }
    if (!Array.isArray(parsed)) return receive(parsed);
    if (version !== BATCH_VERSION || parsed.length === 0) {
      const message = parsed.length === 0
        ? "Invalid request: the batch is empty"
        : `Invalid request: batches belong to ${BATCH_VERSION} alone`;
      return refuse({ code: CODES.invalidRequest, message }, null);
    }
    batches.begin(parsed.map(answerableId).filter((id) => id !== null));
    for (const message of parsed) receive(message);
  };
  const read = async () => {
    try {
      for await (const line of readLines(input())) {
        receiveLine(line);
        while (waiting.length + listening.size > MOST_WAITING || unread > MOST_UNREAD) {
          await changed();
        }
      }
    } catch (error) {
      // The pipe broke.
      transport.onerror?.(errorOf(error));
    }
    const idle = async () => {
      while (open.size > 0 || waiting.length > 0) await changed();
      await sent;
    };
    await Promise.race([idle(), new Promise((resolve) => setTimeout(resolve, GRACE_MS))]);
    await transport.close();
  };

  const transport: Transport = {
    start: () => {
      void read();
      return Promise.resolve();
    },
    send: async (message) => {
      if (!isAnswer(message)) return await writeOut(message);
      version ??= handshakeVersion(message);
      await answer(message);
      settle(message.id);
    },
    close: () => {
      transport.onclose?.();
      exitProcess(0);
    },
  };
  return transport;
}

/** The revision that an answer to `initialize` settles on. */
function handshakeVersion(message: JSONRPCMessage): string | undefined {
  return "result" in message ? textOf(fieldOf(message.result, "protocolVersion")) : undefined;
}

function isNotification(message: unknown): boolean {
  return isObject(message) && !("id" in message) && typeof message["method"] === "string";
}

function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return "method" in message && "id" in message;
}

function isAnswer(message: JSONRPCMessage): message is JSONRPCMessage & { id: string | number } {
  return "id" in message && ("result" in message || "error" in message);
}
