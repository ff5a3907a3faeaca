/** Git's hash of a file's content. */

import { nodeModule } from "./node_module.ts";

/**
 * Returns the hash of a blob.
 *
 * @param content The bytes; a text is encoded as UTF-8.
 * @param digits The length of the repository's hashes: 40 for SHA-1, 64 for SHA-256.
 */
export function blobHash(content: string | Uint8Array, digits: number): string {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const hash = nodeModule("node:crypto").createHash(digits === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}
