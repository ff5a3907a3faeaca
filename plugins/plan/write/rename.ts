/** Gives a tag, a milestone, an assignee or an entity another name, wherever the plan refers to it. */

import { basename, dirname, join, posix, resolve } from "node:path";
import { orElse } from "../../../src/errors.ts";
import { readIfExists, SIZE_LIMITS } from "../../../src/io/read.ts";
import { readForChange } from "../../../src/io/shared_files.ts";
import { inTurns } from "../../../src/io/turns.ts";
import { type FileWrite, writeTogether } from "../../../src/io/write_together.ts";
import { shownPath } from "../../../src/io/paths.ts";
import { quotedName, word } from "../../../src/plain_text.ts";
import { shortList } from "../../../src/plugin/counted.ts";
import { validationError } from "../entity/values.ts";
import { type Document, nameChanger, read } from "../entity/document.ts";
import { type Entity, splitList } from "../entity/entity.ts";
import { marksIn } from "../entity/tag.ts";
import type { PlanView } from "../queries/access.ts";
import { markersError } from "../store/problems.ts";
import { applyOutcome, applySplices, editable, type Splice } from "./edits.ts";
import { attributeSplices } from "./edits/tag.ts";

/** How many entities an answer names. */
const LISTED_ENTITIES = 20;

export const NAME_KINDS = ["tag", "milestone", "assignee", "id"] as const;

type NameKind = typeof NAME_KINDS[number];

/** The attributes that hold a name of a kind; an id may be in any. */
const HOLDERS: Readonly<Record<NameKind, readonly string[] | undefined>> = {
  tag: ["tags"],
  assignee: ["assignee"],
  milestone: ["milestone", "released-in", "source", "supersedes"],
  id: undefined,
};

export interface Rename {
  readonly kind: NameKind;
  readonly from: string;
  readonly to: string;
  /** The entity that gets the name itself. */
  readonly entity?: Entity | undefined;
  /** Entities whose files stay as they are. */
  readonly except?: readonly Entity[];
  /** Whether other files have the same id: references to it are ambiguous, and stay. */
  readonly isShared?: boolean;
}

/** How a rename finds the name: whether a text is it, and whether references have it. */
interface Naming extends Rename {
  readonly isName: (text: string) => boolean;
  /** Whether it stands in references, which are unambiguous. */
  readonly isReferred: boolean;
  readonly move: ReturnType<typeof moveOf>;
}

/**
 * Renames in all files, or in none.
 *
 * @param isPreview Writes nothing. Otherwise the caller holds the plan's lock.
 * @returns How many attributes and references have the name, the entities that change and those in
 * whose text or code the old name stays, and the path of the entity that got the name.
 * @throws {RefraktError} `CONFLICT` for conflict markers or a concurrent change, `VALIDATION_ERROR` if
 * a text would parse differently. Nothing is written then.
 */
export async function rename(plan: PlanView, change: Rename, isPreview: boolean) {
  const { kind, from, entity, except = [], isShared = false } = change;
  const isId = kind === "id" || kind === "milestone";
  const isName = (text: string) => (isId ? plan.spelled(text) : text) === from;
  const withoutName = nameChanger(from, "");
  const move = entity && moveOf(plan, entity, change);
  const naming = { ...change, isName, isReferred: isId && !isShared, move };
  const writes = new Map<string, FileWrite & { readonly id: string }>();
  const mentions: string[] = [];
  let uses = 0;
  for await (const { file, unreadable, parsed } of inTurns(plan.files, plan.signal)) {
    const isOwn = file === entity?.file;
    const id = parsed.entity?.id ?? file;
    if (unreadable !== undefined || except.some((other) => other.file === file)) continue;
    if (isShared && !isOwn) continue;
    const path = plan.store.path(file);
    const source = readIfExists(plan.cwd, path, "plan");
    const mayName = source?.toLowerCase().includes(from.toLowerCase()) ||
      move !== undefined && source?.includes(move.old);
    if (!mayName) continue;
    const seen = readForChange(plan.store.folder, path);
    if (writes.has(seen.path)) continue;
    const document = withoutRepeated(read(seen.text), naming);
    const names = [
      ...inAttributes(document, naming, isOwn),
      ...inReferences(document, naming, seen.path),
    ];
    const text = renamed(file, document, names, naming);
    uses += names.filter(({ isUse }) => isUse).length + Number(document.source !== seen.text);
    if (isId && withoutName(text) !== text) mentions.push(id);
    const to = isOwn && move?.path === seen.path ? move.to : undefined;
    if (text !== seen.text || to !== undefined) writes.set(seen.path, { id, seen, text, to });
  }
  const all = [...writes.values()];
  if (!isPreview) writeTogether(all);
  const file = all.some(({ to }) => to !== undefined)
    ? posix.join(dirname(entity!.file), move!.name)
    : entity?.file;
  const listed = (ids: readonly string[]) => shortList(ids.map(word), LISTED_ENTITIES) || undefined;
  return {
    from,
    to: change.to,
    path: file === undefined ? undefined : shownPath(plan.cwd, plan.store.path(file)),
    uses,
    changed: all.length,
    in: listed(all.map(({ id }) => id)),
    mentions: listed(mentions),
    preview: isPreview || undefined,
  };
}

