/** Appends a paragraph to a text so that it can be taken out again. */

/** A file without a final newline stays so, which {@linkcode withoutAppended} needs. */
export function appended(text: string, added: string, eol: string): string {
  if (text.trim() === "") return added;
  return text.endsWith("\n") ? text + eol + added : text + eol + eol + added.trimEnd();
}

/** Removes the line breaks that {@linkcode appended} put before its text. */
export function withoutAppended(before: string, hasFinalNewline: boolean): string {
  return before.replace(/(\r?\n)\r?\n$/, (_all, end) => hasFinalNewline ? end : "");
}
