/**
 * Values that came from outside, such as JSON: are they what is expected?
 *
 * @module
 */

/** Whether a value is an object that is no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as an object; an empty one where it is none. */
export function asObject(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

/** A field of anything, such as the `code` of what was thrown; `undefined` where there is none. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null || typeof value === "function"
    ? Reflect.get(value, name)
    : undefined;
}

/** Whether a value is a list of texts. */
export function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}

/** The texts of a list; none where it is no list. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

/** The value where it is a text. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
