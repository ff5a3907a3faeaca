/** Serves MCP on stdin and stdout. */

import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { Buffer } from "node:buffer";
import { Readable, Writable } from "node:stream";
import * as z from "zod";
import { fieldOf } from "../io/json.ts";
import { exitProcess, reserveStdio } from "../io/pipes.ts";
import { withTimeLimit } from "../io/time_limit.ts";
import type { Workspace } from "../tools/workspace.ts";
import { logLine } from "./call_context.ts";
import { createFollower } from "./follower.ts";
import { createMcpServer } from "./server.ts";
import type { ServeOptions } from "./session.ts";

/** How long running requests may continue after the input ends, in milliseconds. */
const GRACE_MS = 15_000;

/** Serves until stdin ends, answers running requests (the SDK would drop them) and exits. */
export async function serveOnStdio(
  workspace: Workspace,
  options: ServeOptions = {},
): Promise<void> {
  const { input, write } = reserveStdio();
  // Compiling the schemas takes longer than a session gains from it.
  z.config({ jitless: true });
  const stdin = new Readable({ read: () => {} });
  const stdout = new Writable({
    write: (chunk, _encoding, done) => void write(chunk).then(() => done(), done),
  });
  const transport = new StdioServerTransport(stdin, stdout);
  const follower = createFollower(workspace);
  const { close } = serveStdio(
    (request) => createMcpServer(workspace, options, request, follower),
    {
      transport,
      onerror: ({ message }) => logLine(options.logLevel ?? "info", "warning", "stdio", message),
    },
  );

  const open = new Set<unknown>();
  const answered = Promise.withResolvers<void>();
  let hasEnded = false;
  const settle = (id: unknown) => {
    open.delete(id);
    if (hasEnded && open.size === 0) answered.resolve();
  };
  const { onmessage, onclose } = transport;
  transport.onmessage = (message) => {
    const cancelled = "method" in message && message.method === "notifications/cancelled"
      ? fieldOf(message.params, "requestId")
      : undefined;
    if (cancelled !== undefined) {
      follower.endListening(cancelled);
      settle(cancelled);
    }
    if ("method" in message && "id" in message) {
      if (message.method === "subscriptions/listen") {
        void follower.listen(message.id, message.params)
          .then((isWanted) => isWanted && onmessage?.(message));
        return;
      }
      open.add(message.id);
    }
    onmessage?.(message);
  };
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    await send(message);
    if (!("method" in message)) settle(message.id);
  };
  transport.onclose = () => {
    onclose?.();
    // Waits for pending writes.
    void write(new Uint8Array()).catch(() => {}).then(() => exitProcess(0));
  };

  try {
    // `emit` instead of `push`: the transport gets each message before the next chunk or the end.
    for await (const chunk of input) stdin.emit("data", Buffer.from(chunk));
  } catch {
    // The pipe broke.
  }
  hasEnded = true;
  if (open.size > 0) await withTimeLimit(GRACE_MS, answered.promise, () => {});
  await close();
}
