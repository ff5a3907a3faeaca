/**
 * Checks values for an entity's tag or text. Values that cannot be stored unchanged are rejected
 * before anything is written.
 */

import { quotedName, requireNewName, requireVisible, word } from "../../../src/plain_text.ts";
import { errorsIn, RefraktError, throwJoined } from "../../../src/errors.ts";
import { isOfCalendar } from "./durations.ts";
import type { EntityType } from "./types.ts";

const MAX_VALUE = 500;
const MAX_TITLE = 200;

/**
 * Checks attribute values. They are stored between double quotes in a Markdoc tag, where a quote,
 * a backslash or a line break would end or change them.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` with the attribute and the reason.
 */
export function checkAttributes(attributes: Readonly<Record<string, string>>): void {
  throwJoined(errorsIn(Object.entries(attributes).map((entry) => () => checkAttribute(...entry))));
}

function checkAttribute(name: string, value: string): void {
  if (name === "id" || name === "name") {
    const hint =
      'Pass "id" to plan_create. It cannot change later because other entities refer to it.';
    throw invalid(`Cannot change the "${name}" attribute`, hint);
  }
  requireNewName("The name of an attribute", name);
  const attribute = `Attribute ${quotedName(name)}`;
  requireNewName(attribute, value);
  const character = /["\\]|[\p{Cc}\u2028\u2029]|%\}|\{%/u.exec(value)?.[0];
  if (character !== undefined) {
    const message = `${attribute} must not contain ${
      nameOf(character)
    }: it cannot be stored in a tag`;
    throw invalid(message, "Remove it, or put the text into the entity's body.");
  }
  if (value.length > MAX_VALUE) throw tooLong(attribute, MAX_VALUE);
  if (value !== value.trim()) {
    throw invalid(`${attribute} begins or ends with white space`, "Trim the value.");
  }
}

/** Names the attributes whose value is a date that does not exist, such as 30 February, in sentences. */
export function unknownDays(attributes: Readonly<Record<string, string>>): string[] {
  return Object.entries(attributes)
    .filter(([, value]) => /^\d{4}-\d{2}-\d{2}$/.test(value) && !isOfCalendar(value))
    .map(([name, value]) => `${word(name)} is no day of the calendar: ${value}`);
}

/** Checks that a title is one line of text that fits into a heading. */
export function checkTitle(title: string): string {
  const clean = title.trim();
  if (clean === "") {
    throw new RefraktError("INVALID_ARGS", '"title": must not be empty', {
      hint: "Pass a short description of the entity.",
    });
  }
  requireVisible("The title", clean);
  const character = /[\p{Cc}\u2028\u2029]|\{%|%\}/u.exec(clean)?.[0];
  if (character !== undefined) {
    const message = `The title must not contain ${nameOf(character)}`;
    throw invalid(message, "Pass one line of plain text.");
  }
  if (clean.length > MAX_TITLE) throw tooLong("The title", MAX_TITLE);
  return clean;
}

/** The type of ids by their prefix. */
const PREFIXES: Readonly<Record<string, EntityType>> = {
  "WORK-": "work",
  "BUG-": "bug",
  "SPEC-": "spec",
  "ADR-": "decision",
};

/** Checks an id or a milestone's name, which becomes part of a file name. */
export function checkId(id: string, type: string): string {
  requireNewName("An id", id);
  const prefix = Object.keys(PREFIXES).find((start) => id.startsWith(start));
  if (prefix !== undefined && PREFIXES[prefix] !== type) {
    const hint = `Ids that begin with ${prefix} belong to ${PREFIXES[prefix]} entities.`;
    throw invalid(`${quotedName(id)} is not an id of a ${type}`, hint);
  }
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(id) && !id.includes("..") && !id.endsWith(".")) {
    return id;
  }
  const hint =
    "Ids consist of letters, digits, hyphens, dots and underscores, such as WORK-012 or v1.2.0.";
  throw invalid(`Invalid id: ${quotedName(id)}`, hint);
}

function nameOf(character: string): string {
  if (/[\n\r\u2028\u2029]/.test(character)) return "a line break";
  if (character.includes("%")) return `"${character}"`;
  if (character === '"') return "a double quote";
  return character === "\\" ? "a backslash" : "a control character";
}

const tooLong = (text: string, most: number) =>
  invalid(`${text} is longer than ${most} characters`, "Shorten it.");

const invalid = (message: string, hint: string) =>
  new RefraktError("VALIDATION_ERROR", message, { hint });
