/** Gives a tag, a milestone, an assignee or an entity another name, wherever the plan refers to it. */

import { quotedName } from "../../../src/plain_text.ts";
import { basename, dirname, join, resolve } from "node:path";
import { orElse, RefraktError } from "../../../src/errors.ts";
import { readIfExists, SIZE_LIMITS } from "../../../src/io/read.ts";
import { readForChange } from "../../../src/io/shared_files.ts";
import { turnTaker } from "../../../src/io/turns.ts";
import { type FileWrite, writeTogether } from "../../../src/io/write_together.ts";
import { type Document, nameChanger, read, type Span } from "../entity/document.ts";
import { type Entity, parts } from "../entity/entity.ts";
import { marksIn } from "../entity/inline.ts";
import type { PlanView } from "../queries/access.ts";
import { markersError } from "../store/problems.ts";
import { applySplices, type Splice } from "./edits/splices.ts";
import { attributeSplices } from "./edits/tag.ts";

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
  /** Whether other files have the same id: what refers to it is ambiguous, and stays. */
  readonly isShared?: boolean;
}

export interface Renamed {
  /** How many attributes and references have the name. */
  readonly uses: number;
  /** The files that change, relative to the plan, as they were called. */
  readonly files: readonly string[];
  /** Files in whose text or code the old name stays. */
  readonly mentions: readonly string[];
  /** The file of the entity that got the name. */
  readonly file: string | undefined;
}

/**
 * Renames in all files, or in none.
 *
 * @param isPreview Writes nothing. Otherwise the caller holds the plan's lock.
 * @throws {RefraktError} `CONFLICT` for conflict markers or a concurrent change, `VALIDATION_ERROR` if
 * a text would parse differently. Nothing is written then.
 */
export async function rename(
  plan: PlanView,
  change: Rename,
  isPreview: boolean,
): Promise<Renamed> {
  const { kind, from, entity, except = [], isShared = false } = change;
  const isName = kind === "id" || kind === "milestone"
    ? (text: string) => plan.spelled(text) === from
    : (text: string) => text === from;
  const withoutName = nameChanger(from, "");
  const move = entity && moveOf(plan, entity, change);
  const writes = new Map<string, FileWrite & { readonly file: string; readonly uses: number }>();
  const mentions: string[] = [];
  const turn = turnTaker(plan.signal);
  const skipped = except.map(({ file }) => file);
  for (const { file, unreadable } of plan.files) {
    const isOwn = file === entity?.file;
    if (unreadable !== undefined || skipped.includes(file) || isShared && !isOwn) continue;
    await turn();
    const path = plan.store.path(file);
    const source = readIfExists(plan.cwd, path, "plan");
    if (source === null || !mayName(source, from, move?.old)) continue;
    const seen = readForChange(plan.store.folder, path);
    const document = read(seen.text);
    const place = { path: seen.path, isOwn, isShared };
    const { splices, uses } = splicesIn(document, change, isName, move, place);
    if (splices.length > 0 && document.conflict !== undefined) {
      throw markersError(document.entity?.id ?? file, file, document.conflict);
    }
    const text = spliced(file, document, splices, change, isName);
    const isId = kind === "id" || kind === "milestone";
    if (isId && withoutName(text) !== text) mentions.push(file);
    const to = isOwn && move?.path === seen.path ? move.to : undefined;
    if (text === seen.text && to === undefined) continue;
    writes.set(seen.path, { file, uses, seen, text, ...to !== undefined && { to } });
  }
  const all = [...writes.values()];
  if (!isPreview) writeTogether(all);
  const [moved] = all.filter(({ to }) => to !== undefined);
  return {
    uses: all.reduce((sum, { uses }) => sum + uses, 0),
    files: all.map(({ file }) => file),
    mentions,
    file: moved === undefined
      ? entity?.file
      : join(dirname(moved.file), basename(moved.to!)).replaceAll("\\", "/"),
  };
}

/** Whether a text may have a name, in any case. */
function mayName(source: string, from: string, file: string | undefined): boolean {
  return source.toLowerCase().includes(from.toLowerCase()) ||
    file !== undefined && source.includes(file);
}

/** The new name of a file, if it changes. */
interface Move {
  /** The real path, and the name in it. */
  readonly path: string;
  readonly old: string;
  readonly name: string;
  readonly to: string;
}

/** The file of an entity has its id at the start of its name, or is named after a milestone. */
function moveOf(plan: PlanView, { file, type }: Entity, { from, to }: Rename): Move | undefined {
  const path = plan.store.path(file);
  const old = basename(file);
  const [stem = ""] = old.split(/\.md$/);
  const rest = stem === from
    ? ""
    : stem.startsWith(`${from}-`)
    ? stem.slice(from.length)
    : undefined;
  if (rest === undefined && type !== "milestone" || !old.endsWith(".md")) return undefined;
  const name = `${to}${rest ?? ""}.md`;
  return { path, old, name, to: join(dirname(path), name) };
}

