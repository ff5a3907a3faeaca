/** Checks the condition of a change: the texts that the entity must have before it. */

import { isShownAs, quoted, word } from "../../../src/plain_text.ts";
import { RefraktError } from "../../../src/errors.ts";
import { contentOf, plainOf, sectionNamed } from "../entity/document.ts";
import { ticksOf } from "../entity/version.ts";
import { NEWEST } from "../upstream/listed_version.ts";
import { isAttribute, type Vocabulary } from "../upstream/vocabulary.ts";
import type { Editable } from "./edits.ts";

type ConditionTexts = Readonly<Record<string, string>>;

/**
 * Texts by name; an empty one means that it is not there. A name is the exact one of an attribute,
 * `title`, `criteria`, or the heading of a section. `sections` names sections only.
 */
export type Condition = Readonly<Record<string, string | ConditionTexts | undefined>>;

/** @throws {RefraktError} `CONFLICT` with the current texts. */
export function requireCondition(
  document: Editable,
  condition: Condition,
  vocabulary: Vocabulary = NEWEST,
): void {
  const { attributes, id, title } = document.entity;
  const currentText = (name: string, wanted: string): string => {
    if (isAttribute(name, vocabulary) || Object.hasOwn(attributes, name)) {
      return Object.hasOwn(attributes, name) ? attributes[name]! : "";
    }
    if (name === "title") return title?.text ?? "";
    return name === "criteria" ? criteriaLines(document, wanted) : sectionText(document, name);
  };
  const reasons: string[] = [];
  const compare = (names: Condition, textOf: (name: string, wanted: string) => string): unknown =>
    Object.fromEntries(
      Object.entries(names).map(([name, wanted = ""]) => {
        if (typeof wanted !== "string") {
          return [name, compare(wanted, (heading) => sectionText(document, heading))];
        }
        const text = textOf(name, wanted);
        if (!matches(wanted, text)) reasons.push(mismatch(name, wanted, text));
        return [name, text];
      }),
    );
  const current = compare(condition, currentText);
  if (reasons.length === 0) return;
  throw new RefraktError(
    "CONFLICT",
    `${id === undefined ? "The entity" : word(id)} was changed: ${reasons.join(", ")}`,
    {
      hint: "Nothing was written. Read it again, then decide again.",
      data: { current },
    },
  );
}

/** Whether an expected text is, or was shown as, that of a file, but for line ends and outer space. */
function matches(expected: string, text: string): boolean {
  return isShownAs(plainOf(expected).trim(), plainOf(text).trim());
}

/** The longest text that an error quotes, in characters. */
const MAX_QUOTED = 40;

function mismatch(name: string, wanted: string, text: string): string {
  if (text === "") return `it has no ${word(name)}`;
  return Math.max(text.length, wanted.length) <= MAX_QUOTED && !text.includes("\n")
    ? `${word(name)} is ${quoted(text)}, not ${quoted(wanted)}`
    : `${quoted(name)} has another text`;
}

function sectionText(document: Editable, name: string): string {
  const section = sectionNamed(document.entity, name);
  return section === undefined ? "" : contentOf(document, section.content);
}

/** The criteria, a line each, such as `- [x] It is tested`; or as lists count them, such as `1/3`. */
function criteriaLines({ entity: { criteria } }: Editable, wanted: string): string {
  if (/^\d+\/\d+$/.test(wanted)) return ticksOf({ criteria });
  return criteria.map(({ text, checked }) => `- [${checked ? "x" : " "}] ${text}`).join("\n");
}
