/**
 * Merges two versions of an entity by meaning: attributes one by one, criteria by text, sections by
 * heading, and the rest by lines.
 */

import { read } from "../../entity/document.ts";
import { applySplices, type Editable } from "../edits/splices.ts";
import { attributeSplices } from "../edits/tag.ts";
import { isBox, linesOf, type Piece, TITLE, type Version, versionOf } from "./pieces.ts";
import { nameOf, rewordedIn, rewording, type SideChanges, sideChanges } from "./changes.ts";
import { type Choice, isClear, merged, mergeLines, type Sides } from "./three_way.ts";

/** What the two sides disagree on. */
export interface Disagreement {
  readonly kind: "attribute" | "criteria" | "sections" | "rest";
  /** The attribute, the criterion, or the section. */
  readonly name: string;
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
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
  /** What each side has changed; absent if the versions are not one entity. */
  readonly changes?: SideChanges;
  /** Criteria that are open again: one side has ticked them, the other has reworded them. */
  readonly reopened?: readonly string[];
}

/** The names of the sides in conflict markers. */
type Labels = Pick<Sides<string>, "ours" | "theirs">;

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
  return new EntityMerge(sides, decisions, labels).run();
}

class EntityMerge {
  readonly #disagreements: Disagreement[] = [];
  readonly #sides: Sides<string>;
  readonly #decisions: Decisions;
  readonly #labels: Labels;
  /** The merged marks of criteria. */
  readonly #marks = new Map<string, string>();
  /** Criteria that one side has ticked or cleared and the other has removed. */
  readonly #contested = new Set<string>();
  readonly #reopened: string[] = [];
  /** The marks of each side. */
  #marksOf: Sides<ReadonlyMap<string, string>> | undefined;

