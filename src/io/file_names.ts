/** Names that no file can have. */

import { quotedName } from "../plain_text.ts";

/** The maximum length of one name: UTF-16 units on Windows and macOS, bytes on Linux. */
const MOST_NAME = 255;

/** Windows reserves these for devices, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$) *(?:\.|$)/i;

/**
 * What is wrong with the names in a path, as the end of a sentence; `undefined` if nothing is.
 *
 * @param os The operating system, for tests; the host's by default.
 */
export function nameProblem(
  path: string,
  os: typeof Deno.build.os = Deno.build.os,
): string | undefined {
  if (path.includes("\0")) return "holds a NUL byte";
  const isWindows = os === "windows";
  const names = path.split(isWindows ? /[\\/]/ : "/");
  const long = names.find((name) => lengthOf(name, os) > MOST_NAME);
  if (long !== undefined) {
    return `holds a name of more than ${MOST_NAME} ${os === "linux" ? "bytes" : "characters"}: ` +
      JSON.stringify(`${long.slice(0, 20).toWellFormed()}…`);
  }
  if (!isWindows) return undefined;
  // The drive of an absolute path has a colon.
  const odd = names.slice(/^[a-z]:$/i.test(names[0]!) ? 1 : 0).find((name) => {
    return RESERVED.test(name) || /[<>:"|?*\p{Cc}]/u.test(name) || /[^.][. ]+$|^ +$/.test(name);
  });
  return odd === undefined
    ? undefined
    : `holds a name that Windows does not allow: ${quotedName(odd)}`;
}

function lengthOf(name: string, os: typeof Deno.build.os): number {
  return os === "linux" && name.length > MOST_NAME / 3
    ? new TextEncoder().encode(name).length
    : name.length;
}
