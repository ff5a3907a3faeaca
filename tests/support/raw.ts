/** The server without a client: raw lines in and out. */

import { waitAtMost } from "../../src/io/turns.ts";
import { PATIENCE_MS } from "./npm/patience.ts";
import { childEnvironment, commandOf, type StartOptions } from "./server.ts";

/** The fields of a message that tests read. */
export interface Message {
  jsonrpc?: string;
  id?: number | string | null;
  method?: string;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: Record<string, unknown> };
}

export type RawServer = ReturnType<typeof startRaw>;

export function startRaw(cwd: string, options: StartOptions = {}) {
  const { command, args } = commandOf(options);
  const child = new Deno.Command(command, {
    args,
    cwd,
    env: options.env ?? childEnvironment(),
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  const encoder = new TextEncoder();
  const messages: Message[] = [];
  const noise: string[] = [];
  const lookers = new Set<() => void>();
  const waiting = new Map<unknown, (message: Message) => void>();
  let writing = Promise.resolve();
  let id = 0;
  let sent = "its start";
  const write = (text: string) => {
    sent = text.trim().slice(0, 200);
    writing = writing.then(() => writer.write(encoder.encode(text)));
  };
  const reading = (async () => {
    let rest = "";
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop()!;
      for (const line of lines) {
        try {
          const message = JSON.parse(line) as Message;
          messages.push(message);
          for (const look of lookers) look();
          if (message.method === undefined) waiting.get(message.id)?.(message);
        } catch {
          noise.push(line);
        }
      }
    }
    if (rest !== "") noise.push(rest);
  })();
  const inTime = <Value>(pending: Promise<Value>): Promise<Value> => {
    const after = sent;
    return waitAtMost(PATIENCE_MS, pending, () => {
      try {
        child.kill("SIGKILL");
      } catch {
        // It has ended.
      }
      throw new Error(`The server was silent for ${PATIENCE_MS / 1000} s after ${after}`);
    });
  };
  const ended = reading.then((): never => {
    throw new Error(`The server has ended without an answer to ${sent}`);
  });
  ended.catch(() => {});
  const send = (message: Record<string, unknown>) => write(`${JSON.stringify(message)}\n`);
  const ending = async () => {
    await writing;
    await writer.close();
    const { code } = await child.status;
    await reading;
    return code;
  };
  return {
    pid: child.pid,
    messages,
    /** Lines on stdout that are not messages. */
    noise,
    write,
    send,
    request: (method: string, params: Readonly<Record<string, unknown>>): Promise<Message> => {
      const request = { jsonrpc: "2.0", id: ++id, method, params };
      const answer = new Promise<Message>((resolve) => waiting.set(request.id, resolve));
      send(request);
      return inTime(Promise.race([answer, ended]));
    },
    /** Waits for a matching message, starting at a position. */
    next: (fits: (message: Message) => boolean, from = 0): Promise<Message> =>
      inTime(Promise.race([
        new Promise<Message>((resolve) => {
          const look = () => {
            const found = messages.slice(from).find(fits);
            if (found === undefined) return;
            lookers.delete(look);
            resolve(found);
          };
          lookers.add(look);
          look();
        }),
        ended,
      ])),
    /** Closes stdin; returns the exit code after the process has exited and its output is read. */
    end: (): Promise<number> => inTime(ending()),
  };
}

/** Starts the server and performs the handshake of a 2025 client. */
export async function initialized(
  cwd: string,
  { protocolVersion = "2025-06-18", name = "raw", ...options }:
    & StartOptions
    & { protocolVersion?: string; name?: string } = {},
): Promise<RawServer> {
  const server = startRaw(cwd, options);
  const clientInfo = { name, version: "1" };
  await server.request("initialize", { protocolVersion, capabilities: {}, clientInfo });
  server.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return server;
}

/** Calls a tool that must succeed, and returns its structured content. */
export async function ok(
  server: RawServer,
  name: string,
  args: Record<string, unknown>,
  // deno-lint-ignore no-explicit-any -- answers of tools
): Promise<any> {
  const { result, error } = await server.request("tools/call", { name, arguments: args });
  if (result === undefined || result["isError"] === true) {
    throw new Error(JSON.stringify(result ?? error));
  }
  return result["structuredContent"];
}
