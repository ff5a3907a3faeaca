/** The server's table in a client's TOML file. */

import { isDeepStrictEqual } from "node:util";
import { parse, TomlError } from "smol-toml";
import { RefraktError } from "../../errors.ts";
import { asObject, isObject } from "../../io/json.ts";
import { type Place, withBlock, withoutBlock } from "./block.ts";
import { type Part, serverFound } from "./part.ts";

/**
 * @param path The keys of the table from the outside in.
 * @param ours The table, with its header: only a table with this header is replaced or removed.
 */
export function tomlPart(file: string, path: readonly string[], ours: string): Part {
  const parsed = (text: string): Record<string, unknown> => {
    try {
      return parse(text);
    } catch (error) {
      const place = error instanceof TomlError ? ` (line ${error.line})` : "";
      throw new RefraktError("VALIDATION_ERROR", `${file} is not valid TOML${place}`, {
        hint: "Nothing was written. Fix the file and run setup again.",
        cause: error,
      });
    }
  };
  const valueIn = (text: string) => valueAt(parsed(text), path);
  /** Checks that an edit changed our table and nothing else. */
  const verified = (after: string, before: string, value: unknown): string => {
    try {
      const others = withoutValue(parse(before), path);
      const data = parse(after);
      const isRight = isDeepStrictEqual(valueAt(data, path), value);
      if (isRight && isDeepStrictEqual(withoutValue(data, path), others)) return after;
    } catch {
      // Not TOML: the table stands there in another form.
    }
    throw new RefraktError("VALIDATION_ERROR", `Cannot edit ${path.join(".")} in ${file}`, {
      hint: "Nothing was written: it does not stand there as one table. " +
        (value === undefined
          ? `Take ${path.join(".")} out by hand.`
          : `Write these lines in its place:\n${ours}`),
    });
  };
  return {
    file,
    find: (text) => {
      const value = valueIn(text);
      const place = placeOf(text, ours);
      const raw = place === undefined ? "" : text.slice(...place);
      return value === undefined ? undefined : serverFound(path.at(-1)!, value, raw);
    },
    set: (text, as) => {
      const table = as?.raw ?? ours;
      const value = valueIn(table);
      if (isDeepStrictEqual(valueIn(text), value)) return text;
      return verified(withBlock(text, table, placeOf(text, ours)), text, value);
    },
    remove: (text) => {
      const place = placeOf(text, ours);
      const rest = place === undefined ? text : withoutBlock(text, place);
      verified(rest ?? "", text, undefined);
      return rest;
    },
  };
}

/** Where a table with the same header stands: until the next one, without the notes before that. */
function placeOf(text: string, ours: string): Place | undefined {
  const [header = ""] = ours.split("\n");
  const from = text.search(new RegExp(`^${RegExp.escape(header)}[ \\t]*(?:#.*)?\\r?$`, "m"));
  if (from < 0) return undefined;
  const [table] = /^[^\n]*(?:\n(?![ \t]*\[)[^\n]*)*/.exec(text.slice(from))!;
  return [from, from + table.replace(/(?:\r?\n[ \t]*(?:#.*)?)*$/, "").length];
}

function valueAt(data: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined,
    data,
  );
}

/** The data without a value and without the tables that hold nothing else. */
function withoutValue(
  data: unknown,
  [key = "", ...rest]: readonly string[],
): Record<string, unknown> {
  const { [key]: inner, ...others } = asObject(data);
  const kept = rest.length === 0 || !isObject(inner) ? undefined : withoutValue(inner, rest);
  return kept === undefined || Object.keys(kept).length === 0 ? others : { ...others, [key]: kept };
}
