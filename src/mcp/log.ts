/**
 * Logs: one JSON line on stderr for people, a notification for clients that asked.
 *
 * @module
 */

import { writeStderr } from "../io/pipes.ts";
import { withEscapes } from "../plain_text.ts";
import type { LogLevel } from "../tools/context.ts";

const SEVERITY = "debug info notice warning error critical alert emergency".split(" ");

/** Whether a message at `level` is to be sent where `threshold` was asked for. */
export function isWanted(level: string, threshold: string | undefined): boolean {
  return threshold !== undefined && SEVERITY.indexOf(level) >= SEVERITY.indexOf(threshold);
}

/** Writes one line to stderr. */
export function logLine(
  threshold: LogLevel,
  level: LogLevel,
  logger: string,
  message: string,
  data: Record<string, unknown> = {},
): void {
  if (!isWanted(level, threshold)) return;
  const line = { timestamp: new Date().toISOString(), level, logger, data: { message, ...data } };
  writeStderr(`${withEscapes(JSON.stringify(line))}\n`);
}
