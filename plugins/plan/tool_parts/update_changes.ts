/** The arguments of `plan_update`, and the changes and edits that they mean for each entity. */

import * as z from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { defineSchema } from "../../../src/plugin/schema.ts";
import type { PlanView } from "../queries/access.ts";
import { textList, textsByName } from "../write/new_entity.ts";
import { gitUser } from "../queries/git_facts.ts";
import { MOST_CHANGED } from "../queries/issues.ts";
import { listEntities } from "../queries/listing.ts";
import { unknownEntity } from "../store/problems.ts";
import { NEWEST } from "../upstream/listed_version.ts";
import { attributeNames, type Vocabulary } from "../upstream/vocabulary.ts";
import type { EntityChange } from "../write/edit_entities.ts";
import { addNote } from "../write/edits/notes.ts";
import type { Edit } from "../write/edits.ts";
import { invalidArguments, validationError } from "../entity/values.ts";
import { criteriaArgument, listedText, listFilters } from "./fields.ts";
import { quotedName } from "../../../src/plain_text.ts";
import { readIfExists, withoutMark } from "../../../src/io/read.ts";
import { resolveInside } from "../../../src/io/paths.ts";
import { addCriteria, changeCriteria, rewordCriterion } from "../write/edits/criteria.ts";
import { appendToSection, replacePassage, resolve, sectionEdits } from "../write/edits/sections.ts";
import { setTitle } from "../write/edits/tag.ts";
import { ownerOf } from "../entity/entity.ts";

export const updateArguments = (vocabulary: Vocabulary) => ({
  id: z.string().optional().describe("One entity"),
  ids: z.array(z.string()).min(1).max(MOST_CHANGED).optional().describe("Several alike"),
  where: z.looseObject({}).optional().describe("In place of ids: filters of plan_list"),
  changes: z.array(z.looseObject({ id: z.string() })).min(1).max(MOST_CHANGED).optional()
    .describe("Several, each with id and its own arguments"),
  ...changeArguments(vocabulary),
  preview: z.boolean().optional().describe("Writes nothing"),
});

type Input = z.infer<z.ZodObject<ReturnType<typeof updateArguments>>>;

/** The changes of a call, for each entity. */
export async function updatedEntities(input: Input, plan: PlanView): Promise<EntityChange[]> {
  const { id, ids, where, changes, preview: _preview, ...change } = input;
  if ([id, ids, where, changes].filter((way) => way !== undefined).length !== 1) {
    throw invalidArguments(
      'Give one of "id", "ids", "where" and "changes"',
      '"id" is one entity; "ids" or "where" make the same change in several; "changes" has ' +
        "different ones.",
    );
  }
  if (changes !== undefined) {
    const [other] = Object.keys(change);
    if (other !== undefined) {
      throw invalidArguments(
        `"changes" and "${other}" exclude each other`,
        `Give each change its "${other}".`,
      );
    }
    const { vocabulary = NEWEST } = plan.plugin;
    const schema = z.strictObject({ id: z.string(), ...changeArguments(vocabulary) });
    const parsed = await defineSchema(z.strictObject({ changes: z.array(schema) })).parse({
      changes,
    });
    const all = parsed["changes"] as z.infer<typeof schema>[];
    requireKnown(plan, all.map(({ id }) => id));
    return (await Promise.all(all.map(({ id, ...input }) => changesTo(plan, [id], input))))
      .flat();
  }
  const targets = id !== undefined ? [id] : ids ?? await idsWhere(plan, where!);
  const single = ["title", "blocks"].find((name) => name in change);
  if (id === undefined && single !== undefined) {
    throw invalidArguments(`"${single}" is for one entity`, 'Pass it with "id", or in "changes".');
  }
  requireKnown(plan, targets);
  return await changesTo(plan, [...new Set(targets.map(plan.spelled))], change);
}

/** Makes the same change for several entities. */
async function changesTo(plan: PlanView, ids: readonly string[], input: ChangeArguments) {
  const { note } = input;
  const { edits, ...change } = wantedChange(input, plan.cwd);
  const by = note === undefined ? "" : input.by ?? await signerOf(plan, ids);
  if (note !== undefined) edits.push(addNote(note, by));
  return ids.map((id) => ({ ...change, id, edits }));
}

/** The entities that pass filters of `plan_list`. */
async function idsWhere(plan: PlanView, where: Record<string, unknown>): Promise<string[]> {
  const { vocabulary = NEWEST } = plan.plugin;
  const filters = await defineSchema(z.strictObject(listFilters(vocabulary)), {}, true).parse(
    where,
  );
  if (Object.keys(filters).length === 0) {
    throw invalidArguments(
      '"where": no filter',
      'Pass filters of plan_list, such as { "tag": "search" }.',
    );
  }
  const { total, columns, rows } = await listEntities(plan, { ...filters, limit: MOST_CHANGED });
  const column = columns.indexOf("id");
  if (total > 0 && total <= MOST_CHANGED) return rows.map((row) => String(row[column]));
  throw invalidArguments(
    total === 0 ? 'No entity matches "where"' : `${total} entities match "where"`,
    total === 0
      ? "Nothing was written. plan_list with the same filters shows what there is."
      : `Nothing was written. At most ${MOST_CHANGED} are changed at once: add a filter.`,
  );
}

/** Who signs a note: who works on the item, else the name in git's configuration. */
async function signerOf(plan: PlanView, ids: readonly string[]): Promise<string> {
  const [owner, ...others] = new Set(ids.flatMap((id) => plan.find(id) ?? []).map(ownerOf));
  if (owner && others.length === 0) return owner;
  return await gitUser(plan.git);
}

