/** Notes: dated, signed lines about the work on an entity, for those who continue it. */

import { invalidArguments } from "../../entity/values.ts";
import { quoted, requireNewName } from "../../../../src/plain_text.ts";
import { NOTES } from "../../entity/contents.ts";
import { dayOf, zonedDate } from "../../entity/durations.ts";
import { appendToSection } from "./sections.ts";
import type { Edit } from "../edits.ts";

/** The longest note, in characters. */
const MOST_NOTE = 1000;

/** Texts that look like the date of a note, or like the end of its signature. */
const CONFUSING = /[:\u02d0\u2236\ua789]|\p{Nd}{1,4}([-./\p{Pd}\u2212])\p{Nd}{1,2}\1\p{Nd}{1,4}/u;

/**
 * Checks the name with which a caller signs a note: nobody verifies it, but it must not look like
 * another date or signature.
 *
 * @throws {RefraktError} `INVALID_ARGS`
 */
export function requireSignature(by: string): void {
  requireNewName("A signature", by);
  if (!CONFUSING.test(by.normalize("NFKC"))) return;
  const message = `A signature contains neither a colon nor a date: ${quoted(by)}`;
  throw invalidArguments(message, "Pass a plain name as by.");
}

/** Adds a line under Notes. */
export const addNote = (text: string, by: string): Edit => (document) => {
  const line = text.replace(/\s+/g, " ").trim();
  if (line === "" || by.length + line.length > MOST_NOTE) {
    throw invalidArguments(
      `A note has 1 to ${MOST_NOTE} characters`,
      "Say what is done, what was tried, and what is next. Longer texts go into a section.",
    );
  }
  requireSignature(by);
  const day = dayOf(zonedDate());
  const signed = [by.trim(), line].filter(Boolean).join(": ");
  return appendToSection(NOTES, `- ${day} ${signed}`)(document);
};
