/**
 * The pipes as a transport of the SDK. It knows which requests are still to be
 * answered, so that a client that closes its end gets the answers it asked for.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import {
  type JSONRPCMessage,
  ReadBuffer,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";
import { exitProcess } from "../sandbox/pipes.ts";
import { logLine } from "./log.ts";
import { createMcpServer, type ServedWorkspace, type ServeOptions } from "./server.ts";

/** How long requests that are under way may go on when the client's input has ended, in milliseconds. */
const GRACE = 5000;

/** The two ends of a connection. */
export interface Pipes {
  /** What the client sends. */
  input(): AsyncIterable<Uint8Array>;
  /** Sends bytes to the client. */
  write(bytes: Uint8Array): Promise<void>;
  /** The id of an `initialize` that has its answer already. */
  readonly greeted: string | number | undefined;
}

/** Serves a workspace on pipes; the process ends with its client. */
export function serveTransport(
  workspace: ServedWorkspace,
  options: ServeOptions,
  pipes: Pipes,
): void {
  // Compiling the checks of each message takes longer than a session of them saves.
  z.config({ jitless: true });
  const listened = new Set<string>();
  serveStdio((request) => createMcpServer(workspace, options, request, listened), {
    transport: pipeTransport(pipes, listened),
    onerror: (error) => {
      logLine(options.logLevel ?? "info", "warning", "stdio", error.message);
    },
  });
}

/** @param listened Collects the resources that a client of the newer era listens to. */
function pipeTransport({ input, write, greeted }: Pipes, listened: Set<string>): Transport {
  const open = new Set<unknown>();
  const buffer = new ReadBuffer();
  const encoder = new TextEncoder();
  let unanswered = greeted;
  let sent: Promise<void> = Promise.resolve();
  let wake: (() => void) | undefined;
  const settle = (id: unknown) => {
    open.delete(id);
    if (open.size === 0) wake?.();
  };
  const note = (message: JSONRPCMessage) => {
    if (!("method" in message)) return;
    if (message.method === "subscriptions/listen") {
      for (const uri of wantedResources(message.params)) listened.add(uri);
    } else if ("id" in message) {
      open.add(message.id);
    } else if (message.method === "notifications/cancelled") {
      settle((message.params as { requestId?: unknown } | undefined)?.requestId);
    }
  };
  const deliver = () => {
    for (;;) {
      try {
        const message = buffer.readMessage();
        if (message === null) return;
        note(message);
        transport.onmessage?.(message);
      } catch (error) {
        transport.onerror?.(error as Error);
      }
    }
  };
  const read = async () => {
    try {
      for await (const chunk of input()) {
        buffer.append(Buffer.from(chunk));
        deliver();
      }
    } catch (error) {
      // The pipe broke, or one message was larger than the buffer may become.
      transport.onerror?.(error as Error);
    }
    const idle = async () => {
      if (open.size > 0) await new Promise<void>((resolve) => wake = resolve);
      await sent;
    };
    await Promise.race([idle(), new Promise((resolve) => setTimeout(resolve, GRACE))]);
    await transport.close();
  };
  const transport: Transport = {
    start: () => {
      void read();
      return Promise.resolve();
    },
    send: async (message) => {
      const answer = isAnswer(message);
      if (answer && message.id === unanswered) {
        // The client has this answer already; the SDK's own stays here.
        unanswered = undefined;
      } else {
        try {
          await (sent = write(encoder.encode(serializeMessage(message))));
        } catch {
          // Nobody reads the answers any more.
          await transport.close();
        }
      }
      if (answer) settle(message.id);
    },
    close: () => {
      transport.onclose?.();
      exitProcess(0);
    },
  };
  return transport;
}

/** The resources that a `subscriptions/listen` request names. */
function wantedResources(params: unknown): string[] {
  const { notifications } = (params ?? {}) as { notifications?: Record<string, unknown> };
  const uris = notifications?.["resourceSubscriptions"];
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string") : [];
}

function isAnswer(message: JSONRPCMessage): message is JSONRPCMessage & { id: string | number } {
  return "id" in message && ("result" in message || "error" in message);
}