  constructor(sides: Sides<string>, decisions: Decisions, labels: Labels) {
    [this.#sides, this.#decisions, this.#labels] = [sides, decisions, labels];
  }

  run(): Merge {
    if (isClear(this.#sides)) {
      return { source: merged(this.#sides), disagreements: [] };
    }
    const versions = this.#versions();
    const source = versions === undefined ? undefined : this.#mergeVersions(versions);
    const changes = versions && { changes: sideChanges(versions, this.#sides.base === "") };
    if (source !== undefined) {
      const reopened = this.#reopened.length === 0 ? {} : { reopened: this.#reopened };
      return { source, disagreements: this.#disagreements, ...reopened, ...changes };
    }
    this.#disagreements.length = 0;
    this.#marksOf = undefined;
    const { ours } = this.#sides;
    const all = mapSides(this.#sides, (text) => read(text).text.split("\n"));
    return {
      source: applySplices(ours, [{
        start: 0,
        end: read(ours).text.length,
        text: this.#lines(all, "rest", "text").join("\n"),
      }]),
      disagreements: this.#disagreements,
      ...changes,
    };
  }

  /** The versions, if each is one closed entity of the same type and id. */
  #versions(): Sides<Version> | undefined {
    const [ours, theirs] = [read(this.#sides.ours), read(this.#sides.theirs)];
    const base = this.#sides.base === "" ? emptyOf(ours) : read(this.#sides.base);
    const documents = [base, ours, theirs];
    const [first] = documents;
    const isSound = documents.every(({ entity, further, conflict }) =>
      entity !== undefined && further.length === 0 && conflict === undefined &&
      entity.unclosed === undefined && entity.id === first?.entity?.id &&
      entity.type === first?.entity?.type && !entity.tag.isSelfClosing &&
      new Set(entity.tag.attributes.map(({ name }) => name)).size === entity.tag.attributes.length
    );
    if (!isSound) return undefined;
    return mapSides({ base, ours, theirs } as Sides<Editable>, versionOf);
  }

  /** The merged text; `undefined` if it would not parse as wanted. */
  #mergeVersions(versions: Sides<Version>): string | undefined {
    this.#mergeMarks(versions);
    const texts = mapSides(versions, ({ document }) => partsAround(document));
    const [head = "", between = "", tail = ""] = [0, 1, 2].map((index) => {
      const lines = mapSides(texts, (parts) => parts[index]!.split("\n"));
      const name = index === 0 ? "before the entity" : "around the entity";
      return this.#lines(lines, "rest", name).join("\n");
    });
    const tag = this.#tag(versions);
    const tokens = this.#body(versions);
    const body = this.#shown(tokens).map((line) => `${line}\n`).join("");
    const { source, text: { length }, entity: ours } = versions.ours.document;
    const text = `${head}${tag}${between}${body}${tail}`;
    const result = applySplices(source, [{ start: 0, end: length, text }]);
    if (this.#disagreements.length > 0) return result;
    const { entity } = read(result);
    const isSound = entity?.type === ours.type && entity.id === ours.id &&
      entity.unclosed === undefined && entity.criteria.length === tokens.filter(isBox).length;
    return isSound ? result : undefined;
  }

  /** Decides which criteria are ticked, and finds those that one side has ticked and one removed. */
  #mergeMarks({ base, ours, theirs }: Sides<Version>): void {
    this.#marksOf = { base: base.marks, ours: ours.marks, theirs: theirs.marks };
    const reworded = { ours: rewordedIn(base, ours), theirs: rewordedIn(base, theirs) };
    for (const token of [base, ours, theirs].flatMap(({ marks }) => [...marks.keys()])) {
      const [was, a, b] = [base, ours, theirs].map(({ marks }) => marks.get(token));
      const left = a ?? b;
      const isOnBoth = a !== undefined && b !== undefined;
      this.#marks.set(token, isOnBoth && a === (was ?? " ") ? b : (left ?? was)!);
      const isChanged = left !== undefined && was !== undefined && left !== was;
      if (!isChanged || isOnBoth) continue;
      const other = a === undefined ? "ours" : "theirs";
      const now = reworded[other].get(token);
      if (now === undefined) this.#contested.add(token);
      else if (left !== " " && (other === "ours" ? ours : theirs).marks.get(now) === " ") {
        const text = rewording(token, now);
        if (!this.#reopened.includes(text)) this.#reopened.push(text);
      }
    }
  }

  /** The opening tag of ours, with the attributes of both sides. */
  #tag(versions: Sides<Version>): string {
    const { ours, theirs } = versions;
    const { attributes } = ours.document.entity;
    const other = theirs.document.entity;
    const names = new Set([...Object.keys(attributes), ...Object.keys(other.attributes)]);
    const wanted: Record<string, string> = {};
    const both: Record<string, string> = {};
    for (const name of names) {
      const values = mapSides(versions, ({ document }) => document.entity.attributes[name] ?? "");
      const decided = this.#decisions.attributes?.[name];
      if (isClear(values)) {
        if (merged(values) !== values.ours) wanted[name] = rawOf(theirs.document, name);
      } else if (decided !== undefined) {
        if (decided !== values.ours) wanted[name] = decided === "" ? "" : `"${decided}"`;
      } else {
        both[name] = rawOf(theirs.document, name);
        this.#disagreements.push({ kind: "attribute", name, ...values });
      }
    }
    const mine = tagWith(ours.document, wanted);
    if (Object.keys(both).length === 0) return mine;
    // Markers stand at the start of a line, and the tag does too.
    return this.#marked([mine], [tagWith(ours.document, { ...wanted, ...both })]).join("\n");
  }

  /** The tokens of the title and the sections. */
  #body(versions: Sides<Version>): string[] {
    const byKey = mapSides(
      versions,
      ({ pieces }) => new Map(pieces.map((piece) => [piece.key, piece])),
    );
    const order = orderOf(mapSides(versions, ({ pieces }) => pieces.map(({ key }) => key)));
    const body: string[] = [];
    for (const key of order) {
      const sides = mapSides(byKey, (pieces) => pieces.get(key));
      const tokens = this.#piece((sides.ours ?? sides.theirs ?? sides.base)!.name, sides);
      const isAdded = tokens.length > 0 && sides.ours === undefined;
      if (isAdded && body.length > 0 && body.at(-1) !== "") body.push("");
      body.push(...tokens);
      if (isAdded && tokens.at(-1) !== "") body.push("");
    }
    return body;
  }

  /** The tokens of a piece; none if it is gone. */
  #piece(name: string, { base, ours, theirs }: Sides<Piece | undefined>): string[] {
    if (ours !== undefined && theirs !== undefined) {
      // Two that were added begin alike, with their heading as ours spells it.
      const [heading = "", ...rest] = theirs.tokens;
      const isSpelled = base === undefined && heading.startsWith("#") &&
        ours.tokens[0]!.startsWith("#");
      const other = isSpelled ? [ours.tokens[0]!, ...rest] : theirs.tokens;
      const start = base?.tokens ?? commonStart(ours.tokens, other);
      const sides = { base: start, ours: ours.tokens, theirs: other };
      const tokens = mapSides(sides, (list, side) => this.#withContested(list, side));
      return this.#lines(tokens, name === TITLE ? "rest" : "sections", nameOf(name));
    }
    const side = ours === undefined ? "theirs" : "ours";
    const { tokens } = (ours ?? theirs)!;
    if (base === undefined) return tokens;
    const isChanged = base.tokens.join("\n") !== tokens.join("\n") ||
      tokens.some((token) => this.#contested.has(token));
    if (!isChanged) return [];
    const sides = { base: base.tokens, ours: [], theirs: [], [side]: tokens };
    return this.#disagree("sections", nameOf(name), sides);
  }

  /** Makes a contested criterion differ from its base, where it was not decided about. */
  #withContested(tokens: string[], side: keyof Sides<unknown>): string[] {
    const { criteria } = this.#decisions;
    if (this.#contested.size === 0) return tokens;
    return tokens.flatMap((token) => {
      if (!this.#contested.has(token)) return [token];
      if (criteria === undefined) return side === "base" ? [token] : [token + CHANGED];
      // An added criterion is kept; without it on any side it is gone.
      const isKept = criteria === "both" || criteria === side;
      return side === "base" || !isKept ? [] : [token];
    });
  }

  /** Merges the tokens of a piece. */
  #lines(sides: Sides<string[]>, kind: "sections" | "rest", name: string): string[] {
    return mergeLines(sides).flatMap((region) => {
      if ("lines" in region) return region.lines;
      const all = [...region.sides.ours, ...region.sides.theirs];
      const isCriteria = all.some(isBox) && all.every((token) => isBox(token) || token === "");
      return withCriteria(region.sides) ??
        this.#disagree(isCriteria ? "criteria" : kind, name, region.sides);
    });
  }

  /** Applies a decision, or notes the disagreement and marks it. */
  #disagree(
    kind: "criteria" | "sections" | "rest",
    name: string,
    sides: Sides<string[]>,
  ): string[] {
    const choice = this.#decisions[kind];
    if (choice === "both") return [...sides.ours, ...sides.theirs];
    if (choice !== undefined) return sides[choice];
    const texts = mapSides(
      sides,
      (tokens, side) => this.#shown(tokens, this.#marksOf?.[side]).join("\n"),
    );
    this.#disagreements.push({ kind, name, ...texts });
    return this.#marked(sides.ours, sides.theirs);
  }

  #marked(ours: readonly string[], theirs: readonly string[]): string[] {
    const { ours: left, theirs: right } = this.#labels;
    return [`<<<<<<< ${left}`, ...ours, "=======", ...theirs, `>>>>>>> ${right}`];
  }

  /** Tokens as lines of text, with the merged marks or those of a side. */
  #shown(tokens: readonly string[], marks: ReadonlyMap<string, string> = this.#marks): string[] {
    return tokens.flatMap((token) => {
      if (!isBox(token)) return [token];
      return linesOf(token, marks.get(token.replace(CHANGED, "")) ?? " ");
    });
  }
}

function commonStart(ours: readonly string[], theirs: readonly string[]): string[] {
  const end = ours.findIndex((token, index) => token !== theirs[index]);
  return ours.slice(0, end === -1 ? undefined : end);
}

/** The end of a token that its side has changed. */
const CHANGED = "\0changed";

/** An entity without content, as the base of two that were added. */
function emptyOf({ entity }: ReturnType<typeof read>): ReturnType<typeof read> {
  const id = entity?.id ?? "";
  const name = entity?.type === "milestone" ? "name" : "id";
  return read(`{% ${entity?.type} ${name}="${id}" %}\n{% /${entity?.type} %}\n`);
}

/** The text before the tag, between tag and body, and after the body. */
function partsAround({ text, entity: { tag, body } }: Editable): [string, string, string] {
  return [
    text.slice(0, tag.start),
    text.slice(tag.end, body.start),
    text.slice(body.end),
  ];
}

/** An attribute's value as written; empty if the entity does not have it. */
function rawOf({ text, entity: { tag } }: Editable, name: string): string {
  const found = tag.attributes.find((attribute) => attribute.name === name);
  return found === undefined ? "" : text.slice(found.valueSpan.start, found.valueSpan.end);
}

/** The opening tag with other values, as written; an empty value removes the attribute. */
function tagWith(document: Editable, written: Readonly<Record<string, string>>): string {
  const { text, entity: { tag } } = document;
  const splices = attributeSplices(document, written);
  return applySplices(text.slice(0, tag.end), splices).slice(tag.start);
}

/** All names, in the order of the side that has moved them; added ones after their predecessor. */
function orderOf({ base, ours, theirs }: Sides<string[]>): string[] {
  const [inBase, inOurs] = [new Set(base), new Set(ours)];
  const known = ours.filter((name) => inBase.has(name));
  const kept = base.filter((name) => inOurs.has(name));
  const isMoved = known.join("\0") !== kept.join("\0");
  const [first, second] = isMoved ? [ours, theirs] : [theirs, ours];
  const inFirst = new Set(first);
  /** What the other side has added, by its predecessor. */
  const added = new Map<string | undefined, string[]>();
  let before: string | undefined;
  for (const name of second) {
    if (inFirst.has(name)) before = name;
    else added.getOrInsert(before, []).push(name);
  }
  return [undefined, ...first].flatMap((name) => [
    ...name === undefined ? [] : [name],
    ...added.get(name) ?? [],
  ]);
}

/**
 * Merges a region that both sides have changed, if only criteria were added and removed, or one side
 * alone has changed the other lines.
 */
function withCriteria({ base, ours, theirs }: Sides<string[]>): string[] | undefined {
  const all = [...base, ...ours, ...theirs];
  if (!all.some(isBox) || all.some((token) => token.endsWith(CHANGED))) return undefined;
  const lines = mapSides(
    { base, ours, theirs },
    (tokens) => tokens.filter((token) => !isBox(token)).join("\n"),
  );
  if (!isClear(lines)) return undefined;
  const [first, second] = lines.ours === lines.base ? [theirs, ours] : [ours, theirs];
  const [inBase, inOurs, inTheirs] = [new Set(base), new Set(ours), new Set(theirs)];
  const isKept = (token: string) =>
    inBase.has(token) ? inOurs.has(token) && inTheirs.has(token) : true;
  const result = first.filter((token) => !isBox(token) || isKept(token));
  const known = new Set(result);
  const more = second.filter((token) => isBox(token) && isKept(token) && !known.has(token));
  const last = result.findLastIndex(isBox);
  result.splice(last === -1 ? result.length : last + 1, 0, ...more);
  return result;
}

function mapSides<From, To>(
  { base, ours, theirs }: Sides<From>,
  map: (value: From, side: keyof Sides<unknown>) => To,
): Sides<To> {
  return { base: map(base, "base"), ours: map(ours, "ours"), theirs: map(theirs, "theirs") };
}
