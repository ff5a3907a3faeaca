/**
 * Merges two versions of an entity by meaning: attributes one by one, criteria by text, sections by
 * heading, and the rest by lines.
 */

import { contentOf, read } from "../../entity/document.ts";
import { applySplices, type Editable } from "../edits.ts";
import { attributeSplices } from "../edits/tag.ts";
import { isBox, isContested, type Piece, piecesIn, tokenText } from "./pieces.ts";
import { isClear, mapSides, merged, mergeLines, type Sides } from "./three_way.ts";

/** What the two sides disagree on. */
interface Disagreement extends Sides<string> {
  readonly kind: "attribute" | "criteria" | "sections" | "rest";
  /** The attribute, the criterion, or the section. */
  readonly name: string;
}

/**
 * Settles a disagreement: with the value of an attribute, where an empty one removes it; of texts with
 * `ours`, `theirs` or `both`. It stays open without an answer.
 */
export type Decide = (disagreement: Disagreement) => string | undefined;

/** The result of a merge. */
export interface Merge {
  /** The merged file; disagreements stand between conflict markers. */
  readonly source: string;
  /** Those that are open. */
  readonly disagreements: readonly Disagreement[];
  /** Criteria that are open again: one side has ticked them, the other has reworded them. */
  readonly reopened?: readonly string[];
}

/** A merge that runs. */
interface Merging {
  readonly decide: Decide;
  /** The names of the sides in conflict markers. */
  readonly labels: Pick<Sides<string>, "ours" | "theirs">;
  readonly disagreements: Disagreement[];
}

/**
 * Merges the texts of a file. What is no entity on each side is merged by lines.
 *
 * @param sides The texts of the file; an empty base if both sides have added it.
 */
export function mergeEntity(
  sides: Sides<string>,
  decide: Decide = () => undefined,
  labels: Merging["labels"] = { ours: "ours", theirs: "theirs" },
): Merge {
  if (isClear(sides)) return { source: merged(sides), disagreements: [] };
  const documents = documentsOf(sides);
  const merge = documents && mergeDocuments({ decide, labels, disagreements: [] }, documents);
  if (merge !== undefined) return merge;
  const disagreements: Disagreement[] = [];
  const lines = mapSides(sides, (text) => read(text).text.split("\n"));
  const tokens = mergeTokens({ decide, labels, disagreements }, lines, "rest", "text");
  return { source: withText(sides.ours, tokenText(tokens)), disagreements };
}

/** The parsed sides, if each is one closed entity of the same type and id. */
function documentsOf(sides: Sides<string>): Sides<Editable> | undefined {
  const [ours, theirs] = [read(sides.ours), read(sides.theirs)];
  const { type, id = "" } = ours.entity ?? {};
  const name = type === "milestone" ? "name" : "id";
  // The base of two that were added is an entity without content.
  const base = read(sides.base || `{% ${type} ${name}="${id}" %}\n{% /${type} %}\n`);
  const isSound = [base, ours, theirs].every(({ entity, further, conflict }) =>
    entity !== undefined && further.length === 0 && conflict === undefined &&
    entity.unclosed === undefined && entity.id === base.entity?.id &&
    entity.type === base.entity?.type && !entity.tag.isSelfClosing &&
    new Set(entity.tag.attributes.map(({ name }) => name)).size === entity.tag.attributes.length
  );
  return isSound ? { base, ours, theirs } as Sides<Editable> : undefined;
}

/** The merged text; `undefined` if it would not parse as wanted. */
function mergeDocuments(merging: Merging, documents: Sides<Editable>): Merge | undefined {
  const { disagreements } = merging;
  const around = (name: string, partOf: (document: Editable) => string) => {
    const lines = mapSides(documents, (document) => partOf(document).split("\n"));
    return tokenText(mergeTokens(merging, lines, "rest", name));
  };
  const { pieces, reopened } = piecesIn(documents);
  const head = around("before the entity", ({ text, entity }) => text.slice(0, entity.tag.start));
  const between = around(
    "around the entity",
    ({ text, entity: { tag, body } }) => text.slice(tag.end, body.start),
  );
  const tail = around("around the entity", ({ text, entity }) => text.slice(entity.body.end));
  const tag = mergeTags(merging, documents);
  const tokens = mergePieces(merging, pieces);
  const body = tokenText([...tokens, ""]);
  const { entity: ours, source: before } = documents.ours;
  const source = withText(before, `${head}${tag}${between}${body}${tail}`);
  if (disagreements.length === 0) {
    const { entity } = read(source);
    const isSound = entity?.type === ours.type && entity.id === ours.id &&
      entity.unclosed === undefined && entity.criteria.length === tokens.filter(isBox).length;
    if (!isSound) return undefined;
  }
  return { source, disagreements, reopened };
}

/** The file of ours with another text. */
function withText(source: string, text: string): string {
  return applySplices(source, [{ start: 0, end: read(source).text.length, text }]);
}

