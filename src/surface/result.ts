/**
 * What a tool gives back: plain data, or data with a text of its own.
 *
 * @module
 */

const WITH_TEXT: unique symbol = Symbol("refrakt.withText");

/** Data for programs together with prose for the model; made by {@linkcode withText}. */
export interface TextResult {
  /** The prose, shown as the result's text content. */
  readonly text: string;
  /** The structured content. */
  readonly data: Record<string, unknown>;
  /** @ignore */
  readonly [WITH_TEXT]: true;
}

/**
 * Gives a result a text other than the JSON of its data. Some clients show the
 * model the structured content alone, so `data` has to carry everything that
 * matters too.
 *
 * @example
 * ```ts
 * import { withText } from "./result.ts";
 *
 * const result = withText("Created work WORK-012.", { id: "WORK-012" });
 * console.assert(result.data.id === "WORK-012");
 * ```
 */
export function withText(text: string, data: Record<string, unknown>): TextResult {
  return { text, data, [WITH_TEXT]: true };
}

/** Whether a tool's return value was made by {@linkcode withText}. */
export function isTextResult(value: unknown): value is TextResult {
  return typeof value === "object" && value !== null && WITH_TEXT in value;
}