/** What changes in a text, and how often it has the name. */
function splicesIn(
  document: Document,
  { kind, from, to, entity }: Rename,
  isName: (text: string) => boolean,
  move: Move | undefined,
  { path, isOwn, isShared }: {
    readonly path: string;
    readonly isOwn: boolean;
    readonly isShared: boolean;
  },
): { splices: Splice[]; uses: number } {
  const splices: Splice[] = [];
  let uses = 0;
  const tag = document.entity;
  if (tag !== undefined) {
    const written = isShared ? {} : attributesWith(tag.attributes, kind, to, isName);
    uses += Object.keys(written).length;
    if (isOwn) written[entity?.type === "milestone" ? "name" : "id"] = to;
    const values = Object.entries(written).map(([name, value]) => [name, `"${value}"`]);
    splices.push(...attributeSplices({ ...document, entity: tag }, Object.fromEntries(values)));
    const words = isOwn ? tag.title?.words : undefined;
    const title = words === undefined ? "" : document.text.slice(words.start, words.end);
    if (words !== undefined && new RegExp(`^${RegExp.escape(from)}(?![\\w.-])`).test(title)) {
      splices.push({ start: words.start, end: words.start + from.length, text: to });
    }
  }
  const isReferred = !isShared && (kind === "id" || kind === "milestone");
  for (const { start, end } of isReferred ? blocksOf(document) : []) {
    const references = referencesIn(document.text, start, end)
      .filter((span) => isName(document.text.slice(span.start, span.end)));
    uses += references.length;
    splices.push(...references.map((span) => ({ ...span, text: to })));
    if (move === undefined || !document.text.slice(start, end).includes(move.old)) continue;
    splices.push(
      ...linksTo(document.text, { start, end }, path, move).map((span) => ({
        ...span,
        text: move.name,
      })),
    );
  }
  return { splices: splices.sort((a, b) => a.start - b.start), uses };
}

/** The attributes that change; no value of a list is there twice. */
function attributesWith(
  attributes: Readonly<Record<string, string>>,
  kind: NameKind,
  to: string,
  isName: (text: string) => boolean,
): Record<string, string> {
  const changed: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) {
    const isHolder = HOLDERS[kind]?.includes(name) ?? !["id", "name"].includes(name);
    if (!isHolder || !parts(value).some(isName)) continue;
    const seen = new Set<string>();
    const kept = value.split(",").map((part) =>
      isName(part.trim()) ? part.replace(part.trim(), () => to) : part
    ).filter((part) => !seen.has(part.trim()) && seen.add(part.trim()));
    changed[name] = kept.join(",").trim();
  }
  return changed;
}

/** Successive lines outside code, comments and blank lines: code in a line ends with them. */
function blocksOf({ text, hidden }: Document): Span[] {
  const blocks: Span[] = [];
  let start = 0;
  let isOpen = false;
  for (const [index, line] of text.split("\n").entries()) {
    const end = start + line.length;
    const isText = line.trim() !== "" && !hidden.has(index);
    const last = blocks.at(-1);
    if (isText && isOpen && last !== undefined) blocks[blocks.length - 1] = { ...last, end };
    else if (isText) blocks.push({ start, end });
    isOpen = isText;
    start = end + 1;
  }
  return blocks;
}

/** The ids in the references of a block. */
function referencesIn(text: string, from: number, to: number): Span[] {
  return marksIn(text, from, to).flatMap(({ kind, start, end }) => {
    if (kind !== "tag" || end === -1) return [];
    const [all, before, id = ""] = /^(\{%\s*x?ref\s+")([^"\\]*)"/.exec(text.slice(start, end)) ??
      [];
    if (all === undefined) return [];
    return [{ start: start + before!.length, end: start + before!.length + id.length }];
  }).toArray();
}

/** A link or a definition of one, with its address. */
const LINK = /(\]\(|^[ \t]*\[[^\]\n]+\]:[ \t]*)(<?)([^\s)>#?]+)/gm;

/** The file's name in the links to it, outside code. */
function linksTo(text: string, { start, end }: Span, path: string, move: Move): Span[] {
  const plain = text.slice(start, end)
    .replace(/(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, (code) => " ".repeat(code.length));
  return [...plain.matchAll(LINK)].flatMap((match) => {
    const [, before = "", bracket = "", address = ""] = match;
    const target = resolve(dirname(path), orElse(() => decodeURI(address), address));
    if (target !== move.path || !address.endsWith(move.old)) return [];
    const to = start + match.index + before.length + bracket.length + address.length;
    return [{ start: to - move.old.length, end: to }];
  });
}

/** The text with splices, which parses as before but for the names. */
function spliced(
  file: string,
  before: Document,
  splices: readonly Splice[],
  change: Rename,
  isName: (text: string) => boolean,
): string {
  if (splices.length === 0) return before.source;
  const text = applySplices(before.source, splices);
  if (new TextEncoder().encode(text).length > SIZE_LIMITS.plan) {
    throw rejected(`make ${quotedName(file)} larger than ${SIZE_LIMITS.plan} bytes`);
  }
  const { kind, to } = change;
  const after = read(text);
  const written = attributesWith(before.entity?.attributes ?? {}, kind, to, isName);
  const wanted = { ...before.entity?.attributes, ...written };
  const meaning = (document: Document) =>
    meaningOf(document, (id) => isName(id) || id === to ? "" : id);
  const isAsked = meaning(after) === meaning(before) &&
    Object.entries(after.entity?.attributes ?? {}).every(([name, value]) =>
      ["id", "name"].includes(name) || change.isShared || value === wanted[name]
    );
  if (!isAsked) throw rejected(`change how ${quotedName(file)} parses`);
  return text;
}

function rejected(what: string): RefraktError {
  return new RefraktError("VALIDATION_ERROR", `Renaming would ${what}`, {
    hint: "Nothing was written. Change this file by hand.",
  });
}

/** What two versions of a document must have in common, whose texts differ in names alone. */
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