/** The start of a list item that is a reference, up to the id. */
const ITEM_START = String.raw`^ {0,3}(?:[-*+]|\d+[.)])[ \t]+\{%[ \t]*x?ref[ \t]+"`;

/** Removes list items that would only repeat a reference of their list. */
function withoutRepeated(document: Document, { from, to, isReferred }: Naming): Document {
  if (!isReferred) return document;
  const text = visibleText(document);
  const itemStart = (id: string) => `${ITEM_START}${RegExp.escape(id)}"`;
  const repeated = new RegExp(`${itemStart(from)}[ \\t]*/%\\}[ \\t]*\\n(?![ \\t])`, "mi");
  const splices = document.entity?.sections.flatMap(({ body: { start, end } }) => {
    const list = text.slice(start, end);
    const item = repeated.exec(list);
    if (item === null || !new RegExp(itemStart(to), "mi").test(list)) return [];
    const at = start + item.index;
    return [{ start: at, end: at + item[0].length, text: "" }];
  });
  return splices === undefined ? document : applyOutcome(editable(document), { splices });
}

/** The text with blanks in place of code and comments. */
function visibleText({ text, hidden }: Document): string {
  const lines = text.split("\n");
  return lines.map((line, at) => hidden.has(at) ? " ".repeat(line.length) : line).join("\n");
}

/**
 * The new name of a file, if it changes: that of an entity has its id at the start, or is named after a
 * milestone.
 */
function moveOf(plan: PlanView, { file, type }: Entity, { from, to }: Rename) {
  const path = plan.store.path(file);
  const old = basename(file);
  const [, rest] = new RegExp(`^${RegExp.escape(from)}(-.*)?\\.md$`).exec(old) ?? [];
  const isNamed = old === `${from}.md` || rest !== undefined;
  if (!isNamed && type !== "milestone" || !old.endsWith(".md")) return undefined;
  const name = `${to}${rest ?? ""}.md`;
  // The real path, and the names in it.
  return { path, old, name, to: join(dirname(path), name) };
}

/** An occurrence of the name, and its replacement; the own id and title of an entity are no use. */
type NamePlace = Splice & { readonly isUse: boolean };

/** The name in attributes, and in the title of the entity itself. */
function inAttributes(document: Document, naming: Naming, isOwn: boolean): NamePlace[] {
  const { entity } = document;
  if (entity === undefined) return [];
  const { from, to } = naming;
  const placesOf = (values: Record<string, string>, isUse: boolean) => {
    const written = Object.entries(values).map(([name, value]) => [name, `"${value}"`]);
    const places = attributeSplices({ ...document, entity }, Object.fromEntries(written));
    return places.map((place) => ({ ...place, isUse }));
  };
  const places = placesOf(attributesWith(entity.attributes, naming), true);
  if (!isOwn) return places;
  places.push(...placesOf({ [entity.type === "milestone" ? "name" : "id"]: to }, false));
  const words = entity.title?.words;
  const title = words === undefined ? "" : document.text.slice(words.start, words.end);
  if (words !== undefined && new RegExp(`^${RegExp.escape(from)}(?![\\w.-])`).test(title)) {
    const { start } = words;
    places.push({ start, end: start + from.length, text: to, isUse: false });
  }
  return places;
}

