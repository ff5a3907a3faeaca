/** The server's table in a client's TOML file, which is written where there is none. */

import { containsStrings, namesServer, type Part } from "./part.ts";

/**
 * @param table The keys of the table from the outside in.
 * @param value The entry.
 */
export function tomlPart(file: string, table: readonly string[], value: object): Part {
  const label = `[${table.join(".")}]`;
  const snippet = tomlTable(table, value);
  const problem = `${file} is TOML, which setup does not edit`;
  return {
    file,
    label,
    snippet,
    add: (text) => {
      if (text === null || text.trim() === "") return { text: `${snippet}\n` };
      return containsStrings(text, value) ? { text } : { problem };
    },
    remove: (text) => {
      if (text.trimEnd() === snippet) return { text: null };
      return namesServer(text) ? { problem } : { text };
    },
  };
}

/** A table of strings and lists of strings, which TOML writes like JSON. */
export function tomlTable(table: readonly string[], value: object): string {
  const lines = Object.entries(value).map(([key, entry]) => `${key} = ${JSON.stringify(entry)}`);
  return [`[${table.join(".")}]`, ...lines].join("\n");
}
