/**
 * JSON with comments and trailing commas, as `deno.jsonc` has it. The parser is loaded
 * only for projects that have such a file.
 *
 * @module
 */

type Parser = typeof import("jsonc-parser");

let parser: Parser | undefined;

/** Loads the parser; see {@linkcode parseJsonc}. */
export async function loadJsoncParser(): Promise<void> {
  parser ??= await import("jsonc-parser");
}

/**
 * Parses a text; plain JSON always, the rest once {@linkcode loadJsoncParser} has run.
 *
 * @throws {SyntaxError} Where it is neither.
 */
export function parseJsonc(text: string): unknown {
  if (parser === undefined) return JSON.parse(text);
  const errors: { error: number; offset: number; length: number }[] = [];
  const value: unknown = parser.parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0) throw new SyntaxError(`Unexpected text at offset ${errors[0]!.offset}`);
  return value;
}