/** The attributes that change; no value of a list is there twice. */
function attributesWith(
  attributes: Readonly<Record<string, string>>,
  { kind, to, isName, isShared }: Naming,
): Record<string, string> {
  const changed: Record<string, string> = {};
  if (isShared) return changed;
  for (const [name, value] of Object.entries(attributes)) {
    const isHolder = HOLDERS[kind]?.includes(name) ?? !["id", "name"].includes(name);
    if (!isHolder || !splitList(value).some(isName)) continue;
    const seen = new Set<string>();
    const kept = value.split(",").map((part) =>
      isName(part.trim()) ? part.replace(part.trim(), () => to) : part
    ).filter((part) => !seen.has(part.trim()) && seen.add(part.trim()));
    changed[name] = kept.join(",").trim();
  }
  return changed;
}

/** The ids in references, and the file's name in links to it. */
function inReferences(document: Document, { isName, isReferred, to, move }: Naming, path: string) {
  if (!isReferred) return [];
  const places: NamePlace[] = [];
  const { text } = document;
  // Code in a line ends with its block: successive lines outside code, comments and blank lines.
  for (const { 0: block, index } of visibleText(document).matchAll(/(?:^.*\S.*\n?)+/gm)) {
    for (const { kind, start, end } of marksIn(text, index, index + block.length)) {
      const tag = kind === "tag" && end !== -1 ? text.slice(start, end) : "";
      const [, before = "", id = ""] = /^(\{%\s*x?ref\s+")([^"\\]*)"/.exec(tag) ?? [];
      const at = start + before.length;
      if (isName(id)) places.push({ start: at, end: at + id.length, text: to, isUse: true });
    }
    if (move === undefined || !block.includes(move.old)) continue;
    const plain = block.replace(
      /(`+)(?!`)[^]*?(?<!`)\1(?!`)/g,
      (code) => " ".repeat(code.length),
    );
    for (const { 0: { length }, 1: address = "", index: at } of plain.matchAll(LINK)) {
      const target = resolve(dirname(path), orElse(() => decodeURI(address), address));
      if (target !== move.path || !address.endsWith(move.old)) continue;
      const end = index + at + length;
      places.push({ start: end - move.old.length, end, text: move.name, isUse: false });
    }
  }
  return places;
}

/** A link or a definition of one, with its address. */
const LINK = /(?:\]\(|^[ \t]*\[[^\]\n]+\]:[ \t]*)<?([^\s)>#?]+)/gm;

/** The text with the new name, which parses as before but for the names. */
function renamed(file: string, before: Document, places: readonly NamePlace[], naming: Naming) {
  const { source, entity, conflict } = before;
  if (places.length === 0) return source;
  if (conflict !== undefined) throw markersError(entity?.id ?? file, file, conflict);
  const { to, isName } = naming;
  const attributes = { ...entity?.attributes, ...attributesWith(entity?.attributes ?? {}, naming) };
  const meaning = (document: Document) =>
    meaningOf(document, (id) => isName(id) || id === to ? "" : id);
  const sorted = places.toSorted((a, b) => a.start - b.start);
  const isApart = sorted.every(({ start }, at) => at === 0 || start >= sorted[at - 1]!.end);
  const text = isApart ? applySplices(source, sorted) : source;
  const after = read(text);
  const isMeant = isApart && meaning(after) === meaning(before) &&
    Object.entries(after.entity?.attributes ?? {}).every(([name, value]) =>
      ["id", "name"].includes(name) || value === attributes[name]
    );
  const isLarge = new TextEncoder().encode(text).length > SIZE_LIMITS.plan;
  if (!isLarge && isMeant) return text;
  const harm = isLarge
    ? `make ${quotedName(file)} larger than ${SIZE_LIMITS.plan} bytes`
    : `change how ${quotedName(file)} parses`;
  throw validationError(`Renaming would ${harm}`, "Nothing was written. Change this file by hand.");
}

/** The parts of a document that a rename must not change, as one text. */
function meaningOf(
  { entity, further, conflict, entityTags }: Document,
  refOf: (id: string) => string,
): string {
  return JSON.stringify({
    further,
    conflict,
    entityTags,
    type: entity?.type,
    names: Object.keys(entity?.attributes ?? {}),
    isTitled: entity?.title !== undefined,
    sections: entity?.sections.map(({ level, locked }) => [level, locked]),
    criteria: entity?.criteria.map(({ checked, section }) => [checked, section]),
    refs: entity?.refs.map(({ id }) => refOf(id)),
    errors: entity?.errors.map(({ line }) => line),
    unclosed: entity?.unclosed?.kind,
  });
}
