/** Decodes the texts of a project, and reports files in another encoding by name. */

import { RefraktError } from "../errors.ts";

/** Keeps a byte order mark, so that a changed file keeps its first bytes. */
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const LENIENT = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Decodes UTF-8; a byte order mark stays in the text.
 *
 * @param path The file's path for the message.
 * @throws {RefraktError} `VALIDATION_ERROR` for another encoding, such as the UTF-16 of PowerShell 5.1.
 */
export function decodeText(bytes: Uint8Array, path: string): string {
  let cause: unknown;
  try {
    const text = UTF8.decode(bytes);
    // UTF-16 without a byte order mark is valid UTF-8 if all of its characters are ASCII.
    if (!text.includes("\0")) return text;
  } catch (error) {
    cause = error;
  }
  const start = bytes.subarray(0, 2).toHex();
  const isWide = start === "fffe" || start === "feff" || bytes.subarray(0, 1000).includes(0);
  const what = isWide ? "UTF-16 or binary, not UTF-8" : "Not UTF-8";
  throw new RefraktError("VALIDATION_ERROR", `${what}: ${path}`, {
    hint: "Save it as UTF-8; rewriting it now would lose characters. In PowerShell 5.1, write " +
      "files with Set-Content -Encoding utf8: > writes UTF-16.",
    cause,
  });
}

/** Decodes UTF-8, whatever the bytes are. */
export function decodeLeniently(bytes: Uint8Array): string {
  return LENIENT.decode(bytes);
}

/** Removes a byte order mark. */
export function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}
