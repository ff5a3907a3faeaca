/** Adds dependencies to an entity, and states that it has none. */

import { contentOf, sectionNamed } from "../../entity/document.ts";
import { appendToSection, setSection } from "./sections.ts";
import type { Editable, EditOutcome } from "./splices.ts";

/** The headings that every version of the plugin reads as dependencies. */
const HEADINGS = ["Dependencies", "Blocked by", "Depends on", "Deps", "Requires"];

/** The text of a section that lists none. */
const NONE = "None.";

/** Adds ids to the dependencies of an entity; an empty list removes them all. */
export function dependOn(
  { ids }: { readonly ids: readonly string[] },
  document: Editable,
): EditOutcome {
  const section = HEADINGS.flatMap((name) => sectionNamed(document.entity, name) ?? [])[0];
  const heading = section?.name ?? HEADINGS[0]!;
  const content = section === undefined ? "" : contentOf(document, section.content);
  if (ids.length === 0) {
    // Without the section, the plugin before 0.28 counts every other reference.
    const text = hasReferences(document, content) ? NONE : "";
    return content === text
      ? { splices: [], changes: [] }
      : setSection({ heading, text }, document);
  }
  const named = new Set(content.match(/[\w.-]+/g));
  const added = [...new Set(ids)].filter((id) => !named.has(id));
  if (added.length === 0) return { splices: [], changes: [] };
  const text = added.map((id) => `- {% ref "${id}" /%}`).join("\n");
  const put = content === NONE ? setSection : appendToSection;
  return {
    ...put({ heading, text }, document),
    changes: added.map((id) => ({ field: "dependency", old: "", new: id })),
  };
}

/** States that an entity has no dependencies if it has references and no section about them. */
export function declareDependencies(document: Editable): EditOutcome {
  const isDeclared = HEADINGS.some((name) => sectionNamed(document.entity, name) !== undefined);
  return isDeclared ? { splices: [], changes: [] } : dependOn({ ids: [] }, document);
}

/** Whether the body has references outside a text. */
function hasReferences({ text, entity: { body } }: Editable, without: string): boolean {
  const rest = text.slice(body.start, body.end);
  return /\{%\s*x?ref\s/.test(without === "" ? rest : rest.replace(without, ""));
}
