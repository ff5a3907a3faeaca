/**
 * The stdio transport: it owns the real stdout, and ends with its client.
 *
 * @module
 */

import { PassThrough } from "node:stream";
import { serveStdio as serve, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { exitProcess } from "../sandbox/process_guard.ts";
import { realStdout, reserveStdio } from "../sandbox/stdio.ts";
import { logLine } from "./log.ts";
import { createMcpServer, type ServedWorkspace, type ServeOptions } from "./server.ts";

/** How long requests that are under way may go on when the client's input has ended, in milliseconds. */
const GRACE = 5000;

/** Serves a workspace on the process's stdin and stdout, until stdin ends. */
export function serveOnStdio(workspace: ServedWorkspace, options: ServeOptions = {}): void {
  const stdin = reserveStdio();
  const input = new PassThrough();
  const output = realStdout();
  const inner = new StdioServerTransport(input, output);
  const listened = new Set<string>();
  const { transport, idle } = trackRequests(inner, listened);
  stdin.on("data", (chunk: Uint8Array) => input.write(chunk));
  stdin.on("error", () => input.end());
  stdin.on("end", async () => {
    // A message that was sent is in the stream's buffer; it is out when the stream has ended.
    const done = idle().then(() => new Promise<void>((resolve) => output.end(() => resolve())));
    await Promise.race([done, new Promise((resolve) => setTimeout(resolve, GRACE))]);
    await inner.close();
    exitProcess(0);
  });
  serve((request) => createMcpServer(workspace, options, request, listened), {
    transport,
    onerror: (error) => {
      logLine(options.logLevel ?? "info", "warning", "stdio", error.message);
    },
  });
}

/** Knows which requests are still to be answered, and when all answers are out. */
function trackRequests(
  inner: StdioServerTransport,
  listened: Set<string>,
): { transport: Transport; idle: () => Promise<void> } {
  const open = new Set<unknown>();
  const sending = new Set<Promise<void>>();
  let wake: (() => void) | undefined;
  const settle = (id: unknown) => {
    open.delete(id);
    if (open.size === 0) wake?.();
  };
  const transport: Transport = {
    start: () => inner.start(),
    close: () => inner.close(),
    send: async (message) => {
      const sent = inner.send(message);
      sending.add(sent);
      try {
        await sent;
      } finally {
        sending.delete(sent);
        if (isAnswer(message)) settle(message.id);
      }
    },
  };
  inner.onmessage = (message) => {
    if ("method" in message && message.method === "subscriptions/listen") {
      for (const uri of wantedResources(message.params)) listened.add(uri);
    } else if ("method" in message && "id" in message) {
      open.add(message.id);
    } else if ("method" in message && message.method === "notifications/cancelled") {
      settle((message.params as { requestId?: unknown } | undefined)?.requestId);
    }
    transport.onmessage?.(message);
  };
  inner.onerror = (error) => transport.onerror?.(error);
  inner.onclose = () => {
    transport.onclose?.();
    exitProcess(0);
  };
  return {
    transport,
    idle: async () => {
      if (open.size > 0) await new Promise<void>((resolve) => wake = resolve);
      await Promise.allSettled([...sending]);
    },
  };
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
