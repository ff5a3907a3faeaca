/**
 * The plugin writes LF, whatever a file has; a file with CRLF keeps it.
 *
 * @module
 */

/** A text that is to replace a file's, with the line ends of the file, where those are all CRLF. */
export function withLineEndsOf(before: string, text: string): string {
  const isCrlf = before.includes("\r\n") && !/(?<!\r)\n/.test(before);
  return isCrlf ? text.replace(/\r?\n/g, "\r\n") : text;
}
