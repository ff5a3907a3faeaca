/** Results of tools: plain data, data with its own text, or content blocks. */

import { RefraktError } from "../errors.ts";
import { asObject, defined, fieldOf, isObject } from "../io/json.ts";
import { blockProblem, type ContentBlock, type Meta } from "./content.ts";

/** The default size limit, in characters of compact JSON; many clients truncate more. */
export const DEFAULT_BUDGET = 30_000;

const WITH_TEXT: unique symbol = Symbol("refrakt.withText");

/** Data with prose for the model, created by {@linkcode withText}. */
export interface TextResult {
  /** The text content. */
  readonly text: string;
  /** The structured content. */
  readonly data: Record<string, unknown>;
  /** @ignore */
  readonly [WITH_TEXT]: true;
}

/**
 * Content blocks with optional data, in the form of an MCP result: created by
 * {@linkcode withContent}, or written by a plugin that imports nothing from this package.
 */
export interface ContentResult {
  /** The blocks, in order. */
  readonly content: readonly ContentBlock[];
  /** The structured content. */
  readonly structuredContent?: Record<string, unknown>;
  /** Passed to clients unchanged. */
  readonly _meta?: Meta;
}

/**
 * Gives a result a text other than the JSON of its data. Many clients show the model only the
 * structured content, so `data` must contain each fact of the text.
 *
 * @example
 * ```ts
 * // deno run example.ts
 * import { withText } from "jsr:@refrakt/mcp/plugin";
 *
 * const result = withText("Created work WORK-012.", { id: "WORK-012" });
 * console.assert(result.data.id === "WORK-012");
 * ```
 */
export function withText(text: string, data: Record<string, unknown>): TextResult {
  return { text, data, [WITH_TEXT]: true };
}

/**
 * Creates a result of content blocks: text, images, audio, resources and links to them.
 *
 * @example
 * ```ts
 * // deno run example.ts
 * import { withContent } from "jsr:@refrakt/mcp/plugin";
 *
 * const result = withContent([
 *   { type: "text", text: "The page as it looks:" },
 *   { type: "image", data: new Uint8Array([137, 80, 78, 71]), mimeType: "image/png" },
 * ], { width: 640 });
 * console.assert(result.content.length === 2);
 * ```
 *
 * @param data The structured content.
 * @param meta Passed to clients unchanged.
 * @throws {RefraktError} `TOOL_FAILED` for a malformed block.
 */
export function withContent(
  content: readonly ContentBlock[],
  data?: Record<string, unknown>,
  meta?: Meta,
): ContentResult {
  for (const [index, block] of content.entries()) {
    const problem = blockProblem(block);
    if (problem === undefined) continue;
    throw new RefraktError("TOOL_FAILED", `Content block ${index + 1} is malformed: ${problem}`, {
      hint: "This is a defect of the tool: see the content blocks of the MCP specification.",
    });
  }
  return defined({ content, structuredContent: data, _meta: meta });
}

export function isTextResult(value: unknown): value is TextResult {
  return typeof value === "object" && value !== null && WITH_TEXT in value;
}

/** Adds the token of an undo to the data of a result, if it has data. */
export function withToken(value: unknown, undo: string): unknown {
  if (isTextResult(value)) {
    return withText(`${value.text}\n\nundo: ${undo}`, { ...value.data, undo });
  }
  if (!isContentResult(value)) return isObject(value) ? { ...value, undo } : value;
  const { structuredContent: data } = value;
  return data === undefined ? value : { ...value, structuredContent: { ...data, undo } };
}

const FIELDS = new Set(["content", "structuredContent", "_meta"]);
const BLOCKS = new Set<unknown>(["text", "image", "audio", "resource_link", "resource"]);

/** Whether a value has the form of an MCP result, and nothing else. */
export function isContentResult(value: unknown): value is ContentResult {
  return blocksIn(value)?.every((block) => blockProblem(block) === undefined) === true;
}

/** The blocks of a value in the form of an MCP result, well-formed or not. */
export function blocksIn(value: unknown): readonly unknown[] | undefined {
  const { content, structuredContent: data = {}, _meta: meta = {} } = asObject(value);
  const isMeant = Array.isArray(content) && content.length > 0 &&
    Object.keys(asObject(value)).every((key) => FIELDS.has(key)) &&
    content.every((block) => BLOCKS.has(fieldOf(block, "type"))) && isObject(data) &&
    isObject(meta);
  return isMeant ? content : undefined;
}
