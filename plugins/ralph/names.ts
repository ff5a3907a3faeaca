/**
 * Names of specs: which are allowed for a new one, and how one is made from a goal.
 *
 * @module
 */

import { withEscapes } from "../../src/plain_text.ts";

/** The longest name that a new spec may have. */
export const MAX_NAME = 64;

/** The longest name that is made from a goal, a number behind it included. */
export const MAX_DERIVED = 30;

const KEBAB = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

/** Letters that Unicode does not take apart into a base letter and a mark. */
const UNDECOMPOSED: Readonly<Record<string, string>> = {
  "ß": "ss",
  "æ": "ae",
  "œ": "oe",
  "ø": "o",
  "đ": "d",
  "ð": "d",
  "ł": "l",
  "þ": "th",
  "ı": "i",
};

/** Whether a new spec may be called this. */
export function isValidName(name: string): boolean {
  return name.length <= MAX_NAME && KEBAB.test(name) && !DEVICE.test(name);
}

/**
 * The kebab-case form of a text, or an empty string where nothing of it is left.
 * Accents are folded, and a long text is cut between two words.
 *
 * @param text A goal or a wished-for name.
 * @param limit The most characters.
 */
export function slugify(text: string, limit = MAX_DERIVED): string {
  const slug = text.slice(0, 4 * limit).toLowerCase()
    .replace(/[ßæœøđðłþı]/g, (letter) => UNDECOMPOSED[letter] ?? letter)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9\s-]/g, "")
    .replace(/\s+/g, "-")
    .replace(/-+/g, "-")
    .replace(/^-|-$/g, "");
  const cut = cutAtWord(slug, limit);
  return DEVICE.test(cut) ? `spec-${cut}` : cut;
}

/**
 * A name for a goal: its slug, or the date where its letters are not Latin; `null` where it has
 * neither letters nor digits.
 */
export function nameForGoal(goal: string, now: Date = new Date()): string | null {
  if (!/[\p{L}\p{N}]/u.test(goal)) return null;
  return slugify(goal) || dated(now);
}

/** A valid name near to one that was refused. */
export function suggestName(refused: string, now: Date = new Date()): string {
  // A path is most likely meant by its last part.
  const last = refused.slice(0, 1024).replace(/[_./\\:]+/g, " ").trim();
  const slug = slugify(last, MAX_NAME);
  return slug !== "" && isValidName(slug) ? slug : dated(now);
}

/** The name with a number behind it, never longer than a name of its kind may be. */
export function withSuffix(name: string, count: number): string {
  if (count < 2) return name;
  const suffix = `-${count}`;
  const limit = name.length <= MAX_DERIVED ? MAX_DERIVED : MAX_NAME;
  return `${name.slice(0, limit - suffix.length).replace(/-$/, "")}${suffix}`;
}

/** A name as it is quoted in a message: short, on one line, its control characters visible. */
export function shownName(name: string): string {
  const text = name.length > 80 ? `${name.slice(0, 77)}...` : name;
  return withEscapes(JSON.stringify(text)).slice(1, -1);
}

function dated(now: Date): string {
  return `spec-${now.toISOString().slice(0, 10).replaceAll("-", "")}`;
}

function cutAtWord(slug: string, limit: number): string {
  if (slug.length <= limit) return slug;
  const boundary = slug.lastIndexOf("-", limit);
  return slug.slice(0, boundary > 0 ? boundary : limit).replace(/-$/, "");
}
