/**
 * Merges two versions of an entity by meaning: attributes one by one, criteria by text, sections by
 * heading, and the rest by lines.
 */

import { contentOf, keyOf, type ParsedEntity, plainOf, read } from "../../entity/document.ts";
import { lineChanges } from "../../entity/line_diff.ts";
import { applySplices, type Editable } from "../edits.ts";
import { attributeSplices } from "../edits/tag.ts";
import { isBox, mergeTicks, tokensIn, tokenText, withoutRemoved } from "./criteria.ts";
import { mapSides, merged, mergeLines, type Sides } from "./three_way.ts";

/** A part of the entity that both sides have changed differently. */
interface Disagreement extends Sides<string> {
  readonly kind: "attribute" | "criteria" | "sections" | "rest";
  /** The attribute, or the section. */
  readonly name: string;
}

/**
 * Settles a disagreement: with the value of an attribute, where an empty one removes it; of texts with
 * `ours`, `theirs` or `both`. It stays open without an answer.
 */
export type Decide = (disagreement: Disagreement) => string | undefined;
type Settle = (disagreement: Disagreement) => string;

/** A part of a file that is merged by itself, as the lines and criteria in it. */
interface Piece {
  readonly name: string;
  readonly kind: "sections" | "rest";
  readonly tokens: string[];
}

/** The key of the opening tag. Keys of pieces that are no sections have capitals, those of sections none. */
const TAG = "TAG";

/**
 * Merges the texts of a file. What is no entity on each side is merged by lines.
 *
 * @param sides The texts of the file; an empty base if both sides have added it.
 * @param winner The side that is taken where they disagree.
 * @returns The merged file, the disagreements that are open, and which criteria are open again: one
 * side has ticked them, the other has reworded them.
 */
export function mergeEntity(
  sides: Sides<string>,
  decide: Decide = () => undefined,
  winner: "ours" | "theirs" = "ours",
) {
  const disagreements: Disagreement[] = [];
  const settle: Settle = (disagreement) => {
    const decision = decide(disagreement);
    if (decision === undefined) disagreements.push(disagreement);
    return decision ?? (disagreement.kind === "attribute" ? disagreement[winner] : winner);
  };
  const source = merged(sides);
  if (source !== undefined) return { source, disagreements };
  const documents = documentsOf(sides);
  if (documents !== undefined) {
    const { tokens, reopened } = mergeDocuments(documents, settle);
    const source = withText(sides.ours, tokenText(tokens));
    const result = documentsOf({ ...sides, theirs: source });
    const isSound = result?.theirs.entity.criteria.length === tokens.filter(isBox).length;
    if (isSound || disagreements.length > 0) return { source, disagreements, reopened };
  }
  const lines = mergeLines(mapSides(sides, (text) => plainOf(text).split("\n")));
  const tokens = mergeRegions(lines, { kind: "rest", name: "text" }, settle);
  return { source: withText(sides.ours, tokenText(tokens)), disagreements };
}

/**
 * Merges the texts of a file as {@linkcode mergeEntity} does, with conflict markers around what is
 * open: what differs between the merges in which one and the other side wins.
 */
export function mergeWithMarkers(
  sides: Sides<string>,
  labels: Pick<Sides<string>, "ours" | "theirs"> = { ours: "ours", theirs: "theirs" },
) {
  const merge = mergeEntity(sides);
  const other = mergeEntity(sides, undefined, "theirs");
  const [lines, others] = [merge, other].map(({ source }) => plainOf(source).split("\n"));
  for (const { at, removed, added } of lineChanges(lines!, others!).toReversed()) {
    const [first, last] = [`<<<<<<< ${labels.ours}`, `>>>>>>> ${labels.theirs}`];
    lines!.splice(at, removed.length, [first, ...removed, "=======", ...added, last].join("\n"));
  }
  return { ...merge, source: withText(sides.ours, lines!.join("\n")) };
}

/** The file with another text. */
function withText(source: string, text: string): string {
  return applySplices(source, [{ start: 0, end: plainOf(source).length, text }]);
}

/** The parsed sides, if each is the same closed entity, whose attributes have one value. */
function documentsOf(sides: Sides<string>): Sides<Editable> | undefined {
  const [ours, theirs] = [read(sides.ours), read(sides.theirs)];
  const { type, id = "" } = ours.entity ?? {};
  const name = type === "milestone" ? "name" : "id";
  // The base of two that were added is an entity without content.
  const base = read(sides.base || `{% ${type} ${name}="${id}" %}\n{% /${type} %}\n`);
  const isSame = [base, ours, theirs].every(({ entity, further, conflict }) =>
    entity !== undefined && further.length === 0 && conflict === undefined &&
    entity.type === type && (entity.id ?? "") === id &&
    entity.unclosed === undefined && !entity.tag.isSelfClosing &&
    new Set(entity.tag.attributes.map(({ name }) => name)).size === entity.tag.attributes.length
  );
  return isSame ? { base, ours, theirs } as Sides<Editable> : undefined;
}

