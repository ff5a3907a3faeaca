/**
 * What did not fit into an answer: kept for a while, read part by part as a resource
 * or by a tool, because many clients read no resources.
 *
 * @module
 */

import { RefraktError } from "../errors.ts";
import type { Resource } from "./resource.ts";
import { nextPart, type Progress, type RestKeeper } from "./shape.ts";
import { defineTool, type Tool } from "./tool.ts";

/** How many rests are kept. */
const MOST_KEPT = 64;

/** How many characters are kept in all. */
const MOST_CHARACTERS = 40_000_000;

/** A store of what did not fit. */
export interface ResultStore extends RestKeeper {
  readonly resource: Resource;
  readonly tool: Tool;
}

interface Kept {
  readonly rest: Record<string, unknown>;
  readonly progress: Progress;
  readonly size: number;
  /** The next part, made when it is first asked for: asked again, it is the same. */
  part?: Record<string, unknown>;
}

/** Makes a store of parts with at most so many characters. */
export function createResultStore(budget: number): ResultStore {
  const kept = new Map<string, Kept>();
  let characters = 0;
  const forget = (cursor: string) => {
    characters -= kept.get(cursor)?.size ?? 0;
    kept.delete(cursor);
  };
  const read = (cursor: string): Record<string, unknown> => {
    const entry = kept.get(cursor);
    if (entry === undefined) {
      throw new RefraktError("NOT_FOUND", `Nothing is kept under the cursor "${cursor}"`, {
        hint: "The rest of a result is kept for a while only; make the call again.",
      });
    }
    return entry.part ??= nextPart(entry.rest, { budget, results: store }, entry.progress);
  };
  const store: ResultStore = {
    reserve: () => {
      const cursor = crypto.randomUUID().slice(0, 18);
      return { uri: `refrakt://result/${cursor}`, cursor };
    },
    keep: (cursor, rest, size, progress) => {
      kept.set(cursor, { rest, progress, size });
      characters += size;
      for (const oldest of kept.keys()) {
        if (oldest === cursor || kept.size <= MOST_KEPT && characters <= MOST_CHARACTERS) break;
        forget(oldest);
      }
    },
    resource: {
      uri: "refrakt://result/{cursor}",
      name: "result",
      title: "Rest of a result",
      description: "The next part of an answer that was cut, by the cursor of its `more`.",
      mimeType: "application/json",
      // There is no file to watch.
      fixed: true,
      fileOf: () => null,
      read: ({ cursor }) => ({ data: read(cursor!) }),
    },
    tool: defineTool({
      name: "refrakt.more",
      title: "Rest of a result",
      description: "Gives the next part of an answer that was cut: pass the cursor of its `more`.",
      input: {
        type: "object",
        properties: { cursor: { type: "string" } },
        required: ["cursor"],
        additionalProperties: false,
      },
      output: { type: "object", properties: { more: { type: "object" } } },
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
      run: ({ cursor }) => read(String(cursor)),
    }),
  };
  return store;
}
