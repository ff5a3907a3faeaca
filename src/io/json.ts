/** Type checks for untrusted values such as parsed JSON. */

/** Whether a value is an object and not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value if it is an object, else an empty object. */
export function asObject(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

/** Reads a property of any value, such as the `code` of an error; `undefined` if there is none. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null || typeof value === "function"
    ? Reflect.get(value, name)
    : undefined;
}

export function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}

/** Returns the strings of a list; an empty list for other values. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

/** Returns the value if it is a string. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A JSON string, a comment, or a comma before the end of an object or a list. */
const EXTRAS = /("(?:\\.|[^"\\\n])*")|\/\/.*|\/\*[^]*?\*\//g;
const LAST_COMMA = /("(?:\\.|[^"\\\n])*")|,(?=\s*[}\]])/g;

/**
 * Parses JSON, also with a byte order mark, comments and trailing commas.
 *
 * @throws {SyntaxError} The error of `JSON.parse` for the text as it was passed.
 */
export function parseJsonc(text: string): unknown {
  const plain = text.replace(/^\uFEFF/, "");
  try {
    return JSON.parse(plain);
  } catch (error) {
    const bare = plain.replace(EXTRAS, (_all, quoted = "") => quoted)
      .replace(LAST_COMMA, (_all, quoted = "") => quoted);
    try {
      return JSON.parse(bare);
    } catch {
      throw error;
    }
  }
}

type Optional<Fields> = { [Key in keyof Fields]: undefined extends Fields[Key] ? Key : never }[
  keyof Fields
];

/** The fields of an object that have a value. */
export function defined<Fields extends object>(
  fields: Fields,
):
  & Omit<Fields, Optional<Fields> & PropertyKey>
  & { [Key in Optional<Fields>]?: Exclude<Fields[Key], undefined> } {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as ReturnType<typeof defined<Fields>>;
}

/** A list; `undefined` if it is empty. */
export function unlessEmpty<List extends { readonly length: number }>(
  list: List,
): List | undefined {
  return list.length === 0 ? undefined : list;
}
