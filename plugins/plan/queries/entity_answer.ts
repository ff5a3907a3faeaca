/** Entities as `plan_get` answers them: the requested fields, sections and related entities. */

import { ifFound } from "../../../src/io/paths.ts";
import { shortText } from "../../../src/plain_text.ts";
import { turnTaker } from "../../../src/io/turns.ts";
import { statIfExists } from "../../../src/io/files.ts";
import { modifiedAt } from "../../../src/io/reads.ts";
import {
  contentOf,
  type Document,
  hasOnlyCriteria,
  keyOf,
  read,
  subsectionsOf,
} from "../entity/document.ts";
import type { Entity } from "../entity/entity.ts";
import { dependenciesOf, referencesOf } from "../store/relations.ts";
import {
  openPlan,
  pathOf,
  type PlanView,
  rowOf,
  rowsOf,
  sourceOf,
  sourceText,
  unlessEmpty,
  uriOf,
} from "./access.ts";
import { checkFields, fieldNames, fieldValue } from "./fields.ts";

/** A longer text, in characters, shows only the beginnings of long sections; of several entities. */
const [LONG_TEXT, LONG_TEXTS] = [4_000, 8_000];
/** How many characters the beginnings of its sections have in total. */
const BEGINNINGS = 1_000;
/** How many entities a list contains unless `fields` asks for them. */
const NAMED = 40;
/** How often files are read again that change meanwhile. */
const MOST_TRIES = 8;

/** Fields with the same values as in plan_list. */
const SHARED = ["blockedBy", "withheldBy", "taken", "changedElsewhere", "note", "newestNote"]
  .concat("progress");
/** Fields with more detail than in plan_list, and those of every answer. */
const DETAILED = ["attributes", "sections", "criteria", "dependencies", "references"]
  .concat("referencedBy", "id", "title", "status", "path", "uri");

/** Reads entities and their texts in one state: git takes time, and an editor may save meanwhile. */
export async function readEntities(
  opened: PlanView,
  ids: readonly string[],
) {
  // What is not there costs no further scan.
  const there = ids.filter((id) => opened.find(id) !== undefined);
  for (let plan = opened, tries = 1;; tries++) {
    const entities = there.flatMap((id) => plan.find(id) ?? []);
    const isLast = tries === MOST_TRIES || opened.texts !== undefined;
    const readAll = () => entities.map((entity) => read(sourceOf(plan, entity)));
    const documents = isLast ? readAll() : ifFound(readAll, undefined);
    const isSame = ({ file, mtime }: Entity) => {
      const info = statIfExists(plan.store.path(file));
      return info !== null && modifiedAt(info) === mtime;
    };
    const isWhole = entities.length === there.length && entities.every(isSame);
    if (documents !== undefined && (isLast || isWhole)) return { plan, entities, documents };
    plan = await openPlan(opened);
  }
}

/** @param names The requested fields and headings; everything if `undefined`. */
export async function entityAnswers(
  { plan, entities, documents }: Awaited<ReturnType<typeof readEntities>>,
  names: readonly string[] | undefined,
) {
  const wanted = await wantedFields(plan, documents, names);
  const room = Math.min(LONG_TEXT, LONG_TEXTS / entities.length);
  return entities.map((entity, at) => ({
    ...relatedFields(plan, entity, documents[at]!, wanted.fields),
    ...textFields(documents[at]!, wanted, room),
    ...Object.fromEntries(wanted.values.map((name) => [name, fieldValue(plan, entity, name)])),
  }));
}

interface Wanted {
  /** All if `undefined`. */
  readonly fields: ReadonlySet<string> | undefined;
  /** Those with the same values as in plan_list. */
  readonly values: readonly string[];
  /** Normalized names. */
  readonly sections: ReadonlySet<string>;
}

async function wantedFields(
  plan: PlanView,
  documents: readonly Document[],
  names: readonly string[] | undefined,
): Promise<Wanted> {
  if (names === undefined) return { fields: undefined, values: SHARED, sections: new Set() };
  const headings = documents.flatMap((document) => [
    ...headingsOf(document),
    ...subsectionsOf(document).map(({ name }) => name),
  ]);
  const nameOf = new Map(headings.map((name) => [keyOf(name), name]));
  const shared = fieldNames(plan);
  const others = names.filter((name) => !shared.includes(name));
  const strange = others.filter((name) => !nameOf.has(keyOf(name)));
  // A section that only other entities have is empty here.
  const anywhere = await headingsIn(plan, strange.length === 0 ? [] : plan.entities);
  checkFields("fields", strange.filter((name) => !anywhere.has(keyOf(name))), [
    ...shared,
    ...nameOf.values(),
  ]);
  const values = names.filter((name) => shared.includes(name) && !DETAILED.includes(name));
  return { fields: new Set(names), values, sections: new Set(others.map(keyOf)) };
}

