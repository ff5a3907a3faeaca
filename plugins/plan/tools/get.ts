/** `plan_get`: reads one entity or several, with everything related. */

import { quotedName } from "../../../src/plain_text.ts";
import * as z from "zod";
import { nearest, RefraktError } from "../../../src/errors.ts";
import { commitNamed } from "../../../src/io/git_ask.ts";
import { statIfExists } from "../../../src/io/files.ts";
import { turnTaker } from "../../../src/io/turns.ts";
import { modifiedAt } from "../../../src/io/stamp.ts";
import type { Entity } from "../entity/entity.ts";
import {
  contentOf,
  type Document,
  hasOnlyCriteria,
  keyOf,
  read,
  type Section,
  subsectionsOf,
} from "../entity/document.ts";
import { unknownEntity } from "../store/failures.ts";
import {
  openPlan,
  pathOf,
  planAt,
  type PlanView,
  rowOf,
  rowsOf,
  sourceOf,
  sourceText,
  unlessEmpty,
  uriOf,
} from "../queries/access.ts";
import { withTaken, withTakenField } from "../queries/availability.ts";
import { dependenciesOf, referencesOf } from "../queries/dependencies.ts";
import { uncheckedSentence } from "../queries/elsewhere.ts";
import { checkFields, fieldNames, fieldValue, withDates } from "../queries/fields.ts";
import { POINTERS, referencedBy } from "../queries/references.ts";
import { namedEntities, namedEntity, uncheckedPlaces } from "../tool_parts/fields.ts";
import { readTool } from "../tool_parts/plan_tool.ts";

/** A longer text, in characters, shows only the beginnings of long sections. */
const LONG_TEXT = 4_000;

/** The same for several entities together. */
const LONG_TEXTS = 8_000;

/** How many characters the beginnings of its sections have in total. */
const BEGINNINGS = 1_000;

/** How many entities a list contains unless `fields` asks for them. */
const NAMED = 40;

/** Fields with the same values as in plan_list. */
const COMPUTED = [
  "blockedBy",
  "withheldBy",
  "taken",
  "changedElsewhere",
  "note",
  "newestNote",
  "progress",
];

/** Fields with more detail than in plan_list. */
const OWN = ["attributes", "sections", "criteria", "dependencies", "references", "referencedBy"];

/** The fields of every answer. */
const BASIC = ["id", "title", "status", "path", "uri"];

const EntityAnswer = z.looseObject({
  id: z.string(),
  type: z.string().optional(),
  title: z.string().optional(),
  status: z.string().optional(),
  attributes: z.record(z.string(), z.string()).optional(),
  criteria: z.array(
    z.object({ n: z.int(), text: z.string(), checked: z.boolean().optional() }),
  ).optional(),
  sections: z.record(z.string(), z.string()).optional(),
  /** The newest line under Notes. */
  newestNote: z.string().optional(),
  shortened: z.string().optional(),
  notEditable: z.object({
    reason: z.string(),
    line: z.int().optional(),
    sections: z.array(z.string()),
  }).optional(),
  dependencies: namedEntities(),
  blockedBy: z.array(z.string()).optional(),
  withheldBy: z.array(z.string()).optional(),
  /** Where somebody else works on it. */
  taken: z.string().optional(),
  changedElsewhere: z.string().optional().describe("What other branches have changed"),
  note: z.string().optional(),
  references: namedEntities(),
  /** What points here. */
  referencedBy: z.array(z.object({ ...namedEntity, kind: z.enum(POINTERS) })).optional(),
  progress: z.string().optional().describe("Finished items and ticked criteria"),
  markdoc: z.string().optional(),
  path: z.string(),
  uri: z.string(),
  totals: z.record(z.string(), z.int()).optional(),
});

const Output = EntityAnswer.partial().extend({
  items: z.array(EntityAnswer).optional(),
  notFound: z.array(z.object({ id: z.string(), nearest: z.array(z.string()) })).optional(),
  unchecked: uncheckedPlaces(),
});

type Shown = z.infer<typeof EntityAnswer>;

