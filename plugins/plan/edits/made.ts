/**
 * Which edits a document has already: an editor may have saved its own text and ours together,
 * before we look again.
 *
 * @module
 */

import { contentOf, sectionNamed } from "../document.ts";
import type { BodyEdit } from "../edits.ts";
import { plain } from "./criteria.ts";
import type { Editable } from "./outcome.ts";

/**
 * What is left to do of edits that were made once.
 *
 * @param edits The edits.
 * @param before The document in which they were made.
 * @param now The document in which they are to be made now.
 */
export function editsLeft(
  edits: readonly BodyEdit[],
  before: Editable,
  now: Editable,
): BodyEdit[] {
  return edits.flatMap((edit): BodyEdit[] => {
    const isMade = (one: BodyEdit) => isIn(one, now) && !isIn(one, before);
    switch (edit.kind) {
      case "check":
      case "uncheck":
        if (edit.which === "all") return [edit];
        return parts(edit.which, (which) => ({ ...edit, which }), isMade);
      case "removeCriteria": {
        if (edit.which === "all") return [edit];
        // The numbers are those of the document in which they were meant.
        const texts = edit.which.map((one) =>
          typeof one === "number" ? before.entity.criteria[one - 1]?.text ?? one : one
        );
        return parts(texts, (which) => ({ ...edit, which }), isMade);
      }
      case "addCriteria":
        return parts(edit.texts, (texts) => ({ ...edit, texts }), isMade);
      default:
        return isMade(edit) ? [] : [edit];
    }
  });
}

/** An edit of several things, without those that are made. */
function parts<One>(
  all: readonly One[],
  editOf: (some: readonly One[]) => BodyEdit,
  isMade: (edit: BodyEdit) => boolean,
): BodyEdit[] {
  const left = all.filter((one) => !isMade(editOf([one])));
  return left.length === 0 ? [] : [editOf(left)];
}

/** Whether a document says what one edit of one thing makes of it; those that may be repeated do not. */
function isIn(edit: BodyEdit, document: Editable): boolean {
  const { entity } = document;
  const matching = (text: string) => {
    const exact = entity.criteria.filter((one) => plain(one.text) === plain(text));
    return exact.length > 0
      ? exact
      : entity.criteria.filter((one) => plain(one.text).includes(plain(text)));
  };
  switch (edit.kind) {
    case "check":
    case "uncheck": {
      const [pick] = edit.which;
      if (typeof pick !== "string") return false;
      const found = matching(pick);
      return found.length > 0 && found.every(({ checked }) => checked === (edit.kind === "check"));
    }
    case "removeCriteria":
      return typeof edit.which[0] === "string" && matching(edit.which[0]).length === 0;
    case "addCriteria":
      return entity.criteria.some(({ text }) => plain(text) === plain(edit.texts[0]!));
    case "append": {
      const section = sectionNamed(entity, edit.heading);
      const text = edit.text.replace(/\r\n?/g, "\n").trim();
      return section !== undefined && contentOf(document, section.content).endsWith(text);
    }
    case "resolve":
      return entity.resolution?.body.includes(edit.text.replace(/\r\n?/g, "\n").trim()) === true;
    default:
      return false;
  }
}
