/** Serves MCP on stdin and stdout. */

import { serializeMessage, type Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";
import { messageOf } from "../errors.ts";
import { fieldOf } from "../io/json.ts";
import { exitProcess, reserveStdio } from "../io/pipes.ts";
import type { Workspace } from "../host/open_workspace.ts";
import { logLine, type ServeOptions } from "./session.ts";
import { messagesIn } from "./received.ts";
import { createMcpServer } from "./server.ts";

/** How long running requests may continue after the input ends; clients kill after two seconds. */
const GRACE_MS = 1500;

/**
 * Serves until stdin ends, answers requests that are almost done (the SDK would drop them) and exits.
 * A signal ends the process at once: there is no listener, which would wait for running code.
 */
export async function serveOnStdio(
  workspace: Workspace,
  options: ServeOptions = {},
): Promise<void> {
  const { input, write } = reserveStdio();
  // Compiled schemas would take longer to make than they save in a session.
  z.config({ jitless: true });
  const open = new Set<unknown>();
  const answered = Promise.withResolvers<void>();
  let hasEnded = false;
  const settle = (id: unknown) => {
    open.delete(id);
    if (hasEnded && open.size === 0) answered.resolve();
  };
  const encoder = new TextEncoder();
  // The SDK's transport takes Node's streams, which take 15 ms to load.
  const transport: Transport = {
    start: () => Promise.resolve(),
    send: async (message) => {
      try {
        await write(encoder.encode(serializeMessage(message)));
      } catch (error) {
        // The pipe broke.
        await transport.close();
        throw error;
      }
      if (!("method" in message)) settle(message.id);
    },
    close: async () => {
      transport.onclose?.();
      // Wait for pending writes.
      await write(new Uint8Array()).catch(() => {});
      exitProcess(0);
    },
  };
  const { close } = serveStdio((request) => createMcpServer(workspace, options, request), {
    transport,
    onerror: ({ message }) => logLine(options.logLevel ?? "info", "warning", "stdio", message),
  });

  const { onmessage } = transport;
  transport.onmessage = (message) => {
    const method = "method" in message ? message.method : undefined;
    if (method === "notifications/cancelled") {
      settle(fieldOf(fieldOf(message, "params"), "requestId"));
    }
    // A request to listen is open until the end.
    if (method !== undefined && method !== "subscriptions/listen" && "id" in message) {
      open.add(message.id);
    }
    onmessage?.(message);
  };

  try {
    for await (const received of messagesIn(input)) {
      if ("message" in received) transport.onmessage?.(received.message);
      else await write(encoder.encode(`${received.answer}\n`));
    }
  } catch (error) {
    // The pipe broke.
    transport.onerror?.(new Error(messageOf(error)));
  }
  hasEnded = true;
  // Also if nobody reads the answers.
  setTimeout(() => exitProcess(0), GRACE_MS);
  if (open.size > 0) await answered.promise;
  await close();
}