export const getTool = readTool({
  name: "plan_get",
  title: "Read an entity",
  description: "Reads one entity or several: attributes, numbered criteria, sections, " +
    "dependencies, references, what points here, progress.",
  input: {
    id: z.string().optional().describe("Id, or a milestone's name"),
    ids: z.array(z.string()).min(1).max(50).optional(),
    fields: z.array(z.string()).optional().describe("As in plan_list, or a section's heading"),
    at: z.string().optional().describe("A branch or commit"),
  },
  output: Output,
  run: async ({ id, ids, fields: given, at }, opened): Promise<z.infer<typeof Output>> => {
    if ((id === undefined) === (ids === undefined)) {
      throw new RefraktError("INVALID_ARGS", 'Give either "id" or "ids"', {
        hint: 'Pass "id" for one entity or "ids" for several.',
      });
    }
    const fields = withTakenField(given);
    const asked = ids ?? [id!];
    const { plan, found, documents } = at === undefined
      ? await readTogether(await withDates(await withTaken(opened, fields), fields), asked)
      : await readAt(opened, at, asked);
    const missing = asked.filter((one) => plan.find(one) === undefined);
    if (found.length === 0) {
      if (at === undefined) throw unknownEntity(plan.store, ...missing);
      throw new RefraktError(
        "NOT_FOUND",
        `There is no ${missing.map(quotedName).join(", ")} in ${quotedName(at)}`,
        {
          hint: "Leave out at to read the working tree.",
        },
      );
    }
    const wanted = await wantedFields(plan, documents, fields);
    const room = Math.min(LONG_TEXT, LONG_TEXTS / found.length);
    const items = found.map((item, at) => entityOf(plan, item, documents[at]!, wanted, room));
    // What others have changed of finished work does not matter any more.
    const unchecked = found.some(({ finished }) => !finished)
      ? uncheckedSentence(plan.taken?.unchecked ?? [])
      : undefined;
    if (ids === undefined) return { ...items[0]!, unchecked };
    const known = plan.entities.map((item) => item.id);
    const notFound = missing.map((one) => ({ id: one, nearest: nearest(one, known) }));
    return { items, notFound: unlessEmpty(notFound), unchecked };
  },
});

/** How often files are read again that change meanwhile. */
const MOST_TRIES = 8;

/** Reads entities as they are in a commit. */
async function readAt(opened: PlanView, at: string, ids: readonly string[]) {
  const plan = await planAt(opened, await commitNamed(at, opened.git, "at"));
  const found = ids.flatMap((one) => plan.find(one) ?? []);
  return { plan, found, documents: found.map((item) => read(sourceOf(plan, item))) };
}

/** Reads entities and their texts in one state: git takes time, and an editor may save meanwhile. */
async function readTogether(opened: PlanView, ids: readonly string[]) {
  for (let plan = opened, tries = 1;; tries++) {
    const found = ids.flatMap((one) => plan.find(one) ?? []);
    const isSame = ({ file, mtime }: Entity) => {
      const info = statIfExists(plan.store.path(file));
      return info !== null && modifiedAt(info) === mtime;
    };
    if (tries === MOST_TRIES || found.length === ids.length && found.every(isSame)) {
      const documents = found.map((item) => read(sourceOf(plan, item)));
      if (tries === MOST_TRIES || found.every(isSame)) return { plan, found, documents };
    }
    const now = await openPlan(opened);
    await now.readAll();
    plan = { ...now, ...opened.taken && { taken: opened.taken } };
  }
}

/** The requested fields; all if `undefined`. */
interface Wanted {
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
  if (names === undefined) return { fields: undefined, values: COMPUTED, sections: new Set() };
  const headings = documents.flatMap((document) => [
    ...(document.entity?.sections ?? []).map(({ name }) => name),
    ...subsectionsOf(document).map(({ name }) => name),
  ]);
  const known = new Map(headings.map((name) => [keyOf(name), name]));
  const shared = fieldNames(plan);
  const others = names.filter((name) => !shared.includes(name));
  const strange = others.filter((name) => !known.has(keyOf(name)));
  // A section that only other entities have is empty here.
  const anywhere = await headingsIn(plan, strange.length === 0 ? [] : plan.entities);
  checkFields("fields", strange.filter((name) => !anywhere.has(keyOf(name))), [
    ...shared,
    ...known.values(),
  ]);
  const values = names.filter((name) =>
    shared.includes(name) && ![...BASIC, ...OWN].includes(name)
  );
  return { fields: new Set(names), values, sections: new Set(others.map(keyOf)) };
}