/** A single entity may be moved just now: its edit waits for it. */
function requireKnown(plan: PlanView, ids: readonly string[]): void {
  const unknown = ids.filter((id) => plan.allOf(plan.spelled(id)).length === 0);
  if (unknown.length > 1) throw unknownEntity(plan.store, ...unknown);
}

/** Attributes with their own arguments; others go in `attrs`. */
const ATTRIBUTES = {
  status: "",
  priority: "Urgency",
  severity: "Of a bug",
  complexity: "Effort",
  assignee: "Who works on it",
  milestone: "Its name",
  supersedes: "The older one's id",
  pr: "Pull request",
  "released-in": "Release",
};

type AttributeFields = Record<keyof typeof ATTRIBUTES, z.ZodOptional<z.ZodString>>;

/** The arguments for the attributes that a version has. */
function attributeFields(vocabulary: Vocabulary) {
  const names = attributeNames(vocabulary);
  const statuses = Object.entries(vocabulary.status)
    .map(([type, values]) => `${type}: ${values.join(", ")}`).join("; ");
  const fields = Object.entries({ ...ATTRIBUTES, status: statuses })
    .filter(([name]) => names.includes(name))
    .map(([name, description]) => {
      const field = listedText(vocabulary.values[name]).optional();
      return [name, field.describe(description)] as const;
    });
  const others = names.filter((name) => !Object.hasOwn(ATTRIBUTES, name));
  return {
    // A call cannot pass those that are left out, which are optional.
    ...Object.fromEntries(fields) as AttributeFields,
    attrs: textsByName.optional().describe(others.join(", ")),
  };
}

/** The arguments for the changes of an entity. */
export const changeArguments = (vocabulary: Vocabulary) => ({
  ...attributeFields(vocabulary),
  check: criteriaArgument().describe('A text, else a number or "all"'),
  uncheck: criteriaArgument().describe("As check"),
  criteria: z.strictObject({
    add: z.array(z.string()).optional(),
    remove: criteriaArgument(),
    reword: textsByName.optional(),
  }).optional().describe("reword: old to new"),
  title: z.string().optional().describe("A new title"),
  sections: textsByName.optional().describe("By heading; empty removes"),
  edits: z.array(z.strictObject({ section: z.string(), old: z.string(), new: z.string() }))
    .optional().describe("Passages of sections; old occurs once"),
  append: textsByName.optional().describe("Adds to sections"),
  note: z.string().optional().describe("A dated line: done, tried, next"),
  by: z.string().optional().describe("Signs the note; not verified; default: assignee"),
  dependsOn: textList.optional().describe('Adds; "-ID" removes; []: none'),
  blocks: textList.optional().describe("Ids that will depend on it"),
  if: z.object({ sections: textsByName.optional() }).catchall(z.string()).optional().describe(
    'Only if these are its texts; "": none',
  ),
  resolve: z.string().optional().describe("Resolution"),
  resolveFile: z.string().optional().describe("A file with it"),
});

export type ChangeArguments = z.infer<z.ZodObject<ReturnType<typeof changeArguments>>>;

/**
 * What a call changes in an entity. Sections come first, so that the call can tick criteria in them;
 * numbers refer to the criteria after that, but before anything is appended.
 */
function wantedChange(input: ChangeArguments, cwd: string) {
  const { title, sections = {}, append = {}, criteria = {}, dependsOn, blocks } = input;
  const edits: Edit[] = [];
  if (title !== undefined) edits.push(setTitle(title));
  edits.push(...sectionEdits(sections), ...(input.edits ?? []).map(replacePassage));
  const pick = (kind: "check" | "uncheck" | "remove", which: ChangeArguments["check"]) => {
    if (which !== undefined) edits.push(changeCriteria(kind, [which].flat()));
  };
  pick("uncheck", input.uncheck);
  pick("check", input.check);
  const reworded = Object.entries(criteria.reword ?? {});
  edits.push(...reworded.map(([which, text]) => rewordCriterion(which, text)));
  pick("remove", criteria.remove);
  edits.push(...Object.entries(append).map((entry) => appendToSection(...entry)));
  const { add } = criteria;
  if (add !== undefined) edits.push(addCriteria(add));
  const text = resolutionText(cwd, input);
  if (text !== undefined) edits.push(resolve(text));
  const independentOf = dependsOn?.flatMap((id) => id.startsWith("-") ? id.slice(1) : []);
  const added = dependsOn?.filter((id) => !id.startsWith("-"));
  return {
    attributes: attributesOf(input),
    edits,
    condition: input.if,
    // Where ids are only removed, an empty list would remove all.
    dependsOn: added?.length === 0 && independentOf!.length > 0 ? undefined : added,
    independentOf,
    blocks,
  };
}

/** The attributes that a call sets: named arguments override `attrs`. */
function attributesOf(input: ChangeArguments): Record<string, string> {
  const attributes = { ...input.attrs };
  for (const [name, value] of Object.entries(input)) {
    if (Object.hasOwn(ATTRIBUTES, name) && typeof value === "string") {
      attributes[name] = value;
    }
  }
  if (attributes["status"] === "") {
    throw validationError("The status cannot be removed", "Pass a status.");
  }
  return attributes;
}

function resolutionText(cwd: string, { resolve, resolveFile }: ChangeArguments) {
  if (resolveFile === undefined) return resolve;
  if (resolve !== undefined) {
    throw invalidArguments('"resolve" and "resolveFile" exclude each other', "Give one of them.");
  }
  const path = resolveInside(cwd, resolveFile, '"resolveFile"', resolveFile);
  const text = readIfExists(cwd, path, "text");
  if (text !== null) return withoutMark(text);
  throw new RefraktError("NOT_FOUND", `No such file: ${quotedName(resolveFile)}`, {
    hint: 'Pass "resolveFile" as a path inside the project, or the text in "resolve".',
  });
}
