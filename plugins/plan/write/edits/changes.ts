/** What an edit has changed: the difference of the entity before and after it, in rows. */

import { contentOf, type Criterion, DESCRIPTION, sectionNamed } from "../../entity/document.ts";
import { NOTES } from "../../entity/contents.ts";
import { dependencyHeading } from "./dependencies.ts";
import type { Edit } from "./edit.ts";
import type { Editable } from "./splices.ts";

/** A change in the form in which the plugin reports it. */
export interface Change {
  /** The attribute, or the kind of thing that changed. */
  readonly field: string;
  readonly old: string;
  readonly new: string;
}

const row = (field: string, old: string, now: string): Change[] => [{ field, old, new: now }];

/** The rows of an edit. */
export function editChanges(edit: Edit, before: Editable, after: Editable): Change[] {
  if (edit.kind === "attributes") {
    return Object.entries(edit.values).flatMap(([field, value]) => {
      const old = before.entity.attributes[field];
      if (old === (value || undefined)) return [];
      return row(field, old ?? "", value === "" ? "(removed)" : value);
    });
  }
  if (before === after) return [];
  switch (edit.kind) {
    case "title":
      return row("title", titleText(before), titleText(after));
    case "dependsOn": {
      if (edit.ids.length === 0) return sectionRow(dependencyHeading(before), before, after);
      const count = ({ entity: { refs } }: Editable, id: string) =>
        refs.filter((ref) => ref.id === id).length;
      const added = new Set(edit.ids.filter((id) => count(after, id) > count(before, id)));
      return [...added].flatMap((id) => row("dependency", "", id));
    }
    case "independentOf":
      return edit.ids.flatMap((id) => row("dependency", id, ""));
    case "declareDependencies":
      return sectionRow(dependencyHeading(before), before, after);
    case "section":
    case "append":
      return sectionRow(edit.heading, before, after, edit.kind === "append");
    case "note": {
      const line = sectionText(NOTES, after).split("\n").at(-1)!;
      return row("note", "", line.slice("- ".length));
    }
    case "body":
      return row("body", bodySize(before), bodySize(after));
    case "resolve": {
      const isNew = before.entity.resolution === undefined;
      return row("resolution", isNew ? "" : "(appended)", isNew ? "added" : "updated");
    }
    default:
      return criterionRows(before.entity.criteria, after.entity.criteria);
  }
}

/** A title as written, where it can be changed. */
export function titleText({ text, entity: { title } }: Editable): string {
  const words = title?.words;
  return words === undefined ? title?.text ?? "" : text.slice(words.start, words.end);
}

/** Criteria were ticked, reworded, added or removed; the others are the same, in order. */
function criterionRows(before: readonly Criterion[], after: readonly Criterion[]): Change[] {
  const [old, now] = [before, after].map((criteria) =>
    criteria.map(({ text, checked }) => `${checked ? "[x]" : "[ ]"} ${text}`)
  );
  const rows: Change[] = [];
  const added = now!.length - old!.length;
  let [a, b] = [0, 0];
  while (a < old!.length || b < now!.length) {
    const [from, to] = [old![a], now![b]];
    const isAdded = added > 0 && from !== to;
    const isRemoved = added < 0 && from !== to;
    if (from !== to) {
      rows.push(...row("criterion", isAdded ? "" : from!, isRemoved ? "" : to!));
    }
    if (!isAdded) a++;
    if (!isRemoved) b++;
  }
  return rows;
}

/** A section by its size. @param isAppended Whether text was added to it. */
function sectionRow(
  heading: string,
  before: Editable,
  after: Editable,
  isAppended = false,
): Change[] {
  const section = sectionNamed(before.entity, heading);
  const name = section?.name ?? heading.trim();
  const title = section?.level === 0 ? "" : name;
  const field = section?.level === 0 && !isAppended ? DESCRIPTION : "section";
  const [old, now] = [sectionText(name, before), sectionText(name, after)];
  const isGone = section !== undefined && sectionNamed(after.entity, name) === undefined;
  // The blank line before what was appended does not count.
  const text = isAppended && old !== "" ? `${old}\n${now.slice(old.length).trimStart()}` : now;
  const oldSize = section === undefined ? "" : sizeOf(title, old);
  return row(field, oldSize, isGone ? "" : sizeOf(title, text));
}

function sectionText(name: string, document: Editable): string {
  const section = sectionNamed(document.entity, name);
  return section === undefined ? "" : contentOf(document, section.content);
}

function bodySize({ text, entity: { title, body } }: Editable): string {
  return sizeOf("", text.slice(title?.line.end ?? body.start, body.end));
}

/** Describes a text by its length. */
function sizeOf(heading: string, text: string): string {
  return `${heading} (${text.trim().length} characters)`.trim();
}
