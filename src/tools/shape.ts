/**
 * Gives results the form that clients need: compact text, structured content that
 * is an object, and a size that fits a model's context.
 *
 * @module
 */

import { messageOf, RefraktError } from "../errors.ts";
import { asObject, isObject } from "../io/json.ts";
import { encodeBlock, type EncodedBlock } from "./content.ts";
import { withEscapes } from "../plain_text.ts";
import { type CutPart, cutToFit, jsonLength } from "./cut.ts";
import { type ContentResult, isContentResult, isTextResult, readContentResult } from "./result.ts";

/**
 * The default budget of a result, in characters of compact JSON. Clients cut longer
 * ones by themselves, some to a few thousand characters and a file.
 */
export const DEFAULT_BUDGET = 30_000;

/** What each text among content blocks may have at least, however long those before it are. */
const LEAST_TEXT = 500;

/** How many of the shortened parts an answer names. */
const NAMED_PARTS = 8;

/** A result in the form of the protocol. */
export interface ShapedResult {
  /** The content blocks as the protocol has them; the first one is a text, unless the tool decided. */
  readonly content: readonly EncodedBlock[];
  /** The structured content; absent for plain text and for blocks without data. */
  readonly structured: Record<string, unknown> | undefined;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

/** How much of the whole has been given. */
export interface Progress {
  readonly total: number;
  readonly shown: number;
}

/** What a cut answer says about what is left out. */
export interface More extends Progress {
  readonly uri: string;
  readonly cursor: string;
  /** What was shortened: entries of lists and maps, characters of texts. */
  readonly parts: Readonly<Record<string, CutPart>>;
}

/** Keeps what did not fit. */
export interface RestKeeper {
  /** A place for a rest; nothing is there before it is kept. */
  reserve(): { uri: string; cursor: string };
  /** Keeps a rest at its place; `size` is its length as compact JSON. */
  keep(cursor: string, rest: Record<string, unknown>, size: number, progress: Progress): void;
}

/** Where a result goes that does not fit. */
export interface Limits {
  /** The most characters of compact JSON. */
  readonly budget: number;
  /** Keeps what does not fit. */
  readonly results: RestKeeper;
}

/**
 * Shapes what a tool returned; without limits the result is whole. `dataAlone` is for readers that see
 * no text beside the data.
 */
export function shapeResult(
  value: unknown,
  limits?: Limits,
  dataAlone = false,
): ShapedResult {
  if (isTextResult(value)) {
    const data = dataAlone && value.field !== undefined
      ? { ...value.data, [value.field]: value.text }
      : value.data;
    const structured = fit(asObject(toPlain(data)), limits).data;
    return { content: textBlocks(value.text, limits), structured };
  }
  const returned = readContentResult(value);
  if (isContentResult(returned)) return shapeContent(returned, limits);
  if (typeof value === "string") {
    if (limits === undefined || value.length <= limits.budget) {
      return { content: [{ type: "text", text: value }], structured: undefined };
    }
    // Only structured content can say where the rest is in a form that programs read.
    return shapeData({ text: value }, limits);
  }
  return shapeData(objectOf(toPlain(value)), limits);
}

/** The next part of a result that was cut. */
export function nextPart(
  rest: Record<string, unknown>,
  limits: Limits,
  before: Progress,
): Record<string, unknown> {
  return fit(rest, limits, before).data;
}

function shapeData(data: Record<string, unknown>, limits: Limits | undefined): ShapedResult {
  const { data: structured, json, more } = fit(data, limits);
  const content: EncodedBlock[] = [{ type: "text", text: json }];
  if (more !== undefined) content.push(linkTo(more));
  return { content, structured };
}

/** A copy as plain JSON. */
function toPlain(value: unknown): unknown {
  try {
    const json = JSON.stringify(value);
    return json === undefined ? undefined : JSON.parse(json);
  } catch (cause) {
    // A cycle, a BigInt, a stack that is too deep, or what a getter of the value throws.
    const [reason] = messageOf(cause).split("\n");
    throw new RefraktError("TOOL_FAILED", `The result is not JSON: ${reason}`, {
      hint: "This is a defect of the plugin: its mcpHandler has to return plain data.",
      cause,
    });
  }
}

function objectOf(plain: unknown): Record<string, unknown> {
  if (Array.isArray(plain)) return { items: plain };
  if (isObject(plain)) return plain;
  return plain === undefined || plain === null ? { ok: true } : { value: plain };
}

function shapeContent({ content, data, meta }: ContentResult, limits?: Limits): ShapedResult {
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
    structured: data === undefined ? undefined : fit(asObject(toPlain(data)), limits).data,
    ...(meta === undefined ? {} : { meta: asObject(toPlain(meta)) }),
  };
}

/** What fits of a text, and where it is cut a link to the rest. */
function textBlocks(text: string, limits?: Limits): EncodedBlock[] {
  if (limits === undefined || text.length <= limits.budget) return [{ type: "text", text }];
  const { data, more } = fit({ text }, limits);
  if (more === undefined) return [{ type: "text", text }];
  const note = `\n[… ${more.total - more.shown} more characters: call refrakt.more with cursor ` +
    `${JSON.stringify(more.cursor)}, or read ${more.uri}]`;
  return [{ type: "text", text: `${data["text"]}${note}` }, linkTo(more)];
}

function linkTo(more: More): EncodedBlock {
  return {
    type: "resource_link",
    uri: more.uri,
    name: "rest of the result",
    description: `${more.shown} of ${more.total} characters were shown; the next part is here, ` +
      `and in refrakt.more with cursor ${JSON.stringify(more.cursor)}.`,
    mimeType: "application/json",
  };
}

/** The data as it is where it fits the budget, else its head and `more`; its JSON measured it. */
function fit(
  data: Record<string, unknown>,
  limits: Limits | undefined,
  before?: Progress,
): { data: Record<string, unknown>; json: string; more?: More } {
  // A model may read the JSON in place of the data, so nothing may be hidden in it.
  const whole = withEscapes(JSON.stringify(data));
  const size = whole.length;
  if (limits === undefined || size <= limits.budget) return { data, json: whole };
  const place = limits.results.reserve();
  const total = before?.total ?? size;
  let reserved = 120;
  for (;;) {
    const parts = new Map<string, CutPart>();
    const { head, rest } = cutToFit(data, Math.max(limits.budget - reserved, 2), parts);
    // Nothing in it can be cut: whole is better than endless parts.
    const left = rest === undefined ? size : jsonLength(rest);
    if (left >= size) return { data, json: whole };
    const shown = (before?.shown ?? 0) + jsonLength(head);
    const more: More = {
      ...place,
      total,
      shown,
      parts: Object.fromEntries([...parts].slice(0, NAMED_PARTS)),
    };
    const answer = { ...asObject(head), more };
    const json = withEscapes(JSON.stringify(answer));
    const excess = json.length - limits.budget;
    if (excess <= 0 || reserved >= limits.budget) {
      limits.results.keep(place.cursor, asObject(rest), left, { total, shown });
      return { data: answer, json, more };
    }
    reserved += excess;
  }
}
