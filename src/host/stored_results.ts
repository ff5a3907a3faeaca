/**
 * Stores the rest of truncated results for a while. A resource and a tool return it, because many
 * clients do not read resources.
 */

import { quotedName } from "../plain_text.ts";
import { RefraktError } from "../errors.ts";
import { asObject } from "../io/json.ts";
import type { Resource } from "../plugin/resource.ts";
import type { CutPart } from "./cut.ts";
import { fit, type Limits } from "./shape.ts";
import { defineTool, type Tool } from "../plugin/tool.ts";

/** Limits of the store, in results and characters; the newest result is kept at any size. */
const MOST_KEPT = 64;
const MOST_CHARACTERS = 8_000_000;

export interface ResultStore extends Limits {
  readonly resource: Resource;
  readonly tool: Tool;
}

interface Kept {
  /** JSON, because objects would keep what they were made from: a site, or texts of files. */
  readonly rest: string;
  readonly progress: CutPart;
  /** The next part, computed once. */
  part?: Record<string, unknown>;
}

/** Creates a store that returns parts of at most `budget` characters. */
export function createResultStore(budget: number): ResultStore {
  const kept = new Map<string, Kept>();
  let characters = 0;
  const read = (cursor: string): Record<string, unknown> => {
    const entry = kept.get(cursor);
    if (entry === undefined) {
      throw new RefraktError("NOT_FOUND", `Unknown or expired cursor ${quotedName(cursor)}`, {
        hint: "The rest of a result is stored for a limited time; repeat the original call.",
      });
    }
    return entry.part ??= fit(asObject(JSON.parse(entry.rest)), store, entry.progress).data;
  };
  const store: ResultStore = {
    budget,
    keep: (cursor, remainder, progress) => {
      const rest = JSON.stringify(remainder);
      kept.set(cursor, { rest, progress });
      characters += rest.length;
      for (const [oldest, { rest }] of kept) {
        if (oldest === cursor || kept.size <= MOST_KEPT && characters <= MOST_CHARACTERS) break;
        characters -= rest.length;
        kept.delete(oldest);
      }
    },
    resource: {
      uri: "refrakt://result/{cursor}",
      name: "result",
      title: "Rest of a result",
      description: "The next part of a truncated result, by the cursor in its `more`.",
      mimeType: "application/json",
      fixed: true,
      read: ({ cursor }) => ({ data: read(cursor!) }),
    },
    tool: defineTool({
      name: "refrakt_more",
      title: "Rest of a result",
      description: "Returns the next part of a truncated result.",
      input: {
        type: "object",
        properties: { cursor: { type: "string", description: "more.cursor of it" } },
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
