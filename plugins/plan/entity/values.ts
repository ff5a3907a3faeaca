/**
 * Checks values and texts from a caller for an entity. What cannot be stored unchanged is rejected
 * before anything is written.
 */

import { quotedName, requireNewName, requireVisible, word } from "../../../src/plain_text.ts";
import { errorsIn, RefraktError, throwJoined } from "../../../src/errors.ts";
import { contentOf, read } from "./document.ts";
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
    throw validationError(`Cannot change the "${name}" attribute`, hint);
  }
  requireNewName("The name of an attribute", name);
  const attribute = `Attribute ${quotedName(name)}`;
  requireNewName(attribute, value);
  const character = /["\\]|[\p{Cc}\u2028\u2029]|%\}|\{%/u.exec(value)?.[0];
  if (character !== undefined) {
    const message = `${attribute} must not contain ${
      characterName(character)
    }: it cannot be stored in a tag`;
    throw validationError(message, "Remove it, or put the text into the entity's body.");
  }
  if (value.length > MAX_VALUE) throw tooLong(attribute, MAX_VALUE);
  if (value !== value.trim()) {
    throw validationError(`${attribute} begins or ends with white space`, "Trim the value.");
  }
}

/** Returns a sentence for each attribute with a date that does not exist, such as 30 February. */
export function unknownDays(attributes: Readonly<Record<string, string>>): string[] {
  return Object.entries(attributes)
    .filter(([name, value]) =>
      (name === "date" && value !== "" || /^\d{4}-\d{2}-\d{2}$/.test(value)) && !isOfCalendar(value)
    )
    .map(([name, value]) => `${word(name)} is no day of the calendar: ${value}`);
}

/** Checks that a title is one line of text that fits into a heading. */
export function checkTitle(title: string): string {
  const clean = title.trim();
  if (clean === "") {
    throw invalidArguments('"title": must not be empty', "Pass a short description of the entity.");
  }
  requireVisible("The title", clean);
  const character = /[\p{Cc}\u2028\u2029]|\{%|%\}/u.exec(clean)?.[0];
  if (character !== undefined) {
    const message = `The title must not contain ${characterName(character)}`;
    throw validationError(message, "Pass one line of plain text.");
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
    throw validationError(`${quotedName(id)} is not an id of a ${type}`, hint);
  }
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(id) && !id.includes("..") && !id.endsWith(".")) {
    return id;
  }
  const hint =
    "Ids consist of letters, digits, hyphens, dots and underscores, such as WORK-012 or v1.2.0.";
  throw validationError(`Invalid id: ${quotedName(id)}`, hint);
}

function characterName(character: string): string {
  if (/[\n\r\u2028\u2029]/.test(character)) return "a line break";
  if (character.includes("%")) return `"${character}"`;
  if (character === '"') return "a double quote";
  return character === "\\" ? "a backslash" : "a control character";
}

const tooLong = (text: string, most: number) =>
  validationError(`${text} is longer than ${most} characters`, "Shorten it.");

/** The error for arguments that make no sense, or not together. */
export function invalidArguments(message: string, hint: string): RefraktError {
  return new RefraktError("INVALID_ARGS", message, { hint });
}

/** The error for what the plan cannot have. */
export function validationError(message: string, hint: string): RefraktError {
  return new RefraktError("VALIDATION_ERROR", message, { hint });
}

const MAX_INSERTED = 256 * 1024;

/** How often unmatched tags are escaped: escaping one may unmatch another. */
const MAX_ROUNDS = 20;

/**
 * Makes a text safe to insert into an entity, by parsing it in place.
 *
 * @param what The text's name in errors, such as `"resolve"`.
 * @param type The type of the entity.
 * @returns The text with LF line ends, and a backslash before every `{%` of an unmatched tag; and its
 * non-empty parts by their headings, of which the first may have none.
 * @throws {RefraktError} `VALIDATION_ERROR` if it cannot be inserted.
 */
export function safeText(source: string, what: string, type: EntityType) {
  const reject = (message: string, hint: string) => validationError(`${what} ${message}`, hint);
  let text = source.replace(/\r\n?/g, "\n");
  if (text.length > MAX_INSERTED) {
    throw reject(
      `is longer than ${MAX_INSERTED} characters`,
      "Shorten it, or move the text to a separate file.",
    );
  }
  // deno-lint-ignore no-control-regex -- these are what is looked for
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text)) {
    throw reject("must not contain control characters", "Pass plain text.");
  }
  const before = `{% ${type} id="X" %}\n\n# Title\n\n`;
  const lines = before.split("\n").length - 1;
  for (let round = 0;; round++) {
    const document = read(`${before}${text}\n\n{% /${type} %}\n`);
    const { unclosed, errors, sections } = document.entity!;
    if (document.entityTags > 2) {
      throw reject(
        "must not contain tags of plan entities: they would break the file",
        'Refer to another entity with {% ref "WORK-001" /%}, or by its bare id.',
      );
    }
    const places = [...unclosed?.kind === "tag" ? [unclosed] : [], ...errors]
      .map(({ start }) => start - before.length)
      .filter((at) => at >= 0 && at < text.length && text.startsWith("{%", at));
    if (places.length === 0 || round === MAX_ROUNDS) {
      const problem = unclosed?.message ?? document.openFence?.message ?? errors[0]?.message ??
        (document.conflict === undefined ? undefined : "It has merge conflict markers");
      if (problem !== undefined) {
        throw reject(
          "cannot be written: " +
            problem.replace(/in line (\d+)/, (_all, line) => `in its line ${line - lines}`),
          "Close what it opens, or put it between backquotes as code.",
        );
      }
      const parts = sections
        .map(({ name, level, content }) => ({ name, level, text: contentOf(document, content) }));
      return { text, sections: parts.filter(({ level, text }) => level > 0 || text !== "") };
    }
    for (const at of [...new Set(places)].sort((a, b) => b - a)) {
      text = `${text.slice(0, at)}\\${text.slice(at)}`;
    }
  }
}
