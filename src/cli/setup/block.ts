/** A block of lines in a text, such as a table or a section: appended, replaced or taken out. */

export type Place = readonly [from: number, to: number];

/** Puts the block at its place, or appends it; a text without a final newline stays so. */
export function withBlock(text: string, block: string, place: Place | undefined): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const written = block.trimEnd().replace(/\r?\n/g, () => eol);
  if (place !== undefined) return text.slice(0, place[0]) + written + text.slice(place[1]);
  if (text.trim() === "") return written + eol;
  return text.endsWith("\n") ? text + eol + written + eol : text + eol + eol + written;
}

/** Takes the block out, with the blank line before it; `null` if nothing else remains. */
export function withoutBlock(text: string, [from, to]: Place): string | null {
  const tail = text.slice(to);
  const head = text.slice(0, from).replace(/(\r?\n)\r?\n$/, (_all, end) => tail === "" ? "" : end);
  const rest = head + tail.replace(/^\r?\n/, "");
  return rest.trim() === "" ? null : rest;
}
