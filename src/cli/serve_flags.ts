/**
 * The flags that every way of serving has.
 *
 * @module
 */

import { RefraktError } from "../errors.ts";
import type { NameStyle } from "../server/clients.ts";
import type { ServeOptions } from "../server/server.ts";
import type { LogLevel } from "../surface/context.ts";
import type { Flags, ParsedFlags } from "./flags.ts";

/** Flags of both programs. */
export const COMMON_FLAGS: Flags = {
  cwd: { type: "string", value: "path", help: "The project's directory (default: where it runs)" },
  "tool-names": {
    type: "string",
    value: "style",
    help: "dotted or underscore (default: what the client can say)",
  },
  "log-level": {
    type: "string",
    value: "level",
    help: "debug, info, warning or error on stderr (default: info)",
  },
  help: { type: "boolean", short: "h", help: "Show this help" },
  version: { type: "boolean", short: "v", help: "Show the version" },
};

/** What the flags say about serving. */
export function serveOptions({ values }: ParsedFlags): ServeOptions {
  const toolNames = oneOf<NameStyle>(values, "tool-names", ["dotted", "underscore"]);
  const logLevel = oneOf<LogLevel>(values, "log-level", ["debug", "info", "warning", "error"]);
  return {
    ...(toolNames === undefined ? {} : { toolNames }),
    ...(logLevel === undefined ? {} : { logLevel }),
  };
}

function oneOf<Value extends string>(
  values: ParsedFlags["values"],
  name: string,
  valid: readonly Value[],
): Value | undefined {
  const value = values[name];
  if (value === undefined || valid.includes(value as Value)) return value as Value | undefined;
  throw new RefraktError("INVALID_ARGS", `--${name} does not take "${value}"`, {
    hint: `It takes ${valid.join(", ")}.`,
  });
}
