/** Documents as data in the instructions for a model. */

import { shortText } from "../../src/plain_text.ts";

/**
 * Puts a text between two lines that it cannot forge: documents contain text from the web and
 * from other people. A text that is too long ends with where to read the rest.
 */
export function fenced(path: string, text: string, most: number, label = path): string {
  let mark: string;
  do mark = crypto.randomUUID().replaceAll("-", "").slice(0, 12); while (text.includes(mark));
  const rest = `\n(of ${text.length} characters: open ${path} for the rest)`;
  const start = shortText(text.trimEnd(), most) + (text.length > most ? rest : "");
  return `----- DATA ${mark}: ${label} -----\n${start}\n----- END ${mark} -----`;
}
