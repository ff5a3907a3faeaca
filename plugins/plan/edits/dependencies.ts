import { contentOf, sectionNamed } from "../document.ts";
import { appendToSection, setSection } from "./sections.ts";
import type { Editable, EditOutcome } from "./splices.ts";

/** The headings that every version of the plugin reads as dependencies. */
const HEADINGS = ["Dependencies", "Blocked by", "Depends on", "Deps", "Requires"];

/** Adds ids to the dependencies of an entity; an empty list removes them all. */
export function dependOn(
  { ids }: { readonly ids: readonly string[] },
  document: Editable,
): EditOutcome {
  const section = HEADINGS.flatMap((name) => sectionNamed(document.entity, name) ?? [])[0];
  const heading = section?.name ?? HEADINGS[0]!;
  if (ids.length === 0) return setSection({ heading, text: "" }, document);
  const content = section === undefined ? "" : contentOf(document, section.content);
  const named = new Set(content.match(/[\w.-]+/g));
  const added = [...new Set(ids)].filter((id) => !named.has(id));
  if (added.length === 0) return { splices: [], changes: [] };
  const text = added.map((id) => `- {% ref "${id}" /%}`).join("\n");
  return {
    ...appendToSection({ heading, text }, document),
    changes: added.map((id) => ({ field: "dependency", old: "", new: id })),
  };
}
