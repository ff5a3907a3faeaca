/**
 * `refrakt.config.json`: read, parsed, and complained about where it is broken.
 *
 * @module
 */

import { join } from "node:path";
import { messageOf } from "../errors.ts";
import { readTextIfExists } from "../sandbox/files.ts";
import { resolveInside } from "../sandbox/paths.ts";
import type { Warning } from "./project.ts";

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
  let text: string | null;
  try {
    text = readTextIfExists(path);
    if (text !== null) resolveInside(cwd, CONFIG_NAME, "The config file");
  } catch (error) {
    warnings.push({
      code: "CONFIG_INVALID",
      message: `${CONFIG_NAME} cannot be read: ${messageOf(error)}`,
    });
    return null;
  }
  if (text === null) return null;
  let raw: unknown;
  try {
    raw = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    warnings.push({
      code: "CONFIG_INVALID",
      message: `${CONFIG_NAME} is not valid JSON: ${withPosition(messageOf(error), text)}`,
      hint:
        `Mend the syntax of ${CONFIG_NAME}; until then the project is treated as if it had none.`,
    });
    return null;
  }
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    warnings.push({
      code: "CONFIG_INVALID",
      message: `${CONFIG_NAME} must be a JSON object`,
      hint: 'Start from { "plan": { "dir": "plan" } }.',
    });
    return null;
  }
  return { path, text, raw: raw as Record<string, unknown> };
}

/** Plugins that ship with the server; a config names them without a scope, and they are no packages. */
export const BUNDLED_PLUGINS: readonly string[] = ["ralph"];

/** The plugin packages that the config names, top level and sites together, in order. */
export function configuredPlugins(config: ConfigFile | null): string[] {
  if (config === null) return [];
  const names = new Set<string>();
  const add = (value: unknown) => {
    if (!Array.isArray(value)) return;
    for (const name of value) if (typeof name === "string" && name !== "") names.add(name);
  };
  const { raw } = config;
  add(raw["plugins"] ?? raw["packages"]);
  for (const site of [raw["site"], ...Object.values(asObject(raw["sites"]))]) {
    const fields = asObject(site);
    add(fields["plugins"] ?? fields["packages"]);
  }
  return [...names];
}

/** The value as an object, or an empty one. */
export function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Record<string, unknown>
    : {};
}

/** V8 gives an offset; people want a line and a column. */
function withPosition(message: string, text: string): string {
  if (/line \d+/.test(message)) return message;
  const offset = /position (\d+)/.exec(message)?.[1];
  const position = offset === undefined
    ? /end of JSON/i.test(message) ? text.length : undefined
    : Number(offset);
  if (position === undefined) return message;
  const before = text.slice(0, position).split("\n");
  return `${message} (line ${before.length}, column ${before.at(-1)!.length + 1})`;
}
