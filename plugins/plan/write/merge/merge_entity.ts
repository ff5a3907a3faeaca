/**
 * Merges two versions of an entity by meaning: attributes one by one, criteria by text, sections by
 * heading, and the rest by lines.
 */

import { read } from "../../entity/document.ts";
import { applySplices, type Editable } from "../edits/splices.ts";
import { attributeSplices } from "../edits/tag.ts";
import {
  isBox,
  linesOf,
  type MergedVersion,
  mergedVersionOf,
  type Piece,
  pieceName,
  TITLE,
} from "./pieces.ts";
import { rewordedIn, rewording } from "./rewording.ts";
import { type Choice, isClear, mapSides, merged, mergeLines, type Sides } from "./three_way.ts";

/** What the two sides disagree on. */
interface Disagreement extends Sides<string> {
  readonly kind: "attribute" | "criteria" | "sections" | "rest";
  /** The attribute, the criterion, or the section. */
  readonly name: string;
}

/** Decisions about disagreements. */
export interface Decisions {
  /** Values of attributes; an empty one removes the attribute. */
  readonly attributes?: Readonly<Record<string, string>>;
  readonly criteria?: Choice | undefined;
  readonly sections?: Choice | undefined;
  readonly rest?: Choice | undefined;
}

/** The result of a merge. */
export interface Merge {
  /** The merged file; disagreements stand between conflict markers. */
  readonly source: string;
  readonly disagreements: readonly Disagreement[];
  /** Criteria that are open again: one side has ticked them, the other has reworded them. */
  readonly reopened?: readonly string[];
}

/** The names of the sides in conflict markers. */
type Labels = Pick<Sides<string>, "ours" | "theirs">;

/** A merge that runs. */
interface Merging {
  readonly decisions: Decisions;
  readonly labels: Labels;
  readonly disagreements: Disagreement[];
  /** The lines of a token, as merged or as on a side. */
  linesOf(token: string, side?: keyof Sides<unknown>): string[];
}

/**
 * Merges the texts of a file. What is no entity on each side is merged by lines.
 *
 * @param sides The texts of the file; an empty base if both sides have added it.
 * @param decisions What to do where the sides disagree.
 */
export function mergeEntity(
  sides: Sides<string>,
  decisions: Decisions = {},
  labels: Labels = { ours: "ours", theirs: "theirs" },
): Merge {
  if (isClear(sides)) return { source: merged(sides), disagreements: [] };
  const versions = versionsOf(sides);
  const merge = versions && mergeVersions(versions, decisions, labels);
  if (merge !== undefined) return merge;
  const disagreements: Disagreement[] = [];
  const merging = { decisions, labels, disagreements, linesOf: (token: string) => [token] };
  const lines = mapSides(sides, (text) => read(text).text.split("\n"));
  const text = mergeTokens(merging, lines, "rest", "text").join("\n");
  return { source: withText(sides.ours, text), disagreements };
}

/** The versions, if each is one closed entity of the same type and id. */
function versionsOf(sides: Sides<string>): Sides<MergedVersion> | undefined {
  const [ours, theirs] = [read(sides.ours), read(sides.theirs)];
  const base = sides.base === "" ? emptyOf(ours) : read(sides.base);
  const isSound = [base, ours, theirs].every(({ entity, further, conflict }) =>
    entity !== undefined && further.length === 0 && conflict === undefined &&
    entity.unclosed === undefined && entity.id === base.entity?.id &&
    entity.type === base.entity?.type && !entity.tag.isSelfClosing &&
    new Set(entity.tag.attributes.map(({ name }) => name)).size === entity.tag.attributes.length
  );
  return isSound ? mapSides({ base, ours, theirs } as Sides<Editable>, mergedVersionOf) : undefined;
}

/** An entity without content, as the base of two that were added. */
function emptyOf({ entity }: ReturnType<typeof read>): ReturnType<typeof read> {
  const name = entity?.type === "milestone" ? "name" : "id";
  return read(`{% ${entity?.type} ${name}="${entity?.id ?? ""}" %}\n{% /${entity?.type} %}\n`);
}

/** The merged text; `undefined` if it would not parse as wanted. */
function mergeVersions(
  versions: Sides<MergedVersion>,
  decisions: Decisions,
  labels: Labels,
): Merge | undefined {
  const { marks, contested, reopened } = mergeMarks(versions);
  const disagreements: Disagreement[] = [];
  const merging: Merging = {
    decisions,
    labels,
    disagreements,
    linesOf: (token, side) => {
      const all = side === undefined ? marks : versions[side].marks;
      return isBox(token) ? linesOf(token, all.get(token.replace(CHANGED, "")) ?? " ") : [token];
    },
  };
  const around = mapSides(versions, ({ document: { text, entity: { tag, body } } }) => [
    text.slice(0, tag.start),
    text.slice(tag.end, body.start),
    text.slice(body.end),
  ]);
  const [head, between, tail] = ["before the entity", "around the entity", "around the entity"]
    .map((name, at) => {
      const lines = mapSides(around, (texts) => texts[at]!.split("\n"));
      return mergeTokens(merging, lines, "rest", name).join("\n");
    });
  const tag = mergeTags(merging, versions);
  const tokens = mergePieces(merging, versions, contested);
  const body = tokens.flatMap((token) => merging.linesOf(token)).map((line) => `${line}\n`);
  const ours = versions.ours.document;
  const source = withText(ours.source, `${head}${tag}${between}${body.join("")}${tail}`);
  if (disagreements.length === 0) {
    const { entity } = read(source);
    const isSound = entity?.type === ours.entity.type && entity.id === ours.entity.id &&
      entity.unclosed === undefined && entity.criteria.length === tokens.filter(isBox).length;
    if (!isSound) return undefined;
  }
  return { source, disagreements, ...reopened.size > 0 ? { reopened: [...reopened] } : {} };
}