/** The opening tag of ours, with the attributes of both sides. */
function mergeTags({ decide, disagreements, labels }: Merging, documents: Sides<Editable>): string {
  const { ours, theirs } = documents;
  const wanted: Record<string, string> = {};
  const both: Record<string, string> = {};
  for (const name of Object.keys({ ...ours.entity.attributes, ...theirs.entity.attributes })) {
    const values = mapSides(documents, ({ entity }) => entity.attributes[name] ?? "");
    // With its quotes; empty where theirs does not have it.
    const { valueSpan } = theirs.entity.tag.attributes.find((one) => one.name === name) ?? {};
    const written = valueSpan === undefined ? "" : contentOf(theirs, valueSpan);
    if (isClear(values)) {
      if (merged(values) !== values.ours) wanted[name] = written;
      continue;
    }
    const disagreement: Disagreement = { kind: "attribute", name, ...values };
    const decided = decide(disagreement);
    if (decided === undefined) {
      both[name] = written;
      disagreements.push(disagreement);
    } else if (decided !== values.ours) wanted[name] = decided === "" ? "" : `"${decided}"`;
  }
  const tag = tagWith(ours, wanted);
  if (Object.keys(both).length === 0) return tag;
  // Markers stand at the start of a line, and the tag does too.
  return marked(labels, [tag], [tagWith(ours, { ...wanted, ...both })]).join("\n");
}

/** The opening tag with other values, as written; an empty value removes the attribute. */
function tagWith(document: Editable, written: Readonly<Record<string, string>>): string {
  const { text, entity: { tag } } = document;
  return applySplices(text.slice(0, tag.end), attributeSplices(document, written))
    .slice(tag.start);
}

/** The tokens of the title and the sections. */
function mergePieces(merging: Merging, pieces: Sides<ReadonlyMap<string, Piece>>): string[] {
  const body: string[] = [];
  for (const key of mergedOrder(mapSides(pieces, (byKey) => [...byKey.keys()]))) {
    const sides = mapSides(pieces, (byKey) => byKey.get(key));
    const tokens = mergePiece(merging, sides);
    const isAdded = tokens.length > 0 && sides.ours === undefined;
    if (isAdded && body.length > 0 && body.at(-1) !== "") body.push("");
    for (const token of tokens) body.push(token);
    if (isAdded && tokens.at(-1) !== "") body.push("");
  }
  return body;
}

/** The tokens of a piece; none if it is gone. */
function mergePiece(merging: Merging, { base, ours, theirs }: Sides<Piece | undefined>): string[] {
  const { name, kind } = (ours ?? theirs ?? base)!;
  if (ours === undefined || theirs === undefined) {
    const { tokens } = ours ?? theirs ?? { tokens: [] };
    if (base === undefined || tokens.length === 0) return tokens;
    if (tokens.join("\n") === base.tokens.join("\n")) return [];
    const sides = { base: base.tokens, ours: ours?.tokens ?? [], theirs: theirs?.tokens ?? [] };
    return disagree(merging, "sections", name, sides);
  }
  const sides = { base: base?.tokens ?? [], ours: ours.tokens, theirs: theirs.tokens };
  if (base === undefined) {
    // Two that were added begin alike, with their heading as ours spells it.
    const [heading = "", ...rest] = theirs.tokens;
    const isSpelled = heading.startsWith("#") && ours.tokens[0]!.startsWith("#");
    if (isSpelled) sides.theirs = [ours.tokens[0]!, ...rest];
    const difference = ours.tokens.findIndex((token, at) => token !== sides.theirs[at]);
    sides.base = ours.tokens.slice(0, difference === -1 ? undefined : difference);
  }
  return mergeTokens(merging, sides, kind, name);
}

/** Merges the tokens of a part of the file. */
function mergeTokens(
  merging: Merging,
  sides: Sides<string[]>,
  kind: Piece["kind"],
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

/** Settles a disagreement, or notes and marks it. */
function disagree(
  { decide, disagreements, labels }: Merging,
  kind: "criteria" | Piece["kind"],
  name: string,
  sides: Sides<string[]>,
): string[] {
  const { ours, theirs } = sides;
  const disagreement = { kind, name, ...mapSides(sides, tokenText) };
  const choice = decide(disagreement);
  if (choice === "both") return [...ours, ...theirs];
  if (choice !== undefined) return choice === "ours" ? ours : theirs;
  disagreements.push(disagreement);
  return marked(labels, ours, theirs);
}

function marked(
  labels: Merging["labels"],
  ours: readonly string[],
  theirs: readonly string[],
): string[] {
  return [`<<<<<<< ${labels.ours}`, ...ours, "=======", ...theirs, `>>>>>>> ${labels.theirs}`];
}

/** All names, in the order of the side that has moved them; added ones after their predecessor. */
function mergedOrder({ base, ours, theirs }: Sides<string[]>): string[] {
  const shared = ours.filter((name) => base.includes(name));
  const isMoved = shared.join("\0") !== base.filter((name) => ours.includes(name)).join("\0");
  const [first, second] = isMoved ? [ours, theirs] : [theirs, ours];
  const names = [...first];
  for (const [at, name] of second.entries()) {
    if (!names.includes(name)) names.splice(names.indexOf(second[at - 1]!) + 1, 0, name);
  }
  return names;
}

/**
 * Merges a region that both sides have changed, if only criteria were added and removed, or one side
 * alone has changed the other lines.
 */
function withCriteria(sides: Sides<string[]>): string[] | undefined {
  const { base, ours, theirs } = sides;
  const all = [...base, ...ours, ...theirs];
  if (!all.some(isBox) || all.some((token) => isContested(token))) return undefined;
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
