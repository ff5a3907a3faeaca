/** Names of specs: validation, and derivation from a goal. */

import { slugOf } from "../../src/plain_text.ts";

const MAX_NAME = 64;

/** The maximum length of a name that is derived from a goal, its number included. */
const MAX_DERIVED = 30;

const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

/** Words of letters and digits of all scripts, joined by hyphens. */
export function isValidName(name: string): boolean {
  return name !== "" && name === slugOf(name, MAX_NAME) && !DEVICE.test(name);
}

/** The kebab-case form of a text, cut between two words; empty without letters and digits. */
export function slugify(text: string, limit = MAX_DERIVED): string {
  const slug = slugOf(text, limit);
  return DEVICE.test(slug) ? `spec-${slug}` : slug;
}

/** A valid name that resembles a rejected one. */
export function suggestName(rejected: string): string {
  const today = new Date().toISOString().slice(0, 10).replaceAll("-", "");
  return slugify(rejected, MAX_NAME) || `spec-${today}`;
}

/** Appends a number to a name, within its maximum length. */
export function withSuffix(name: string, count: number): string {
  if (count < 2) return name;
  const suffix = `-${count}`;
  const limit = name.length <= MAX_DERIVED ? MAX_DERIVED : MAX_NAME;
  return `${slugOf(name, limit - suffix.length)}${suffix}`;
}