/** The file of ours with another text. */
function withText(source: string, text: string): string {
  return applySplices(source, [{ start: 0, end: read(source).text.length, text }]);
}

/** Decides which criteria are ticked, and finds those that one side has ticked and one removed. */
function mergeMarks({ base, ours, theirs }: Sides<MergedVersion>) {
  const marks = new Map<string, string>();
  const contested = new Set<string>();
  const reopened = new Set<string>();
  const reworded = { ours: rewordedIn(base, ours), theirs: rewordedIn(base, theirs) };
  for (const token of [base, ours, theirs].flatMap(({ marks }) => [...marks.keys()])) {
    const [was, a, b] = [base, ours, theirs].map(({ marks }) => marks.get(token));
    const remaining = a ?? b;
    const isOnBoth = a !== undefined && b !== undefined;
    marks.set(token, isOnBoth && a === (was ?? " ") ? b : (remaining ?? was)!);
    if (isOnBoth || remaining === undefined || was === undefined || remaining === was) continue;
    const side = a === undefined ? "ours" : "theirs";
    const other = reworded[side].get(token);
    if (other === undefined) contested.add(token);
    else if (remaining !== " " && { ours, theirs }[side].marks.get(other) === " ") {
      reopened.add(rewording(token, other));
    }
  }
  return { marks, contested, reopened };
}

/** The opening tag of ours, with the attributes of both sides. */
function mergeTags({ decisions, disagreements, labels }: Merging, versions: Sides<MergedVersion>) {
  const { ours: { document: ours }, theirs: { document: theirs } } = versions;
  const wanted: Record<string, string> = {};
  const both: Record<string, string> = {};
  const names = new Set(
    [ours, theirs].flatMap(({ entity }) => Object.keys(entity.attributes)),
  );
  for (const name of names) {
    const values = mapSides(versions, ({ document }) => document.entity.attributes[name] ?? "");
    const decided = decisions.attributes?.[name];
    if (isClear(values)) {
      if (merged(values) !== values.ours) wanted[name] = writtenValue(theirs, name);
    } else if (decided === undefined) {
      both[name] = writtenValue(theirs, name);
      disagreements.push({ kind: "attribute", name, ...values });
    } else if (decided !== values.ours) wanted[name] = decided === "" ? "" : `"${decided}"`;
  }
  const tag = tagWith(ours, wanted);
  if (Object.keys(both).length === 0) return tag;
  // Markers stand at the start of a line, and the tag does too.
  return marked(labels, [tag], [tagWith(ours, { ...wanted, ...both })]).join("\n");
}

/** An attribute's value with its quotes; empty if the entity does not have it. */
function writtenValue({ text, entity: { tag } }: Editable, name: string): string {
  const attribute = tag.attributes.find((attribute) => attribute.name === name);
  return text.slice(attribute?.valueSpan.start ?? 0, attribute?.valueSpan.end ?? 0);
}

/** The opening tag with other values, as written; an empty value removes the attribute. */
function tagWith(document: Editable, written: Readonly<Record<string, string>>): string {
  const { text, entity: { tag } } = document;
  return applySplices(text.slice(0, tag.end), attributeSplices(document, written))
    .slice(tag.start);
}

/** The tokens of the title and the sections. */
function mergePieces(
  merging: Merging,
  versions: Sides<MergedVersion>,
  contested: ReadonlySet<string>,
): string[] {
  const pieces = mapSides(versions, ({ pieces }) => pieces);
  const body: string[] = [];
  for (const key of orderOf(mapSides(pieces, (byKey) => [...byKey.keys()]))) {
    const sides = mapSides(pieces, (byKey) => byKey.get(key));
    const tokens = mergePiece(merging, sides, contested);
    const isAdded = tokens.length > 0 && sides.ours === undefined;
    if (isAdded && body.length > 0 && body.at(-1) !== "") body.push("");
    for (const token of tokens) body.push(token);
    if (isAdded && tokens.at(-1) !== "") body.push("");
  }
  return body;
}

/** The end of a token that its side has changed. */
const CHANGED = "\0changed";

