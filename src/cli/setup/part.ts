/**
 * Our part of a shared file, how `setup` writes it, and how `--remove` undoes that: by the inverse
 * of the edit where that gives the same bytes back, else from a copy beside the file.
 */

import { RefraktError } from "../../errors.ts";
import { asObject } from "../../io/json.ts";
import { shortLine } from "../../plain_text.ts";

/** The maximum length of a label in characters. */
const MOST_LABEL = 120;

/** A text of `null` represents a missing file. */
export type FileText = string | null;

/** The part that a file contains now. */
export interface Found {
  readonly value: unknown;
  /** Its source text. */
  readonly raw: string;
  /** Whether it belongs to this server. */
  readonly isOurs: boolean;
  /** What it is, for people: `the server "refrakt" (npx @refrakt-md/mcp)`. */
  readonly label: string;
}

/**
 * A kind of part. Its functions take and return texts without a byte order mark, and throw
 * `VALIDATION_ERROR` for a file that they cannot edit.
 */
export interface Part {
  readonly file: string;
  find(text: string): Found | undefined;
  /** The text with our part, or with the source of another one in its place. */
  set(text: string, as?: Found): string;
  /** The text without the part, or `null` if nothing else remains. */
  remove(text: string): FileText;
}

export interface Outcome {
  readonly after: FileText;
  /** The copy beside the file. */
  readonly copy: FileText;
  /** A sentence about what was done. */
  readonly note?: string;
}

/** Two parts of one file, written and taken out together; what is found is the first. */
export function bothParts(first: Part, second: Part): Part {
  return {
    file: first.file,
    find: first.find,
    set: (text, as) =>
      as === undefined || as.isOurs
        ? second.set(first.set(text, as))
        : first.set(second.remove(text) ?? "", as),
    remove: (text) => first.remove(second.remove(text) ?? ""),
  };
}

/** The file beside `file` with its content before `setup`. */
export function copyOf(file: string): string {
  return `${file}.before-refrakt`;
}

/**
 * Writes the part.
 *
 * @param copy The present copy, if there is one.
 * @param hasRun Whether `setup` has run before, so that a part of ours is an older one.
 */
export function withPart(part: Part, before: FileText, copy: FileText, hasRun: boolean): Outcome {
  const { file } = part;
  const [mark, text] = divided(before);
  const found = before === null ? undefined : part.find(text);
  const after = part.set(text);
  if (after === text) return { after: before, copy };
  const written = mark + after;
  if (found?.isOurs && (hasRun || copy !== null)) return { after: written, copy };
  if (copy !== null && copy !== before) {
    throw new RefraktError("VALIDATION_ERROR", `${copyOf(file)} exists and differs from ${file}`, {
      hint: "Nothing was written. setup keeps the earlier file there: move or delete that one.",
    });
  }
  const isReversible = before === null || found === undefined && part.remove(after) === text;
  if (isReversible) return { after: written, copy };
  const kept = `A copy of the earlier file is in ${copyOf(file)}; setup --remove brings it back`;
  return {
    after: written,
    copy: before,
    note: found === undefined ? `${kept}.` : `Replaced ${found.label}. ${kept}.`,
  };
}

/** Takes the part out of a file, or gives back what it had replaced. */
export function withoutPart(part: Part, before: FileText, copy: FileText): Outcome {
  const { file } = part;
  if (before === null) return { after: copy, copy: null };
  const [mark, text] = divided(before);
  const found = part.find(text);
  const [, old] = divided(copy);
  const earlier = copy === null ? undefined : part.find(old);
  if (found !== undefined && !found.isOurs) {
    if (earlier?.raw === found.raw) return { after: before, copy: null };
    const kept = copy === null ? "" : ` ${copyOf(file)} stays too: delete it yourself.`;
    const note = `${file} keeps ${found.label}, which setup did not write.${kept}`;
    return { after: before, copy, note };
  }
  if (copy !== null && found !== undefined && part.set(old, found) === text) {
    return { after: copy, copy: null, note: `${file} is as it was before setup.` };
  }
  const changed = copy === null ? "" : `${file} has changed since setup wrote it. `;
  if (earlier !== undefined) {
    const note = `${changed}Only ${earlier.label} was restored; the rest stays as it is.`;
    return { after: mark + part.set(text, earlier), copy: null, note };
  }
  if (found === undefined) return { after: before, copy: null };
  const after = part.remove(text);
  if (after === null && copy === null) return { after, copy };
  const note = `${changed}Only ${found.label} was taken out of ${file}; the rest stays as it is.`;
  return { after: mark + (after ?? ""), copy: null, note };
}

/** A text as its byte order mark and the rest. */
function divided(text: FileText): [mark: string, rest: string] {
  return text?.startsWith("\uFEFF") ? ["\uFEFF", text.slice(1)] : ["", text ?? ""];
}

/** The entry of a server in a client's configuration. */
export function serverFound(name: string, value: unknown, raw: string): Found {
  const { command, args, url } = asObject(value);
  const words = [command, ...Array.isArray(args) ? args : [], url]
    .filter((word) => typeof word === "string");
  return {
    value,
    raw,
    isOurs: words.some((word) => /^jsr:@refrakt\/mcp(?:[@/]|$)/.test(word)),
    label: shortLine(
      `the server "${name}"${words.length === 0 ? "" : ` (${words.join(" ")})`}`,
      MOST_LABEL,
    ),
  };
}
