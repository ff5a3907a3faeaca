/**
 * Prints on stderr that the first start downloads packages.
 *
 * @module
 */

import { writeStderr } from "../../io/pipes.ts";

/** How long to wait before that, in milliseconds: longer than loading downloaded packages takes. */
const QUIET_MS = 5_000;

/** Waits for the packages; prints a note if that takes long. */
export async function whileLoading<Value>(
  loading: Promise<Value>,
  quietMs: number = QUIET_MS,
): Promise<Value> {
  const timer = setTimeout(() => {
    writeStderr(
      "Loading the project's packages; the first time they are downloaded " +
        "(the command warm does that in advance).\n",
    );
  }, quietMs);
  try {
    return await loading;
  } finally {
    clearTimeout(timer);
  }
}
