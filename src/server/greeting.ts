/**
 * The answer to `initialize`. It says nothing that the SDK would not say, and can
 * be given before the SDK is loaded, which takes longer than all the rest of the
 * start. A test holds it to the SDK's own answer.
 *
 * @module
 */

import type { Workspace } from "../surface/workspace.ts";

/** What the server can do, in the words of the protocol. */
export const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};

/** The revisions that begin with `initialize`, newest first. */
const REVISIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];

/** A JSON-RPC answer. */
export interface Greeting {
  /** The version of JSON-RPC. */
  readonly jsonrpc: "2.0";
  /** The request's id. */
  readonly id: string | number;
  /** The answer. */
  readonly result: Readonly<Record<string, unknown>>;
}

/**
 * Answers a client's first message, where it is a plain `initialize`.
 *
 * @param line The message, as it came.
 * @param workspace What is served.
 * @returns The answer, or `undefined` for everything else: that is the SDK's to judge.
 */
export function greet(
  line: string,
  workspace: Pick<Workspace, "info" | "instructions">,
): Greeting | undefined {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return undefined;
  }
  const { jsonrpc, id, method, params } = asObject(message);
  if (jsonrpc !== "2.0" || method !== "initialize") return undefined;
  if (typeof id !== "string" && !Number.isInteger(id)) return undefined;
  const { protocolVersion, capabilities, clientInfo, _meta } = asObject(params);
  const { name, version } = asObject(clientInfo);
  const plain = [protocolVersion, name, version].every((value) => typeof value === "string") &&
    typeof capabilities === "object" && capabilities !== null && _meta === undefined;
  if (!plain) return undefined;
  return {
    jsonrpc,
    id: id as string | number,
    result: {
      protocolVersion: REVISIONS.includes(protocolVersion as string)
        ? protocolVersion
        : REVISIONS[0],
      capabilities: CAPABILITIES,
      serverInfo: workspace.info,
      instructions: workspace.instructions(),
    },
  };
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? value as Record<string, unknown> : {};
}
