/** Changes the attributes of the opening tag, and the title. */

import { isShownAs } from "../../../../src/plain_text.ts";
import { checkTitle, validationError } from "../../entity/values.ts";
import { type Edit, type Editable, type Splice, UNCHANGED } from "../edits.ts";

/**
 * The splices that write attributes as given, with their quotes; an empty one is removed. They write
 * every occurrence of a repeated one.
 */
export function attributeSplices(
  { text, entity: { tag } }: Editable,
  written: Readonly<Record<string, string>>,
): Splice[] {
  const splices: Splice[] = [];
  let added = "";
  const last = tag.attributes.at(-1);
  const lineBefore = last === undefined
    ? ""
    : text.slice(text.lastIndexOf("\n", last.start), last.start);
  // A new attribute gets its own line if the last one has one.
  const space = lineBefore.startsWith("\n") && lineBefore.trim() === "" ? lineBefore : " ";
  for (const [name, value] of Object.entries(written)) {
    const old = tag.attributes.filter((attribute) => attribute.name === name);
    for (const { start, end, valueSpan } of old) {
      splices.push(
        value === ""
          ? { start: text.slice(0, start).trimEnd().length, end, text: "" }
          : { ...valueSpan, text: value },
      );
    }
    if (old.length === 0 && value !== "") added += `${space}${name}=${value}`;
  }
  if (added !== "") {
    const inside = text.slice(tag.start, tag.end - 2).trimEnd();
    const { length } = tag.isSelfClosing ? inside.slice(0, -1).trimEnd() : inside;
    splices.push({ start: tag.start + length, end: tag.start + length, text: added });
  }
  return splices.sort((a, b) => a.start - b.start);
}

/** Sets attributes to values that need no escaping. */
export const setAttributes = (values: Readonly<Record<string, string>>): Edit => (document) => {
  const written = Object.entries(values)
    .map(([name, value]) => [name, value === "" ? "" : `"${value}"`]);
  const splices = attributeSplices(document, Object.fromEntries(written));
  return { splices, attributes: values };
};

/** Sets the title. A milestone's name before its title stays. */
export const setTitle = (text: string): Edit => (document) => {
  const { type, title, body } = document.entity;
  const old = titleText(document);
  const name = type === "milestone" ? /^\S+ — /.exec(old)?.[0] ?? "" : "";
  // A title that came back as it was shown keeps its bytes.
  if ([text.trim(), name + text.trim()].some((each) => isShownAs(each, old))) return UNCHANGED;
  const checked = checkTitle(text);
  const wanted = checked.startsWith(name) ? checked : name + checked;
  if (title !== undefined && title.words === undefined) {
    const hint = "The first heading is inside a list, a quotation or a tag. Change it by hand.";
    throw validationError("The title cannot be changed", hint);
  }
  const place = title?.words ?? { start: body.start, end: body.start };
  // An empty heading may lack the space after its hash.
  const space = old === "" && document.text[place.start - 1] === "#" ? " " : "";
  const put = title === undefined ? `\n# ${wanted}\n` : space + wanted;
  return { title: wanted, splices: [{ ...place, text: put }] };
};

/** A title as written, where it can be changed. */
function titleText({ text, entity: { title } }: Editable): string {
  const words = title?.words;
  return words === undefined ? title?.text ?? "" : text.slice(words.start, words.end);
}
