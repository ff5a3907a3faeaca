/** Reads `refrakt.config.json`; an invalid one causes a warning. */

import { join } from "node:path";
import { messageOf } from "../errors.ts";
import { countAndLimit } from "../plain_text.ts";
import { asObject, isObject, parseJsonc } from "../io/json.ts";
import { readIfExists } from "../io/read.ts";
import { CONFIG_NAME, MOST_PLUGINS, pluginsIn } from "../plugin/config.ts";
import type { ConfigFile, Warning } from "../plugin/project.ts";

/** @param bundled The names of plugins of this package, which are no npm packages. */
export function readConfig(
  cwd: string,
  warnings: Warning[],
  bundled: readonly string[] = [],
): ConfigFile | null {
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
  if (!isObject(raw)) {
    return invalid("must be a JSON object", 'Start from { "plan": { "dir": "plan" } }.');
  }
  const sites = [raw["site"], ...Object.values(asObject(raw["sites"]))].map(asObject);
  const named = new Set([raw, ...sites].flatMap(pluginsIn));
  if (named.size > MOST_PLUGINS) {
    const count = countAndLimit(named.size, "plugins", MOST_PLUGINS);
    invalid(`names ${count}`, "The others are ignored: name those that the project uses.");
  }
  const plugins = [...named].slice(0, MOST_PLUGINS);
  return {
    path,
    text,
    raw,
    plugins,
    packages: plugins.filter((name) => !bundled.includes(name)),
  };
}