/** The tokens of a piece; none if it is gone. */
function mergePiece(
  merging: Merging,
  { base, ours, theirs }: Sides<Piece | undefined>,
  contested: ReadonlySet<string>,
): string[] {
  const name = (ours ?? theirs ?? base)!.name;
  /** A tick is a change, also where the other side has removed the criterion. */
  const ticked = (tokens: readonly string[]) =>
    tokens.map((token) => contested.has(token) ? token + CHANGED : token);
  if (ours === undefined || theirs === undefined) {
    const tokens = ticked((ours ?? theirs)?.tokens ?? []);
    const isChanged = tokens.join("\n") !== base?.tokens.join("\n");
    if (base === undefined || !isChanged) return base === undefined ? tokens : [];
    const side = ours === undefined ? "theirs" : "ours";
    const sides = { base: base.tokens, ours: [], theirs: [], [side]: tokens };
    return tokens.length === 0 ? [] : disagree(merging, "sections", pieceName(name), sides);
  }
  // Two that were added begin alike, with their heading as ours spells it.
  const [heading = "", ...rest] = theirs.tokens;
  const isSpelled = base === undefined && heading.startsWith("#") &&
    ours.tokens[0]!.startsWith("#");
  const other = isSpelled ? [ours.tokens[0]!, ...rest] : theirs.tokens;
  const difference = ours.tokens.findIndex((token, at) => token !== other[at]);
  const start = base?.tokens ??
    ours.tokens.slice(0, difference === -1 ? undefined : difference);
  const sides = { base: start, ours: ticked(ours.tokens), theirs: ticked(other) };
  return mergeTokens(merging, sides, name === TITLE ? "rest" : "sections", pieceName(name));
}

/** Merges the tokens of a part of the file. */
function mergeTokens(
  merging: Merging,
  sides: Sides<string[]>,
  kind: "sections" | "rest",
  name: string,
): string[] {
  return mergeLines(sides).flatMap((region) => {
    if ("lines" in region) return region.lines;
    const tokens = [...region.sides.ours, ...region.sides.theirs];
    const isCriteria = tokens.some(isBox) && tokens.every((token) => isBox(token) || token === "");
    return withCriteria(region.sides) ??
      disagree(merging, isCriteria ? "criteria" : kind, name, region.sides);
  });
}

/** Applies a decision, or notes the disagreement and marks it. */
function disagree(
  { decisions, disagreements, labels, linesOf }: Merging,
  kind: "criteria" | "sections" | "rest",
  name: string,
  sides: Sides<string[]>,
): string[] {
  const choice = decisions[kind];
  if (choice === "both") return [...sides.ours, ...sides.theirs];
  if (choice !== undefined) return sides[choice];
  const texts = mapSides(
    sides,
    (tokens, side) => tokens.flatMap((token) => linesOf(token, side)).join("\n"),
  );
  disagreements.push({ kind, name, ...texts });
  return marked(labels, sides.ours, sides.theirs);
}

function marked(labels: Labels, ours: readonly string[], theirs: readonly string[]): string[] {
  return [`<<<<<<< ${labels.ours}`, ...ours, "=======", ...theirs, `>>>>>>> ${labels.theirs}`];
}

/** All names, in the order of the side that has moved them; added ones after their predecessor. */
function orderOf({ base, ours, theirs }: Sides<string[]>): string[] {
  const shared = ours.filter((name) => base.includes(name));
  const isMoved = shared.join("\0") !== base.filter((name) => ours.includes(name)).join("\0");
  const [first, second] = isMoved ? [ours, theirs] : [theirs, ours];
  const inFirst = new Set(first);
  /** What the other side has added, by its predecessor. */
  const added = new Map<string | undefined, string[]>();
  let before: string | undefined;
  for (const name of second) {
    if (inFirst.has(name)) before = name;
    else added.getOrInsert(before, []).push(name);
  }
  const after = (name?: string) => added.get(name) ?? [];
  return [...after(), ...first.flatMap((name) => [name, ...after(name)])];
}

/**
 * Merges a region that both sides have changed, if only criteria were added and removed, or one side
 * alone has changed the other lines.
 */
function withCriteria(sides: Sides<string[]>): string[] | undefined {
  const { base, ours, theirs } = sides;
  const all = [...base, ...ours, ...theirs];
  if (!all.some(isBox) || all.some((token) => token.endsWith(CHANGED))) return undefined;
  const lines = mapSides(sides, (tokens) => tokens.filter((token) => !isBox(token)).join("\n"));
  if (!isClear(lines)) return undefined;
  const [first, second] = lines.ours === lines.base ? [theirs, ours] : [ours, theirs];
  const isKept = (token: string) =>
    !base.includes(token) || ours.includes(token) && theirs.includes(token);
  const result = first.filter((token) => !isBox(token) || isKept(token));
  const more = second.filter((token) => isBox(token) && isKept(token) && !first.includes(token));
  const last = result.findLastIndex(isBox);
  result.splice(last === -1 ? result.length : last + 1, 0, ...more);
  return result;
}