/** The keys of the headings of entities. */
async function headingsIn(plan: PlanView, entities: readonly Entity[]): Promise<Set<string>> {
  const keys = new Set<string>();
  const turn = turnTaker(plan.signal);
  for (const entity of entities) {
    for (const name of headingsOf(read(sourceText(plan, entity)))) keys.add(keyOf(name));
    await turn();
  }
  return keys;
}

function headingsOf({ entity }: Document): string[] {
  return (entity?.sections ?? []).map(({ name }) => name);
}

/** What an entity is, and what it is related to. */
function relatedFields(
  plan: PlanView,
  entity: Entity,
  document: Document,
  fields: Wanted["fields"],
) {
  const wants = (name: string) => fields === undefined || fields.has(name);
  const { id: _id, name: _name, status: _status, ...attributes } = entity.attributes;
  // The lengths of shortened lists.
  const totals: Record<string, number> = {};
  const few = <Row>(name: string, rowsOf: () => readonly Row[]) => {
    const rows = wants(name) ? rowsOf() : [];
    if (fields === undefined && rows.length > NAMED) totals[name] = rows.length;
    return unlessEmpty(rows.slice(0, name in totals ? NAMED : rows.length));
  };
  const criteria = wants("criteria") ? document.entity?.criteria ?? [] : [];
  const lists = {
    // The plugin also counts boxes in code fences; updates use these numbers.
    criteria: criteria.length === 0 ? undefined : criteria
      .map(({ number: n, text, checked }) => ({ n, text, checked: checked || undefined })),
    dependencies: few("dependencies", () => rowsOf(plan, dependenciesOf(entity))),
    references: few("references", () => rowsOf(plan, referencesOf(entity))),
    referencedBy: few(
      "referencedBy",
      () => plan.pointers(entity.id).map(({ from, kind }) => ({ ...rowOf(from), kind })),
    ),
  };
  return {
    ...rowOf(entity),
    type: wants("type") ? entity.type : undefined,
    attributes: wants("attributes") ? nonEmpty(attributes) : undefined,
    ...lists,
    totals: nonEmpty(totals),
    path: pathOf(plan, entity),
    uri: uriOf(entity),
  };
}

/** The sections, and why some cannot be edited. */
function textFields(document: Document, { fields, sections: names }: Wanted, room: number) {
  const { sections = [], unclosed } = document.entity ?? {};
  const isAll = fields === undefined;
  const parts = sections.filter((section) => {
    if (names.has(keyOf(section.name))) return true;
    if (!isAll && !fields.has("sections") || section.content.start === section.content.end) {
      return false;
    }
    return !isAll || !hasOnlyCriteria(document, section);
  }).map(({ name, content }) => [name, contentOf(document, content)] as const);
  const subsections = names.size === 0
    ? []
    : subsectionsOf(document).filter(({ name, heading }) =>
      (names.has(keyOf(name)) || names.has(keyOf(heading))) &&
      !parts.some(([other]) => keyOf(other) === keyOf(heading))
    );
  parts.push(...subsections.map(({ name, text }) => [name, text] as const));
  const isLong = isAll && parts.reduce((sum, [, text]) => sum + text.length, 0) > room;
  const most = Math.min(BEGINNINGS, room) / parts.length;
  const locked = sections.filter((section) =>
    section.locked !== undefined &&
    (isAll || fields.has("sections") || names.has(keyOf(section.name)))
  );
  return {
    sections: nonEmpty(
      Object.fromEntries(
        parts.map(([name, text]) => [name, isLong ? beginningOf(text, most) : text]),
      ),
    ),
    shortened: isLong ? 'Pass fields: ["<heading>"] for a whole section' : undefined,
    notEditable: locked[0] && {
      reason: locked[0].locked!,
      line: unclosed?.line,
      sections: locked.map(({ name }) => name),
    },
  };
}

function beginningOf(text: string, room: number): string {
  const length = Math.min(Math.max(Math.floor(room), 50), 300);
  if (text.length <= length * 1.5) return text;
  return `${shortText(text, length + 1)} [${text.length} characters]`;
}

/** Removes empty texts; `undefined` if nothing is left. */
function nonEmpty<Value>(values: Readonly<Record<string, Value>>) {
  const entries = Object.entries(values).filter(([, value]) => value !== "");
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
