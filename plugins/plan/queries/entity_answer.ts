/** Entities as `plan_get` answers them: the requested fields, sections and related entities. */

import { ifFound } from "../../../src/io/paths.ts";
import { shortText } from "../../../src/plain_text.ts";
import { inTurns } from "../../../src/io/turns.ts";
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
import { dependenciesOf, referencesOf } from "../store/plan.ts";
import {
  openPlan,
  pathOf,
  type PlanView,
  rowOf,
  rowsOf,
  sourceOf,
  sourceText,
  uriOf,
} from "./access.ts";
import { checkFields, fieldNames, fieldValue } from "./fields.ts";
import { unlessEmpty } from "../../../src/io/json.ts";

/** A longer text, in characters, shows only the beginnings of long sections; of several entities. */
const [LONG_TEXT, LONG_TEXTS] = [4_000, 8_000];
/** How many characters the beginnings of its sections have in total. */
const BEGINNINGS = 1_000;
/** How many entities a list contains unless `fields` asks for them. */
const MOST_RELATED = 40;
/** How often files are read again that change meanwhile. */
const READ_TRIES = 8;

/** Fields with the same values as in plan_list. */
const SHARED = ["blockedBy", "withheldBy", "taken", "changedElsewhere", "note", "newestNote"]
  .concat("progress");
/** Fields with more detail than in plan_list, and those of every answer. */
const DETAILED = ["attributes", "sections", "criteria", "dependencies", "references"]
  .concat("referencedBy", "id", "title", "status", "path", "uri");

/** Reads entities and their texts in one state: git takes time, and an editor may save meanwhile. */
export async function readEntities(opened: PlanView, ids: readonly string[]) {
  // Ids that do not exist cause no further scan.
  const there = ids.filter((id) => opened.find(id) !== undefined);
  for (let plan = opened, tries = 1;; tries++) {
    const entities = there.flatMap((id) => plan.find(id) ?? []);
    const isLast = tries === READ_TRIES || opened.texts !== undefined;
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

/** Which parts of an entity an answer contains. */
interface Wanted {
  /** Whether everything is asked for. */
  readonly isAll: boolean;
  has(field: string): boolean;
  /** The keys of the sections that are asked for by name. */
  readonly sections: ReadonlySet<string>;
}

/** @param names The requested fields and headings; everything if `undefined`. */
export async function entityAnswers(
  { plan, entities, documents }: Awaited<ReturnType<typeof readEntities>>,
  names: readonly string[] | undefined,
) {
  const shared = fieldNames(plan);
  const headings = names?.filter((name) => !shared.includes(name)) ?? [];
  await checkHeadings(plan, documents, headings, shared);
  const values = names?.filter((name) => shared.includes(name) && !DETAILED.includes(name));
  const wanted: Wanted = {
    isAll: names === undefined,
    has: (field) => names === undefined || names.includes(field),
    sections: new Set(headings.map(keyOf)),
  };
  const room = Math.min(LONG_TEXT, LONG_TEXTS / entities.length);
  return entities.map((entity, at) => ({
    ...relatedFields(plan, entity, documents[at]!, wanted),
    ...textFields(documents[at]!, wanted, room),
    ...Object.fromEntries((values ?? SHARED).map((name) => [name, fieldValue(plan, entity, name)])),
  }));
}

/** Rejects a name that is no heading of any entity; one that only others have is an empty section. */
async function checkHeadings(
  plan: PlanView,
  documents: readonly Document[],
  names: readonly string[],
  fields: readonly string[],
): Promise<void> {
  const here = documents.flatMap((document) => [
    ...headingsOf(document),
    ...subsectionsOf(document).map(({ name }) => name),
  ]);
  const keys = new Set(here.map(keyOf));
  const strange = names.filter((name) => !keys.has(keyOf(name)));
  const others = strange.length === 0 ? [] : plan.entities;
  for await (const entity of inTurns(others, plan.signal)) {
    for (const name of headingsOf(read(sourceText(plan, entity)))) keys.add(keyOf(name));
  }
  // The error offers the last spelling of each key.
  const spelled = new Map(here.map((name) => [keyOf(name), name]));
  const unknown = strange.filter((name) => !keys.has(keyOf(name)));
  checkFields("fields", unknown, [...fields, ...spelled.values()]);
}

function headingsOf({ entity }: Document): string[] {
  return (entity?.sections ?? []).map(({ name }) => name);
}

/** The fields of an entity, and the entities that it is related to. */
function relatedFields(plan: PlanView, entity: Entity, document: Document, wanted: Wanted) {
  const { id: _id, name: _name, status: _status, ...attributes } = entity.attributes;
  // The lengths of shortened lists.
  const totals: Record<string, number> = {};
  const few = <Row>(name: string, rowsOf: () => Row[]) => {
    const rows = wanted.has(name) ? rowsOf() : [];
    if (!wanted.isAll || rows.length <= MOST_RELATED) return unlessEmpty(rows);
    totals[name] = rows.length;
    return rows.slice(0, MOST_RELATED);
  };
  // The plugin also counts boxes in code fences; updates use these numbers.
  const criteria = wanted.has("criteria") ? document.entity?.criteria ?? [] : [];
  return {
    ...rowOf(entity),
    type: wanted.has("type") ? entity.type : undefined,
    attributes: wanted.has("attributes") ? nonEmpty(attributes) : undefined,
    criteria: unlessEmpty(
      criteria.map(({ number: n, text, checked }) => ({ n, text, checked: checked || undefined })),
    ),
    dependencies: few("dependencies", () => rowsOf(plan, dependenciesOf(entity))),
    references: few("references", () => rowsOf(plan, referencesOf(entity))),
    referencedBy: few(
      "referencedBy",
      () => plan.pointers(entity.id).map(({ from, kind }) => ({ ...rowOf(from), kind })),
    ),
    totals: nonEmpty(totals),
    path: pathOf(plan, entity),
    uri: uriOf(entity),
  };
}

/** The sections, and why some cannot be edited. */
function textFields(document: Document, wanted: Wanted, room: number) {
  const { sections = [], unclosed } = document.entity ?? {};
  const isNamed = (heading: string) => wanted.sections.has(keyOf(heading));
  const parts = sections.filter((section) => {
    if (isNamed(section.name)) return true;
    const isEmpty = section.content.start === section.content.end;
    if (!wanted.has("sections") || isEmpty) return false;
    return !wanted.isAll || !hasOnlyCriteria(document, section);
  }).map(({ name, content }) => [name, contentOf(document, content)] as const);
  const whole = new Set(parts.map(([name]) => keyOf(name)));
  const subsections = wanted.sections.size === 0 ? [] : subsectionsOf(document);
  for (const { name, heading, text } of subsections) {
    if (whole.has(keyOf(heading)) || !isNamed(name) && !isNamed(heading)) continue;
    parts.push([name, text]);
  }
  const isLong = wanted.isAll && parts.reduce((sum, [, text]) => sum + text.length, 0) > room;
  const most = Math.min(BEGINNINGS, room) / parts.length;
  const texts = parts.map(([name, text]) =>
    [name, isLong ? beginningOf(text, most) : text] as const
  );
  const locked = sections.filter((section) =>
    section.locked !== undefined && (wanted.has("sections") || isNamed(section.name))
  );
  return {
    sections: nonEmpty(Object.fromEntries(texts)),
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
