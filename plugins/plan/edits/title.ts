/**
 * The title of an entity: its first heading.
 *
 * @module
 */

import type { EditOutcome } from "../edits.ts";
import type { Outline } from "../outline.ts";
import { checkTitle } from "../values.ts";

/** Sets the title. The name before a milestone's title stays. */
export function setTitle(
  { text }: { readonly text: string },
  _source: string,
  { type, title, bodyStart }: Outline,
): EditOutcome {
  const old = title?.text ?? "";
  const name = type === "milestone" ? /^\S+ — /.exec(old)?.[0] ?? "" : "";
  const given = checkTitle(text);
  const wanted = given.startsWith(name) ? given : name + given;
  if (wanted === old) return { splices: [], changes: [] };
  return {
    splices: [
      title === undefined
        ? { start: bodyStart, end: bodyStart, text: `\n# ${wanted}\n` }
        : { start: title.start, end: title.end, text: `# ${wanted}` },
    ],
    changes: [{ field: "title", old, new: wanted }],
  };
}
