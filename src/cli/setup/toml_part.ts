/** The server's table in a client's TOML file. */

import { isDeepStrictEqual } from "node:util";
import { parse, TomlError } from "smol-toml";
import { RefraktError } from "../../errors.ts";
import { asObject, isObject } from "../../io/json.ts";
import { appended, withoutAppended } from "./paragraph.ts";
import { type Part, serverFound } from "./part.ts";

/** A stretch of a file from one table's header to the next. */
interface Stretch {
  /** Whether it is our table, or one inside it. */
  readonly isTable: boolean;
  readonly text: string;
  /** The blank lines and comments at the end, which introduce the next table. */
  readonly end: string;
}

/**
 * @param path The keys of the table from the outside in.
 * @param ours The table, with its header.
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
      hint: `Nothing was written: an inline table or dotted keys of ${path[0]} are in the way. ` +
        (value === undefined
          ? `Take ${path.join(".")} out by hand.`
          : "Write those as tables, with these lines in place of the server's, and run setup again:\n" +
            ours),
    });
  };
  const put = (text: string, table: string): string => {
    const value = valueIn(table);
    if (isDeepStrictEqual(valueIn(text), value)) return text;
    const eol = text.includes("\r\n") ? "\r\n" : "\n";
    const block = `${table.trimEnd()}\n`.replace(/\r?\n/g, () => eol);
    const all = stretchesOf(text, path);
    const at = all.findIndex(({ isTable }) => isTable);
    if (at < 0) return verified(appended(text, block, eol), text, value);
    const after = all.map(({ isTable, text, end }, index) =>
      index === at ? block + end : isTable ? notes(end) : text + end
    );
    return verified(after.join(""), text, value);
  };
  return {
    file,
    find: (text) => {
      const value = valueIn(text);
      if (value === undefined) return undefined;
      const tables = stretchesOf(text, path).filter(({ isTable }) => isTable);
      const last = tables.pop();
      const raw = tables.map(({ text, end }) => text + end).join("") + (last?.text.trimEnd() ?? "");
      return serverFound(path.at(-1)!, value, raw);
    },
    set: (text, as) => put(text, as?.raw ?? ours),
    remove: (text) => {
      const all = stretchesOf(text, path);
      const rest = all.map(({ isTable, text, end }) => isTable ? notes(end) : text + end).join("");
      const kept = all.at(-1)!.isTable ? withoutAppended(rest, text.endsWith("\n")) : rest;
      verified(kept, text, undefined);
      return kept.trim() === "" ? null : kept;
    },
  };
}

function stretchesOf(text: string, path: readonly string[]): Stretch[] {
  return text.split(/^(?=[ \t]*\[)/m).map((stretch) => {
    const lines = stretch.split(/(?<=\n)/);
    const last = lines.findLastIndex((line) => !/^\s*(?:#|$)/.test(line));
    return {
      isTable: isTable(lines[0]!, path),
      text: lines.slice(0, last + 1).join(""),
      end: lines.slice(last + 1).join(""),
    };
  });
}

/** Whether a line is the header of the table, or of one inside it. */
function isTable(header: string, path: readonly string[]): boolean {
  try {
    return header.trimStart().startsWith("[") && valueAt(parse(header), path) !== undefined;
  } catch {
    return false;
  }
}

/** What remains of the lines before the next table, without a table before them. */
function notes(end: string): string {
  return end.includes("#") ? end : "";
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
