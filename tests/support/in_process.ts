/** A server in this process, and real clients of both eras, over HTTP without a network. */

import { Client, StreamableHTTPClientTransport } from "test/client-v2";
import { createServer } from "../../mod.ts";
import type { Contribution } from "../../src/tools/contribution.ts";
import { makeProject } from "./project.ts";

/** The eras of the protocol. */
export const ERAS = ["legacy", "modern"] as const;

/** How a client is connected. */
export interface ClientOptions {
  /** The directory that is served; an empty one by default. */
  readonly cwd?: string;
  /** What the client calls itself; one that takes dots in names by default. */
  readonly name?: string;
  /** The protocol that the client speaks; the older one by default. */
  readonly era?: typeof ERAS[number];
  /** What the client can do. */
  readonly capabilities?: Record<string, unknown>;
  /** Prepares the client before it connects. */
  readonly prepare?: (client: Client) => void;
}

/** Serves what is contributed to a client while the test runs. */
export async function withClient(
  contribution: Contribution,
  test: (client: Client) => Promise<void>,
  {
    cwd = makeProject(),
    name = "inspector-client",
    era = "legacy",
    capabilities = {},
    prepare,
  }: ClientOptions = {},
): Promise<void> {
  const server = await createServer({ cwd, contributors: [() => contribution] });
  const client = new Client({ name, version: "1.0.0" }, {
    capabilities,
    ...(era === "modern" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {}),
  });
  prepare?.(client);
  await client.connect(
    new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), {
      fetch: (url, init) => server.fetch(new Request(url, init as RequestInit)),
    }),
  );
  try {
    await test(client);
  } finally {
    await client.close();
    await server.close();
  }
}
