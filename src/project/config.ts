/**
 * Reads `refrakt.config.json`; a broken one is a warning.
 *
 * @module
 */

import { join } from "node:path";
import { messageOf } from "../errors.ts";
import { asObject, isObject } from "../io/json.ts";
import { withPosition } from "../io/json_errors.ts";
import { readIfExists } from "../io/read.ts";
import type { Warning } from "./warning.ts";

/** The name of the file. */
export const CONFIG_NAME = "refrakt.config.json";

/** A config file that is a JSON object. */
export interface ConfigFile {
  /** Absolute path. */
  readonly path: string;
  /** The text as it is on disk. */
  readonly text: string;
  /** The parsed object, as written. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** Reads the config; a broken one is a warning that says where it is broken. */
export function readConfig(cwd: string, warnings: Warning[]): ConfigFile | null {
  const path = join(cwd, CONFIG_NAME);
  const invalid = (problem: string, hint?: string): null => {
    const message = `${CONFIG_NAME} ${problem}`;
    warnings.push({ code: "CONFIG_INVALID", message, ...(hint === undefined ? {} : { hint }) });
    return null;
  };
  let text: string | null;
  try {
    text = readIfExists(cwd, path, "config");
  } catch (error) {
    return invalid(`cannot be read: ${messageOf(error)}`);
  }
  if (text === null) return null;
  let raw: unknown;
  try {
    raw = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    return invalid(
      `is not valid JSON: ${withPosition(messageOf(error), text)}`,
      `Mend the syntax of ${CONFIG_NAME}; until then the project is treated as if it had none.`,
    );
  }
  return isObject(raw)
    ? { path, text, raw }
    : invalid("must be a JSON object", 'Start from { "plan": { "dir": "plan" } }.');
}

/** Plugins that ship with the server; a config names them without a scope, and they are no packages. */
export const BUNDLED_PLUGINS: readonly string[] = ["ralph"];

/** The most plugins that count: each is looked for, loaded or warned of. */
export const MOST_PLUGINS = 200;

/** The plugin packages that the config names, top level and sites together, in order. */
export function configuredPlugins(config: ConfigFile | null): string[] {
  return config === null ? [] : [...namedPlugins(config)].slice(0, MOST_PLUGINS);
}

function namedPlugins({ raw }: ConfigFile): Set<string> {
  const names = new Set<string>();
  const add = (value: unknown) => {
    if (!Array.isArray(value)) return;
    for (const name of value) if (typeof name === "string" && name !== "") names.add(name);
  };
  add(raw["plugins"] ?? raw["packages"]);
  for (const site of [raw["site"], ...Object.values(asObject(raw["sites"]))]) {
    const fields = asObject(site);
    add(fields["plugins"] ?? fields["packages"]);
  }
  return names;
}
