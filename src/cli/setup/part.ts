/** What `setup` adds to a file that others write, too, and takes back with `--remove`. */

/** A text of `null` represents a missing file. */
export type FileText = string | null;

/** A server's entry in a client's file. */
export interface ServerEntry {
  /** The keys in the file from the outside in; the server's name comes last. */
  readonly path: readonly string[];
  readonly value: Readonly<Record<string, unknown>>;
}

/** A kind of part. Its functions take texts without a byte order mark. */
export interface Part {
  readonly file: string;
  /** The part as a whole file, for a person who adds it. */
  readonly snippet: string;
  /** What a person removes. */
  readonly label: string;
  add(text: FileText): Edit;
  /** Takes the part out; the text is `null` if nothing else remains. */
  remove(text: string): Edit;
}

/** The result of an edit: the text, or why only a person can make it. */
export interface Edit {
  readonly text?: FileText;
  /** What was replaced or kept. */
  readonly note?: string;
  readonly problem?: string;
}

/** Whether a text names the published server at all. */
export function namesServer(text: string): boolean {
  return /jsr:@refrakt\/mcp(?:[@/"' ]|$)/m.test(text);
}

/** Whether a text contains every string of a value, as JSON and TOML write them. */
export function containsStrings(text: string, value: unknown): boolean {
  if (typeof value === "string") return text.includes(JSON.stringify(value));
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every((inner) => containsStrings(text, inner));
}
