/**
 * Shapes results for clients: compact text, an object as structured content, and a size that fits the
 * model's context. A resource and a tool return the rest, because many clients do not read resources.
 */

import * as z from "zod";
import { messageOf, RefraktError } from "../errors.ts";
import { asObject, isObject } from "../io/json.ts";
import { quotedName, shownData, withEscapes } from "../plain_text.ts";
import { encodeBlock, type EncodedBlock } from "../plugin/content.ts";
import type { Resource } from "../plugin/resource.ts";
import { type ContentResult, isContentResult, isTextResult } from "../plugin/result.ts";
import { defineTool, type Tool } from "../plugin/tool.ts";
import { type CutPart, cutToFit, jsonLength } from "./cut.ts";

/** The minimum for each text block, however long the previous ones are. */
const LEAST_TEXT = 500;

/** How many of the cut parts a result lists. */
const NAMED_PARTS = 8;

interface ShapedResult {
  /** The first block is a text, unless the tool returned blocks. */
  readonly content: readonly EncodedBlock[];
  /** Absent for plain text and for blocks without data. */
  readonly structuredContent?: Record<string, unknown> | undefined;
  readonly _meta?: Record<string, unknown> | undefined;
}

/** The rest of a truncated result: where to read it, and what was cut. */
export interface More extends CutPart {
  readonly uri: string;
  readonly cursor: string;
  /** What was cut, in entries of lists and maps or characters of texts. */
  readonly parts: Readonly<Record<string, CutPart>>;
}

/** The limit of a result, and where the rest of a longer one goes. */
export interface Limits {
  /** In characters of compact JSON. */
  readonly budget: number;
  keep(cursor: string, rest: Record<string, unknown>, progress: CutPart): void;
}

/** Shapes a return value, with escapes for hidden characters, because the limit counts them. */
export function shapeResult(value: unknown, limits?: Limits): ShapedResult {
  if (isTextResult(value)) {
    const structuredContent = fit(asObject(toPlain(value.data)), limits).data;
    return { content: textBlocks(value.text, limits), structuredContent };
  }
  if (isContentResult(value)) return shapeContent(value, limits);
  const text = typeof value === "string" ? withEscapes(value) : undefined;
  const isShort = text !== undefined && (limits === undefined || text.length <= limits.budget);
  if (isShort) return { content: [{ type: "text", text }] };
  // Only structured content gives programs the cursor.
  const data = text === undefined ? objectOf(toPlain(value)) : { text };
  const { data: structuredContent, json, more } = fit(data, limits);
  const content: EncodedBlock[] = [{ type: "text", text: json }];
  if (more !== undefined) content.push(linkTo(more));
  return { content, structuredContent };
}

function toPlain(value: unknown): unknown {
  try {
    const json = JSON.stringify(value);
    return json === undefined ? undefined : shownData(JSON.parse(json));
  } catch (cause) {
    // A cycle, a BigInt, a stack overflow or an error of a getter.
    const [reason] = messageOf(cause).split("\n");
    throw new RefraktError("TOOL_FAILED", `The result is not JSON: ${reason}`, {
      hint: "This is a defect of the plugin: its mcpHandler must return plain data.",
      cause,
    });
  }
}

function objectOf(plain: unknown): Record<string, unknown> {
  if (Array.isArray(plain)) return { items: plain };
  if (isObject(plain)) return plain;
  return plain === undefined || plain === null ? { ok: true } : { value: plain };
}

function shapeContent(
  { content, structuredContent: data, _meta: meta }: ContentResult,
  limits?: Limits,
): ShapedResult {
  const blocks: EncodedBlock[] = [];
  let space = limits?.budget ?? Infinity;
  for (const block of content) {
    if (block.type !== "text") {
      blocks.push(encodeBlock(block));
      continue;
    }
    const room = limits && { ...limits, budget: Math.max(space, LEAST_TEXT) };
    const [first, ...rest] = textBlocks(block.text, room);
    blocks.push({ ...block, ...first! }, ...rest);
    space -= block.text.length;
  }
  return {
    content: blocks,
    structuredContent: data && fit(asObject(toPlain(data)), limits).data,
    _meta: meta && asObject(toPlain(meta)),
  };
}

/** The part of a text that fits, with a link to the rest. */
function textBlocks(content: string, limits?: Limits): EncodedBlock[] {
  const text = withEscapes(content);
  if (limits === undefined || text.length <= limits.budget) return [{ type: "text", text }];
  const { data, more } = fit({ text }, limits);
  if (more === undefined) return [{ type: "text", text }];
  const note = `\n[… ${more.total - more.shown} more characters: call refrakt_more with cursor ` +
    `${JSON.stringify(more.cursor)}, or read ${more.uri}]`;
  return [{ type: "text", text: `${data["text"]}${note}` }, linkTo(more)];
}

function linkTo(more: More): EncodedBlock {
  return {
    type: "resource_link",
    uri: more.uri,
    name: "rest of the result",
    description: `${more.shown} of ${more.total} characters were shown; the next part is here, ` +
      `and in refrakt_more with cursor ${JSON.stringify(more.cursor)}.`,
    mimeType: "application/json",
  };
}

export function fit(
  data: Record<string, unknown>,
  limits: Limits | undefined,
  before?: CutPart,
): { data: Record<string, unknown>; json: string; more?: More } {
  const whole = JSON.stringify(data);
  const size = whole.length;
  if (limits === undefined || size <= limits.budget) return { data, json: whole };
  const cursor = crypto.randomUUID().slice(0, 18);
  const total = before?.total ?? size;
  let reserved = 120;
  for (;;) {
    const parts = new Map<string, CutPart>();
    const { head, rest } = cutToFit(data, Math.max(limits.budget - reserved, 2), parts);
    // Nothing can be cut: return it whole.
    const restSize = rest === undefined ? size : jsonLength(rest);
    if (restSize >= size) return { data, json: whole };
    const shown = (before?.shown ?? 0) + jsonLength(head);
    const namedParts = Object.fromEntries([...parts].slice(0, NAMED_PARTS));
    const more = { uri: `refrakt://result/${cursor}`, cursor, total, shown, parts: namedParts };
    const answer = { ...asObject(head), more };
    const json = JSON.stringify(answer);
    const excess = json.length - limits.budget;
    if (excess <= 0 || reserved >= limits.budget) {
      limits.keep(cursor, asObject(rest), { total, shown });
      return { data: answer, json, more };
    }
    reserved += excess;
  }
}

/** Limits of the store, in results and characters; the newest result is kept at any size. */
const MOST_KEPT = 64;
const MOST_CHARACTERS = 8_000_000;

export interface ResultStore extends Limits {
  readonly resource: Resource;
  readonly tool: Tool;
}

/** Creates a store that returns parts of at most `budget` characters. */
export function createResultStore(budget: number): ResultStore {
  // JSON, because objects would keep what they were made from: a site, or texts of files.
  type Kept = { readonly rest: string; readonly progress: CutPart; part?: Record<string, unknown> };
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
      input: z.strictObject({ cursor: z.string().describe("more.cursor of it") }),
      output: { type: "object", properties: { more: { type: "object" } } },
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
      run: ({ cursor }) => read(cursor),
    }),
  };
  return store;
}
