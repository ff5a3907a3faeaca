/** Names of specs: validation, and derivation from a goal. */

const MAX_NAME = 64;

/** The maximum length of a name that is derived from a goal, its number included. */
const MAX_DERIVED = 30;

const KEBAB = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

/** Letters that Unicode does not decompose into a base letter and a mark. */
const BASE_LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
};

export function isValidName(name: string): boolean {
  return name.length <= MAX_NAME && KEBAB.test(name) && !DEVICE.test(name);
}

/**
 * The kebab-case form of a text, without accents and cut between two words; empty if the text
 * has no Latin letters or digits.
 */
export function slugify(text: string, limit = MAX_DERIVED): string {
  const slug = text.slice(0, 4 * limit).toLowerCase()
    .replace(/[ßæœøł]/g, (letter) => BASE_LETTERS[letter] ?? letter)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9\s-]/g, "")
    .replace(/[\s-]+/g, "-")
    .replace(/^-|-$/g, "");
  const cut = cutAtWord(slug, limit);
  return DEVICE.test(cut) ? `spec-${cut}` : cut;
}

/**
 * A name for a goal: its slug, or the date if its letters are not Latin; `null` if it has
 * neither letters nor digits.
 */
export function nameForGoal(goal: string, now: Date = new Date()): string | null {
  if (!/[\p{L}\p{N}]/u.test(goal)) return null;
  return slugify(goal) || dated(now);
}

/** A valid name that resembles a rejected one. */
export function suggestName(rejected: string, now: Date = new Date()): string {
  return slugify(rejected.replace(/[_./\\:]+/g, " "), MAX_NAME) || dated(now);
}

/** Appends a number to a name, within its maximum length. */
export function withSuffix(name: string, count: number): string {
  if (count < 2) return name;
  const suffix = `-${count}`;
  const limit = name.length <= MAX_DERIVED ? MAX_DERIVED : MAX_NAME;
  return `${name.slice(0, limit - suffix.length).replace(/-$/, "")}${suffix}`;
}

function dated(now: Date): string {
  return `spec-${now.toISOString().slice(0, 10).replaceAll("-", "")}`;
}

function cutAtWord(slug: string, limit: number): string {
  if (slug.length <= limit) return slug;
  const boundary = slug.lastIndexOf("-", limit);
  return slug.slice(0, boundary > 0 ? boundary : limit).replace(/-$/, "");
}