/** The keys of the headings of entities. */
async function headingsIn(plan: PlanView, entities: readonly Entity[]): Promise<Set<string>> {
  const keys = new Set<string>();
  const turn = turnTaker(plan.signal);
  for (const entity of entities) {
    const { sections = [] } = read(sourceText(plan, entity)).entity ?? {};
    for (const { name } of sections) keys.add(keyOf(name));
    await turn();
  }
  return keys;
}

function entityOf(
  plan: PlanView,
  item: Entity,
  document: Document,
  wanted: Wanted,
  room: number,
): Shown {
  const { fields } = wanted;
  const all = fields === undefined;
  const wants = (name: string) => all || fields.has(name);
  const { id: _id, name: _name, status: _status, ...attributes } = item.attributes;
  const lists: Record<string, () => readonly unknown[]> = {
    // The plugin also counts boxes in code fences; updates use these numbers.
    criteria: () =>
      (document.entity?.criteria ?? [])
        .map(({ number: n, text, checked }) => ({ n, text, checked: checked || undefined })),
    dependencies: () => rowsOf(plan, dependenciesOf(item)),
    references: () => rowsOf(plan, referencesOf(item)),
    referencedBy: () =>
      referencedBy(plan, item).map(({ item: other, kind }) => ({ ...rowOf(other), kind })),
  };
  // The lengths of shortened lists.
  const totals: Record<string, number> = {};
  const shown: Record<string, unknown> = {};
  for (const [name, list] of Object.entries(lists)) {
    const rows = wants(name) ? list() : [];
    const most = all && name !== "criteria" ? NAMED : rows.length;
    shown[name] = unlessEmpty(rows.slice(0, most));
    if (rows.length > most) totals[name] = rows.length;
  }
  return {
    ...rowOf(item),
    type: wants("type") ? item.type : undefined,
    attributes: wants("attributes") ? nonEmpty(attributes) : undefined,
    ...shown,
    ...textOf(document, wanted, room),
    ...Object.fromEntries(wanted.values.map((name) => [name, fieldValue(plan, item, name)])),
    totals: nonEmpty(totals),
    path: pathOf(plan, item),
    uri: uriOf(item),
  };
}

/** The sections, and why some cannot be edited. */
function textOf(
  document: Document,
  { fields, sections: names }: Wanted,
  room: number,
): Pick<Shown, "sections" | "shortened" | "notEditable"> {
  const all = fields === undefined;
  const { sections = [], unclosed } = document.entity ?? {};
  const isEmpty = ({ content }: Section) => content.start === content.end;
  const parts = sections.filter((section) =>
    names.has(keyOf(section.name)) ||
    (all || fields.has("sections")) && !isEmpty(section) &&
      !(all && hasOnlyCriteria(document, section))
  ).map(({ name, content }) => [name, contentOf(document, content)] as const);
  if (names.size > 0) {
    const own = subsectionsOf(document).filter(({ name, heading }) =>
      (names.has(keyOf(name)) || names.has(keyOf(heading))) &&
      !parts.some(([other]) => keyOf(other) === keyOf(heading))
    );
    parts.push(...own.map(({ name, text }) => [name, text] as const));
  }
  const isLong = all && parts.reduce((sum, [, text]) => sum + text.length, 0) > room;
  const most = Math.min(BEGINNINGS, room) / parts.length;
  const shown = (text: string) => isLong ? beginningOf(text, most) : text;
  const [first, ...others] = sections.filter((section) =>
    section.locked !== undefined &&
    (all || fields.has("sections") || names.has(keyOf(section.name)))
  );
  return {
    sections: nonEmpty(Object.fromEntries(parts.map(([name, text]) => [name, shown(text)]))),
    shortened: isLong ? 'Pass fields: ["<heading>"] for a whole section' : undefined,
    notEditable: first && {
      reason: first.locked!,
      line: unclosed?.line,
      sections: [first, ...others].map(({ name }) => name),
    },
  };
}

function beginningOf(text: string, room: number): string {
  const length = Math.min(Math.max(Math.floor(room), 50), 300);
  if (text.length <= length * 1.5) return text;
  return `${text.slice(0, length).toWellFormed()}… [${text.length} characters]`;
}

/** Removes empty texts; `undefined` if nothing is left. */
function nonEmpty<Value>(values: Readonly<Record<string, Value>>) {
  const entries = Object.entries(values).filter(([, value]) => value !== "");
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
