/**
 * A server in this process, and real clients: those of the legacy era have a connection each, those of
 * the modern one send HTTP requests without a network.
 */

import { Client as ClientV1 } from "./npm/client_v1.ts";
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from "./npm/client_v2.ts";
import { createServer, type ServerOptions } from "../../mod.ts";
import { checkAnswers, type GivenAnswer, LAZY_VALIDATOR } from "./answers.ts";
import { makeProject } from "./project.ts";
import type { Plugin } from "../../src/lib/plugin.ts";
import { type Asked, sessionOf } from "./server.ts";

export const ERAS = ["legacy", "modern"] as const;

export type Era = typeof ERAS[number];

export interface ClientOptions {
  readonly name?: string;
  readonly era?: Era;
  readonly capabilities?: Record<string, unknown>;
}

export type WithClient = <Value>(
  work: (client: Client) => Promise<Value>,
  options?: ClientOptions,
) => Promise<Value>;

/** Serves any number of sequential or concurrent clients during the test. */
export async function withClients<Value>(
  options: ServerOptions,
  test: (connect: WithClient) => Promise<Value>,
): Promise<Value> {
  const server = await createServer(options);
  try {
    return await test(async (work, { name = "inspector-cli", era, capabilities } = {}) => {
      const client = new Client({ name, version: "1.0.0" }, {
        capabilities: capabilities ?? {},
        ...(era === "modern" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {}),
      });
      if (era === "modern") {
        await client.connect(
          new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), {
            fetch: (url, init) => server.fetch(new Request(url, init as RequestInit)),
          }),
        );
      } else {
        const [ours, theirs] = InMemoryTransport.createLinkedPair();
        await server.connect(ours);
        await client.connect(theirs);
      }
      try {
        return await work(client);
      } finally {
        await client.close();
      }
    });
  } finally {
    await server.close();
  }
}

/** Serves the contributions to one client during the test. */
export async function withClient(
  contribution: Omit<Plugin, "name">,
  test: (client: Client) => Promise<void>,
  { cwd = makeProject(), ...client }: ClientOptions & { readonly cwd?: string } = {},
): Promise<void> {
  const plugins = [{ name: "embedded", ...contribution }];
  await withClients({ cwd, plugins }, (connect) => connect(test, client));
}

/**
 * Serves a directory to a 1.x client like `withServer`, but in this process: for tests of
 * answers. Tests of permissions need a process.
 */
export async function inProcess(
  cwd: string,
  test: (session: Asked) => Promise<void>,
  options: Omit<ServerOptions, "cwd"> = {},
): Promise<void> {
  const server = await createServer({ cwd, ...options });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new ClientV1({ name: "inspector-cli", version: "1.0.0" }, {
    jsonSchemaValidator: LAZY_VALIDATOR,
  });
  try {
    await server.connect(ours);
    await client.connect(theirs as never);
    const given: GivenAnswer[] = [];
    await test(sessionOf(client, given));
    if (given.length > 0) checkAnswers((await client.listTools()).tools, given);
  } finally {
    await client.close();
    await server.close();
  }
}
