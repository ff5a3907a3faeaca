/** Reads `refrakt.config.json`; an invalid one causes a warning. */

import { join } from "node:path";
import { messageOf } from "../errors.ts";
import { isObject, parseJsonc } from "../io/json.ts";
import { readIfExists } from "../io/read.ts";
import { CONFIG_NAME } from "../plugin/config.ts";
import type { ConfigFile, Warning } from "../plugin/project.ts";

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
