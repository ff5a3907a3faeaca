/**
 * Listens for HTTP requests by Node's server: it ends the connections of requests that do not arrive,
 * which `Deno.serve` keeps for as long as the client likes. Also compares the secrets of requests.
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import { RefraktError } from "../errors.ts";
import { fieldOf } from "../io/json.ts";
import { nodeModule } from "../io/lazily.ts";
import { queryGrant } from "../io/permissions.ts";

export interface Address {
  readonly hostname: string;
  /** 0 takes a free port. */
  readonly port: number;
}

/** How long a request may take to arrive, with its body, in milliseconds. */
const ARRIVAL_MS = 10_000;

/** How long a connection without a request stays open for the next, in milliseconds. */
const IDLE_MS = 60_000;

/**
 * Starts listening, and returns the address with its port, and the end.
 *
 * @param handler Gets a request, whose signal aborts when its connection ends, and the port.
 */
export async function listen(
  wanted: Address,
  handler: (request: Request, port: number) => Promise<Response>,
) {
  const listenHost = shownAddress(wanted);
  // Without the permission, the error would be thrown outside of any call.
  if (queryGrant({ name: "net", host: listenHost }) !== "granted") {
    throw new RefraktError("PERMISSION_DENIED", `No permission to listen on ${listenHost}`, {
      hint: `Start it with --allow-net=${listenHost}.`,
    });
  }
  const server = nodeModule("node:http").createServer({
    requestTimeout: ARRIVAL_MS,
    headersTimeout: ARRIVAL_MS,
    keepAliveTimeout: IDLE_MS,
    connectionsCheckingInterval: 1000,
  }, (incoming, outgoing) => {
    answerRequest(incoming, outgoing, (request) => handler(request, address.port))
      .catch(() => outgoing.destroy());
  });
  const closed = new Promise<void>((resolve) => server.once("close", resolve));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(wanted.port, wanted.hostname, resolve);
  }).catch((error) => {
    const why = fieldOf(error, "code") === "EADDRINUSE" ? ": another program does" : "";
    throw new RefraktError("INVALID_ARGS", `Cannot listen on ${listenHost}${why}`, {
      hint: "Stop the program that uses it, or pass another address or port.",
    });
  });
  const address = { ...wanted, port: Number(fieldOf(server.address(), "port")) };
  return { address, closed };
}

async function answerRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  handler: (request: Request) => Promise<Response>,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  const { status, headers, body } = await handler(requestOf(incoming, gone.signal));
  outgoing.writeHead(status, [...headers].flat());
  // The client of a stream waits for the headers.
  outgoing.flushHeaders();
  if (body === null) outgoing.end();
  else await nodeModule("node:stream/promises").pipeline(body, outgoing);
  if (incoming.complete) return;
  // Read on for a while: a client that is still sending would not get the early answer.
  const timer = setTimeout(() => incoming.socket.destroy(), ARRIVAL_MS);
  incoming.once("close", () => clearTimeout(timer)).resume();
}

function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = "GET", url = "/", headersDistinct, socket } = incoming;
  const headers = Object.entries(headersDistinct)
    .flatMap(([name, values = []]) => values.map((value): [string, string] => [name, value]));
  const host = shownAddress({ hostname: socket.localAddress!, port: socket.localPort! });
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(url.startsWith("/") ? `http://${host}${url}` : url, {
    method,
    headers,
    signal,
    // Cancelling the body must not end the connection, which still gets the answer.
    body: hasBody ? ReadableStream.from(incoming.iterator({ destroyOnReturn: false })) : null,
  });
}

export function isLoopback({ hostname }: Address): boolean {
  return /^(127(\.\d+){3}|::1)$/.test(hostname);
}

/** The address as in a URL or a permission: without port 0. */
export function shownAddress({ hostname, port }: Address): string {
  return (hostname.includes(":") ? `[${hostname}]` : hostname) + (port === 0 ? "" : `:${port}`);
}

/** Compares in constant time. */
export function isSameSecret(a: string, b: string): boolean {
  const { createHash, timingSafeEqual } = nodeModule("node:crypto");
  const [left, right] = [a, b].map((text) => createHash("sha256").update(text).digest());
  return timingSafeEqual(left!, right!);
}
