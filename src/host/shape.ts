/**
 * Shapes results for clients: compact text, an object as structured content, and a size that fits the
 * model's context.
 */

import { messageOf, RefraktError } from "../errors.ts";
import { asObject, isObject } from "../io/json.ts";
import { encodeBlock, type EncodedBlock } from "../plugin/content.ts";
import { shownData, withEscapes } from "../plain_text.ts";
import { type CutPart, cutToFit, jsonLength } from "./cut.ts";
import { type ContentResult, isContentResult, isTextResult } from "../plugin/result.ts";

/** The minimum for each text block, however long the previous ones are. */
const LEAST_TEXT = 500;

/** How many of the cut parts a result lists. */
const NAMED_PARTS = 8;

/** A result as MCP sends it. */
interface ShapedResult {
  /** The first block is a text, unless the tool returned blocks. */
  readonly content: readonly EncodedBlock[];
  /** Absent for plain text and for blocks without data. */
  readonly structuredContent?: Record<string, unknown> | undefined;
  readonly _meta?: Record<string, unknown> | undefined;
}

/** What a truncated result says about the rest, besides how many characters have been returned. */
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

/**
 * Shapes a return value. Hidden characters are shown here rather than with the message, because the
 * limit counts their escapes.
 */
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
  let left = limits?.budget ?? Infinity;
  for (const block of content) {
    if (block.type !== "text") {
      blocks.push(encodeBlock(block));
      continue;
    }
    const room = limits && { ...limits, budget: Math.max(left, LEAST_TEXT) };
    const [first, ...rest] = textBlocks(block.text, room);
    blocks.push({ ...block, ...first! }, ...rest);
    left -= block.text.length;
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

/** Truncates data that exceeds the budget, and adds `more`. */
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
    const left = rest === undefined ? size : jsonLength(rest);
    if (left >= size) return { data, json: whole };
    const shown = (before?.shown ?? 0) + jsonLength(head);
    const named = Object.fromEntries([...parts].slice(0, NAMED_PARTS));
    const more = { uri: `refrakt://result/${cursor}`, cursor, total, shown, parts: named };
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
