/** Reads `refrakt.config.json`; an invalid one causes a warning. */

import { join } from "node:path";
import { messageOf, RefraktError } from "../errors.ts";
import { asObject, isObject, parseJsonc, textsOf } from "../io/json.ts";
import { readIfExists } from "../io/read.ts";
import type { Warning } from "./warning.ts";

export const CONFIG_NAME = "refrakt.config.json";

/** A config file with a JSON object. */
export interface ConfigFile {
  /** Absolute path. */
  readonly path: string;
  /** The text of the file. */
  readonly text: string;
  /** The parsed object. */
  readonly raw: Readonly<Record<string, unknown>>;
}

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
    raw = parseJsonc(text);
  } catch (error) {
    return invalid(
      `is not valid JSON: ${messageOf(error)}`,
      `Fix the syntax of ${CONFIG_NAME}; until then it is ignored.`,
    );
  }
  return isObject(raw)
    ? { path, text, raw }
    : invalid("must be a JSON object", 'Start from { "plan": { "dir": "plan" } }.');
}

/** The error for a project whose config is invalid, so that its plan and sites are unknown. */
export function configError(problem: string): RefraktError {
  return new RefraktError("CONFIG_INVALID", problem, {
    hint: `Mend ${CONFIG_NAME} first: it says where the plan and the sites are.`,
  });
}

/** Plugins that ship with the server; they have no scope and are not packages. */
export const BUNDLED_PLUGINS: readonly string[] = ["ralph"];

/** Limit of plugins that are searched, loaded or reported. */
export const MOST_PLUGINS = 200;

/** The plugins in the config, first of the top level, then of the sites. */
export function configuredPlugins(config: ConfigFile | null): string[] {
  return config === null ? [] : [...namedPlugins(config)].slice(0, MOST_PLUGINS);
}

/** The npm packages among them. */
export function configuredPackages(config: ConfigFile | null): string[] {
  return configuredPlugins(config).filter((name) => !BUNDLED_PLUGINS.includes(name));
}

function namedPlugins({ raw }: ConfigFile): Set<string> {
  const sites = [raw["site"], ...Object.values(asObject(raw["sites"]))].map(asObject);
  return new Set([raw, ...sites].flatMap(pluginsIn));
}

/** The plugins that a site or the top level names. */
export function pluginsIn(fields: Readonly<Record<string, unknown>>): string[] {
  return textsOf(fields["plugins"] ?? fields["packages"]).filter((name) => name !== "");
}
