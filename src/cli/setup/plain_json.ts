/** JSON files that can be parsed, changed and printed without losing what others wrote. */

import { isObject } from "../../io/json.ts";

/** What TypeScript's library lacks of JSON. */
interface SourceJson {
  parse(text: string, reviver: typeof keepSource): unknown;
  rawJSON(source: string): object;
  isRawJSON(value: unknown): boolean;
}

const { parse, rawJSON, isRawJSON } = JSON as unknown as SourceJson;

export type JsonPath = readonly (string | number)[];

export interface PlainJson {
  readonly root: Record<string, unknown>;
  /** Prints a value with the file's indentation, line ends and end. */
  readonly print: (root: unknown) => string;
}

/**
 * Parses a file; an empty one is an empty object.
 *
 * @returns `undefined` for what is not a plain JSON object: comments, trailing commas, mistakes, and
 * keys that an object has twice, of which JSON keeps the last.
 */
export function parsePlainJson(text: string): PlainJson | undefined {
  if (text.trim() === "") return { root: {}, print: printerFor(text) };
  try {
    const root = parse(text, keepSource);
    const isPlain = isObject(root) && countKeys(root) === countKeysIn(text);
    return isPlain ? { root, print: printerFor(text) } : undefined;
  } catch {
    // Also too deeply nested.
    return undefined;
  }
}

/** The value at a path; `undefined` if there is none. */
export function valueAt(root: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>((value, key) => {
    const isThere = typeof value === "object" && value !== null && Object.hasOwn(value, key);
    return isThere ? Reflect.get(value, key) : undefined;
  }, root);
}

/**
 * Sets the value at a path, and makes the objects and lists on the way.
 *
 * @returns Whether the path leads through objects and lists alone.
 */
export function setAt(root: Record<string, unknown>, path: JsonPath, value: unknown): boolean {
  let parent: unknown = root;
  for (const [depth, key] of path.entries()) {
    if (!isContainerFor(parent, key)) return false;
    const isLast = depth === path.length - 1;
    if (isLast) Reflect.set(parent, key, value);
    else if (!Object.hasOwn(parent, key)) {
      Reflect.set(parent, key, typeof path[depth + 1] === "number" ? [] : {});
    }
    parent = Reflect.get(parent, key);
  }
  return true;
}

/** Removes the value at a path, and the objects and lists on the way that become empty. */
export function removeAt(root: Record<string, unknown>, path: JsonPath): void {
  for (let depth = path.length - 1; depth >= 0; depth--) {
    const parent = valueAt(root, path.slice(0, depth));
    const key = path[depth]!;
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else if (isObject(parent)) delete parent[key];
    if (Object.keys(parent as object).length > 0) return;
  }
}

function isContainerFor(value: unknown, key: string | number): value is object {
  if (typeof key === "number") return Array.isArray(value);
  return isObject(value) && !isRawJSON(value);
}

/** Keeps numbers and strings as they are written, such as `1.0` and `"\u00e9"`. */
function keepSource(_key: string, value: unknown, { source }: { source?: string }): unknown {
  const isRewritten = source !== undefined && JSON.stringify(value) !== source;
  return isRewritten ? rawJSON(source) : value;
}

function countKeys(value: unknown): number {
  if (typeof value !== "object" || value === null || isRawJSON(value)) return 0;
  const inner = Object.values(value);
  const own = Array.isArray(value) ? 0 : inner.length;
  return inner.reduce<number>((sum, each) => sum + countKeys(each), own);
}

/** The number of strings before a colon in valid JSON. */
function countKeysIn(text: string): number {
  const strings = text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g);
  return strings.reduce((sum, [, colon]) => colon === undefined ? sum : sum + 1, 0);
}

function printerFor(text: string): (root: unknown) => string {
  const indent = /^(?:\t+| +)(?=")/m.exec(text)?.[0] ?? "  ";
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const end = text.trim() === "" ? eol : /\s*$/.exec(text)![0];
  return (root) => JSON.stringify(root, null, indent).replaceAll("\n", () => eol) + end;
}
