/** The servers' tables in a client's TOML file, which are written where there are none. */

import { containsStrings, namesServer, type Part, type ServerEntry } from "./part.ts";

export function tomlPart(file: string, entries: readonly ServerEntry[]): Part {
  const label = entries.map(({ path }) => `[${path.join(".")}]`).join(" and ");
  const tables = entries.map(tomlTable);
  const snippet = tomlTables(entries);
  const problem = `${file} is TOML, which setup does not edit`;
  const isOurs = (text: string) =>
    tables.reduce((rest, table) => rest.replace(`${table}\n`, ""), `${text}\n`).trim() === "";
  return {
    file,
    label,
    snippet,
    add: (text) => {
      if (text === null || isOurs(text)) return { text: `${snippet}\n` };
      return containsStrings(text, entries.map(({ value }) => value)) ? { text } : { problem };
    },
    remove: (text) => {
      if (isOurs(text)) return { text: null };
      return namesServer(text) ? { problem } : { text };
    },
  };
}

export function tomlTables(entries: readonly ServerEntry[]): string {
  return entries.map(tomlTable).join("\n\n");
}

/** A table of strings and lists of strings, which TOML writes like JSON. */
function tomlTable({ path, value }: ServerEntry): string {
  const lines = Object.entries(value).map(([key, entry]) => `${key} = ${JSON.stringify(entry)}`);
  return [`[${path.join(".")}]`, ...lines].join("\n");
}
