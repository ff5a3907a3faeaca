/**
 * Gives results the form that clients need: compact text, structured content that
 * is an object, and a size that fits a model's context.
 *
 * @module
 */

import { messageOf, RefraktError } from "../errors.ts";
import { isTextResult } from "./result.ts";

/** The default budget of a result, in characters of compact JSON. */
export const DEFAULT_BUDGET = 60_000;

/** A result in the form of the protocol, without its names. */
export interface ShapedResult {
  /** The text. */
  readonly text: string;
  /** The structured content; absent for plain text. */
  readonly structured: Record<string, unknown> | undefined;
  /** The whole, where what is above is only the head of it. */
  readonly whole: string | undefined;
}

/**
 * Shapes what a tool returned.
 *
 * @param value Anything; `undefined` means that there was nothing to say.
 * @param budget The most characters of compact JSON.
 * @throws {RefraktError} `TOOL_FAILED` for what cannot be JSON, such as a cycle.
 */
export function shapeResult(value: unknown, budget: number = DEFAULT_BUDGET): ShapedResult {
  if (isTextResult(value)) {
    return {
      text: cutText(value.text, budget),
      structured: asJson(value.data) as Record<string, unknown>,
      whole: value.text.length > budget ? value.text : undefined,
    };
  }
  if (typeof value === "string") {
    return {
      text: cutText(value, budget),
      structured: undefined,
      whole: value.length > budget ? value : undefined,
    };
  }
  const plain = asJson(value);
  const structured = Array.isArray(plain)
    ? { items: plain }
    : typeof plain === "object" && plain !== null
    ? plain as Record<string, unknown>
    : value === undefined || value === null
    ? { ok: true }
    : { value: plain };
  const text = JSON.stringify(structured);
  if (text.length <= budget) return { text, structured, whole: undefined };
  const head = headOf(structured, budget);
  return { text: JSON.stringify(head), structured: head, whole: text };
}

/** Plain JSON data; functions and symbols drop out, what cannot be said is an error. */
function asJson(value: unknown): unknown {
  if (value === undefined) return undefined;
  try {
    const text = JSON.stringify(value);
    return text === undefined ? undefined : JSON.parse(text);
  } catch (cause) {
    throw new RefraktError("TOOL_FAILED", `The result is not JSON: ${messageOf(cause)}`, {
      hint: "This is a defect of the plugin: its mcpHandler has to return plain data.",
      cause,
    });
  }
}

/**
 * The head of a large object: its longest lists, maps and texts are shortened
 * until it fits, and `truncated` says by how much; `*` stands for the whole.
 */
function headOf(whole: Record<string, unknown>, budget: number): Record<string, unknown> {
  // The whole is one more part, so that an object of very many small ones can be shortened.
  const root = { "*": structuredClone(whole) };
  const truncated: Record<string, { shown: number; total: number }> = {};
  const size = () => JSON.stringify({ ...root["*"], truncated }).length;
  for (let round = 0; round < 64 && size() > budget; round++) {
    const { holder, key, path, value } = largestPart(root["*"], "") ??
      { holder: root as Record<string, unknown>, key: "*", path: "*", value: root["*"] };
    const length = typeof value === "string" || Array.isArray(value)
      ? value.length
      : Object.keys(value).length;
    const shown = Math.floor(length * Math.max(0.05, Math.min(0.7, budget / size())));
    holder[key] = typeof value === "string" || Array.isArray(value)
      ? value.slice(0, shown)
      : Object.fromEntries(Object.entries(value).slice(0, shown));
    truncated[path] = { shown, total: truncated[path]?.total ?? length };
  }
  return { ...root["*"], truncated };
}

interface Part {
  holder: Record<string, unknown>;
  key: string;
  path: string;
  value: string | unknown[] | Record<string, unknown>;
}

/** The largest list, map or text of an object, as deep as one part holds most of the size. */
function largestPart(holder: Record<string, unknown>, prefix: string): Part | undefined {
  let best: Part | undefined;
  let bestSize = 0;
  let total = 0;
  for (const [key, value] of Object.entries(holder)) {
    const size = JSON.stringify(value)?.length ?? 0;
    total += size;
    const divisible = typeof value === "string" && size > 200 ||
      Array.isArray(value) && value.length > 0 ||
      typeof value === "object" && value !== null && Object.keys(value).length > 0;
    if (divisible && size > bestSize) {
      bestSize = size;
      best = { holder, key, path: prefix + key, value: value as Part["value"] };
    }
  }
  // Many small parts are shortened together, a large one for itself.
  if (best === undefined || bestSize < total / 20) return undefined;
  const list = Array.isArray(best.value);
  if (typeof best.value === "object" && (!list || best.value.length === 1)) {
    const inner = largestPart(best.value as Record<string, unknown>, `${best.path}.`);
    const innerSize = inner === undefined ? 0 : JSON.stringify(inner.value).length;
    if (inner !== undefined && innerSize > total / 2) return inner;
  }
  return best;
}

function cutText(text: string, budget: number): string {
  if (text.length <= budget) return text;
  return `${text.slice(0, budget)}\n[… ${text.length - budget} more characters]`;
}
