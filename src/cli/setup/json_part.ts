/** The server's entry, and the session hook, in a client's JSON file. */

import { isDeepStrictEqual } from "node:util";
import { asObject } from "../../io/json.ts";
import { shortLine } from "../../plain_text.ts";
import { containsStrings, type Edit, namesServer, type Part } from "./part.ts";
import { type JsonPath, parsePlainJson, removeAt, setAt, valueAt } from "./plain_json.ts";

/** The maximum length of a label in characters. */
const MAX_LABEL = 120;

/** What Cursor, which names the event otherwise, requires of a file besides hooks. */
const CURSOR_VERSION = { version: 1 };

/** @param path The keys from the outside in; the server's name comes last. */
export function serverPart(file: string, path: readonly string[], value: unknown): Part {
  const ours = /"jsr:@refrakt\/mcp[@/"]/;
  return jsonPart({ file, label: path.join("."), value, ours, pathIn: () => path, empty: {} });
}

/**
 * Our command among those that run when a session starts.
 *
 * @param event What the file calls that; `SessionStart` unless it is Cursor's.
 */
export function hookPart(file: string, value: unknown, event?: string): Part {
  const list = ["hooks", event ?? "SessionStart"];
  const ours = /jsr:@refrakt\/mcp[^"]* prime\b/;
  return jsonPart({
    file,
    label: `our command in ${list.join(".")}`,
    value,
    ours,
    pathIn: (root) => {
      const hooks = valueAt(root, list);
      const all = Array.isArray(hooks) ? hooks : [];
      const index = all.findIndex((hook) => ours.test(JSON.stringify(hook)));
      return [...list, index === -1 ? all.length : index];
    },
    empty: event === undefined ? {} : CURSOR_VERSION,
  });
}

interface JsonPart {
  readonly file: string;
  readonly label: string;
  readonly value: unknown;
  /** Matches the JSON of what an earlier `setup` may have written. */
  readonly ours: RegExp;
  readonly pathIn: (root: unknown) => JsonPath;
  /** What a file of the client holds without our part. */
  readonly empty: Readonly<Record<string, unknown>>;
}

function jsonPart({ file, label, value, ours, pathIn, empty }: JsonPart): Part {
  const isOurs = (entry: unknown) => ours.test(JSON.stringify(entry));
  const asFile = structuredClone<Record<string, unknown>>(empty);
  setAt(asFile, pathIn({}), value);
  const problem = `${file} is not a plain JSON object: setup edits none with comments, trailing ` +
    "commas or a key twice";
  return {
    file,
    label,
    snippet: JSON.stringify(asFile, null, 2),
    add: (text): Edit => {
      const json = parsePlainJson(text ?? "");
      if (json === undefined) return containsStrings(text!, value) ? { text } : { problem };
      const { root, print } = json;
      if (Object.keys(root).length === 0) Object.assign(root, empty);
      const path = pathIn(root);
      const before = plain(valueAt(root, path));
      if (isDeepStrictEqual(before, value)) return { text };
      if (!setAt(root, path, value)) return { problem: `${file} has something else at ${label}` };
      const isForeign = before !== undefined && !isOurs(before);
      return {
        text: print(root),
        ...(isForeign ? { note: `Replaced ${serverLabel(path, before)} in ${file}.` } : {}),
      };
    },
    remove: (text): Edit => {
      const json = parsePlainJson(text);
      if (json === undefined) return namesServer(text) ? { problem } : { text };
      const { root, print } = json;
      const path = pathIn(root);
      const before = plain(valueAt(root, path));
      if (before === undefined) return { text };
      if (!isOurs(before)) {
        return { text, note: `${file} keeps ${serverLabel(path, before)}, which is not this one.` };
      }
      removeAt(root, path);
      return { text: isDeepStrictEqual(plain(root), empty) ? null : print(root) };
    },
  };
}

/** A value without what keeps its source. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** The entry of a server in a client's configuration: `the server "refrakt" (npx @refrakt-md/mcp)`. */
function serverLabel(path: JsonPath, value: unknown): string {
  const { command, args, url } = asObject(value);
  const words = [command, ...Array.isArray(args) ? args : [], url]
    .filter((word) => typeof word === "string");
  const line = words.length === 0 ? "" : ` (${words.join(" ")})`;
  return shortLine(`the server "${path.at(-1)}"${line}`, MAX_LABEL);
}
