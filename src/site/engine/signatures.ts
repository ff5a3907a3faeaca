/**
 * The runes of a site as signatures, one line each: names, attributes, purpose.
 *
 * @module
 */

import type { SerializedAttribute, SerializedRune } from "./shapes.ts";

/** What all signatures together may take, in characters. */
const BUDGET = 13_500;

/** How many values of an attribute are named, and how much of a purpose, from rich to poor. */
const FORMS: readonly { readonly values: number; readonly purpose: number }[] = [
  { values: 8, purpose: 100 },
  { values: 4, purpose: 80 },
  { values: 0, purpose: 60 },
  { values: 0, purpose: 0 },
];

/** The signatures by package, the core first. */
export function signaturesOf(runes: readonly SerializedRune[]): Record<string, string[]> {
  let made: Record<string, string[]> = {};
  for (const form of FORMS) {
    made = byPackage(runes, (rune) => signatureOf(rune, form.values, form.purpose));
    if (JSON.stringify(made).length <= BUDGET) break;
  }
  return made;
}

function byPackage(
  runes: readonly SerializedRune[],
  show: (rune: SerializedRune) => string,
): Record<string, string[]> {
  const groups = Map.groupBy(runes, ({ plugin }) => plugin);
  const order = [...groups.keys()].sort((a, b) =>
    Number(b === "core") - Number(a === "core") || a.localeCompare(b)
  );
  return Object.fromEntries(order.map((name) => [name, groups.get(name)!.map(show)]));
}

/** `hint|callout(type=note|warning, title): Purpose`; `!` marks what is required. */
function signatureOf(rune: SerializedRune, values: number, purpose: number): string {
  const { name, aliases, description, attributes: { own, base } } = rune;
  const attributes = Object.entries({ ...base?.attributes, ...own })
    .filter(([key]) => !key.startsWith("__"))
    .map(([key, attribute]) =>
      `${key}${attribute.required ? "!" : ""}${typeOf(attribute, values)}`
    );
  const head = [name, ...aliases].join("|") +
    (attributes.length === 0 ? "" : `(${attributes.join(", ")})`);
  return purpose === 0 ? head : `${head}: ${shortened(description, purpose)}`;
}

function typeOf({ type, matches = [] }: SerializedAttribute, values: number): string {
  if (values === 0) return "";
  if (matches.length > 0) {
    const more = matches.length > values ? "|…" : "";
    return `=${matches.slice(0, values).join("|")}${more}`;
  }
  return type === "string" ? "" : `=${type}`;
}

/** The first sentence, as far as it goes. */
function shortened(text: string, most: number): string {
  const sentence = text.split(/(?<=[.!?])\s/)[0]!.replace(/\.$/, "");
  return sentence.length <= most ? sentence : `${sentence.slice(0, most - 1).trimEnd()}…`;
}
