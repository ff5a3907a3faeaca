/**
 * Paths as Node and Deno take them.
 *
 * @module
 */

import { fileURLToPath } from "node:url";

/** A path as text: it may be given as the URL of a file, or as the bytes of its text. */
export function pathText(path: unknown): string {
  return path instanceof URL ? fileURLToPath(path) : String(path);
}