function mergeDocuments(documents: Sides<Editable>, settle: Settle) {
  const { texts, reopened } = mergeTicks(documents);
  const pieces = mapSides(documents, ({ entity }, side) => piecesOf(entity, `${texts[side]}\n`));
  const tokens: string[] = [];
  for (const key of mergedOrder(mapSides(pieces, (byKey) => [...byKey.keys()]))) {
    const sides = mapSides(pieces, (byKey) => byKey.get(key));
    const piece = key === TAG ? [mergeTags(documents, settle)] : mergePiece(sides, settle);
    const isAdded = sides.ours === undefined && piece.length > 0;
    if (isAdded && tokens.at(-1) !== "") tokens.push("");
    for (const token of piece) tokens.push(token);
    if (isAdded && piece.at(-1) !== "") tokens.push("");
  }
  return { tokens, reopened };
}

/** Splits a text, in which each criterion is one line, into pieces by their names as they are compared. */
function piecesOf({ tag, body, title, sections }: ParsedEntity, text: string): Map<string, Piece> {
  const parts = [
    { key: "BEFORE", name: "before the entity", start: 0 },
    { key: TAG, name: "the tag", start: text.lastIndexOf("\n", tag.start) + 1 },
    { key: "BLANK LINES", name: "around the entity", start: body.start },
    ...sections.map(({ name, heading, start }) => ({ key: keyOf(heading || name), name, start })),
    { key: "AFTER", name: "around the entity", start: body.end },
  ];
  // The title is a piece of its own, also within a section.
  if (title !== undefined) parts.push({ key: "TITLE", name: "title", start: title.line.start });
  parts.sort((a, b) => a.start - b.start);
  const pieces = new Map<string, Piece>();
  for (const [index, { key, name, start }] of parts.entries()) {
    const tokens = tokensIn(text.slice(start, parts[index + 1]?.start));
    const same = pieces.get(key);
    const [first = ""] = tokens;
    // Sections of one heading become one piece.
    if (first.startsWith("#") && same !== undefined && keyOf(first) === keyOf(same.tokens[0]!)) {
      if (same.tokens.at(-1) !== "") same.tokens.push("");
      for (const token of tokens.slice(tokens[1] === "" ? 2 : 1)) same.tokens.push(token);
      continue;
    }
    const kind = key === key.toLowerCase() ? "sections" : "rest";
    pieces.set(same === undefined ? key : `${key}\0${name}`, { name, kind, tokens });
  }
  return pieces;
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

/** The opening tag of ours, with the attributes of both sides. */
function mergeTags(documents: Sides<Editable>, settle: Settle): string {
  const { ours, theirs } = documents;
  const written: Record<string, string> = {};
  for (const name of Object.keys({ ...ours.entity.attributes, ...theirs.entity.attributes })) {
    const values = mapSides(documents, ({ entity }) => entity.attributes[name] ?? "");
    const value = merged(values) ?? settle({ kind: "attribute", name, ...values });
    if (value === values.ours) continue;
    const attribute = theirs.entity.tag.attributes.find((attribute) => attribute.name === name);
    written[name] = attribute !== undefined && value === values.theirs
      ? contentOf(theirs, attribute.valueSpan)
      : value && `"${value}"`;
  }
  const { text, entity: { tag, body } } = ours;
  return applySplices(text.slice(0, body.start - 1), attributeSplices(ours, written))
    .slice(text.lastIndexOf("\n", tag.start) + 1);
}

/** The tokens of a piece; none if it is gone. */
function mergePiece(pieces: Sides<Piece | undefined>, settle: Settle): string[] {
  const { base, ours, theirs } = pieces;
  const piece = (ours ?? theirs ?? base)!;
  let sides = mapSides(pieces, (piece) => piece?.tokens ?? []);
  const isBoth = ours !== undefined && theirs !== undefined;
  // One side has removed it, or both have added a title.
  const isWhole = !isBoth || base === undefined && piece.kind === "rest";
  if (isWhole && merged(mapSides(sides, tokenText)) === undefined) {
    return mergeRegions([sides], piece, settle);
  }
  if (base !== undefined) sides = withoutRemoved(sides);
  else if (isBoth) {
    // Two that were added begin alike, with their heading as ours spells it.
    const isHeading = [ours, theirs].every(({ tokens: [first = ""] }) => first.startsWith("#"));
    const added = isHeading ? theirs.tokens.with(0, ours.tokens[0]!) : theirs.tokens;
    const start = ours.tokens.slice(0, lineChanges(ours.tokens, added)[0]?.at);
    sides = { base: start, ours: ours.tokens, theirs: added };
  }
  return mergeRegions(mergeLines(sides), piece, settle);
}

/** The tokens of a part of a file, where each region is settled. */
function mergeRegions(
  regions: readonly (string | Sides<string[]>)[],
  { kind, name }: Pick<Piece, "kind" | "name">,
  settle: Settle,
): string[] {
  return regions.flatMap((region) => {
    if (typeof region === "string") return region;
    const { ours, theirs } = region;
    const tokens = [...ours, ...theirs];
    const isCriteria = tokens.some(isBox) && tokens.every((token) => isBox(token) || token === "");
    const texts = mapSides(region, tokenText);
    const choice = settle({ kind: isCriteria ? "criteria" : kind, name, ...texts });
    if (choice === "both") return tokens;
    return choice === "ours" ? ours : theirs;
  });
}
