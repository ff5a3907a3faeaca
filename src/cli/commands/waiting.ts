/**
 * Says on stderr that the first start downloads packages.
 *
 * @module
 */

import { writeStderr } from "../../io/pipes.ts";

/** How long nothing is said, in milliseconds: longer than packages that are there take to load. */
const QUIET_MS = 5_000;

/** Waits for the packages; says so once where that takes long, and nothing otherwise. */
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
