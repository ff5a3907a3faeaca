/**
 * Reads a plan file; see `../document.ts`.
 *
 * @module
 */

import { RefraktError } from "../../../src/errors.ts";
import { FILE_LIMIT_MS, inTime } from "../../../src/io/time_limit.ts";
import { conflictIn } from "./conflicts.ts";
import { entityOf } from "./entity.ts";
import type { Document } from "./model.ts";
import { type Outline, outlineOf } from "./outline.ts";

/** A shorter text takes no time, whatever it says. */
const SHORT = 16_384;

/**
 * Reads a text.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` for a text that would keep the parser long.
 */
export function read(text: string): Document {
  return readStrictly(text).document;
}

/** What is asked of a text that is to go into an entity. */
export type Strict = { readonly document: Document } & Pick<Outline, "entityTags" | "openFence">;

/** Reads a text, and says more of it. */
export function readStrictly(text: string): Strict {
  if (text.length <= SHORT) return readNow(text);
  return inTime(FILE_LIMIT_MS, () => readNow(text), tooHard);
}

function readNow(text: string): Strict {
  let outline;
  try {
    outline = outlineOf(text);
  } catch (error) {
    // Containers within containers are parsed by calls within calls.
    if (error instanceof RangeError) throw tooHard("it is nested too deeply");
    throw error;
  }
  const { further, entityTags, openFence } = outline;
  const document = { text, entity: entityOf(outline), further, conflict: conflictIn(outline) };
  return { document, entityTags, openFence };
}

function tooHard(reason: string): RefraktError {
  return new RefraktError("VALIDATION_ERROR", `Markdown is too hard to parse: ${reason}`, {
    hint: "Split the text, or part its blocks by blank lines.",
  });
}
