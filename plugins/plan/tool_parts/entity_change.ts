/** The arguments of `plan_update` that say what changes in an entity, and their edits. */

import { quotedName } from "../../../src/plain_text.ts";
import * as z from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { readIfExists, withoutMark } from "../../../src/io/read.ts";
import { resolveInside } from "../../../src/io/paths.ts";
import { attributeNames, type Vocabulary } from "../upstream/vocabulary.ts";
import type { EntityChange } from "../write/edit_entities.ts";
import { addCriteria, changeCriteria, rewordCriterion } from "../write/edits/criteria.ts";
import { appendToSection, replacePassage, resolve, sectionEdits } from "../write/edits/sections.ts";
import type { Edit } from "../write/edits/splices.ts";
import { setTitle } from "../write/edits/tag.ts";
import { criteriaArgument, idsArgument, listedText } from "./fields.ts";

const Texts = z.record(z.string(), z.string());

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
    attrs: Texts.optional().describe(others.join(", ")),
  };
}

/** The arguments that say what changes in an entity. */
export const changeArguments = (vocabulary: Vocabulary) => ({
  ...attributeFields(vocabulary),
  check: criteriaArgument().describe('A text, else a number or "all"'),
  uncheck: criteriaArgument().describe("As check"),
  criteria: z.strictObject({
    add: z.array(z.string()).optional(),
    remove: criteriaArgument(),
    reword: Texts.optional(),
  }).optional().describe("reword: old to new"),
  title: z.string().optional().describe("A new title"),
  sections: Texts.optional().describe("By heading; empty removes"),
  edits: z.array(z.strictObject({ section: z.string(), old: z.string(), new: z.string() }))
    .optional().describe("Passages of sections; old occurs once"),
  append: Texts.optional().describe("Adds to sections"),
  note: z.string().optional().describe("A dated line: done, tried, next"),
  by: z.string().optional().describe("Signs the note; not verified; default: assignee"),
  dependsOn: idsArgument().describe('Adds; "-ID" removes; []: none'),
  blocks: idsArgument().describe("Ids that will depend on it"),
  if: z.object({ sections: Texts.optional() }).catchall(z.string()).optional().describe(
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
export function wantedChange(input: ChangeArguments, cwd: string): Omit<EntityChange, "id"> {
  const { title, sections = {}, append = {}, criteria = {}, dependsOn, blocks } = input;
  const edits: Edit[] = [];
  if (title !== undefined) edits.push((document) => setTitle(title, document));
  edits.push(...sectionEdits(sections));
  for (const passage of input.edits ?? []) {
    edits.push((document) => replacePassage(passage, document));
  }
  const pick = (kind: "check" | "uncheck" | "remove", which: ChangeArguments["check"]) => {
    if (which === undefined) return;
    edits.push((document) => changeCriteria(kind, [which].flat(), document));
  };
  pick("uncheck", input.uncheck);
  pick("check", input.check);
  for (const [which, text] of Object.entries(criteria.reword ?? {})) {
    edits.push((document) => rewordCriterion(which, text, document));
  }
  pick("remove", criteria.remove);
  for (const [heading, text] of Object.entries(append)) {
    edits.push((document) => appendToSection(heading, text, document));
  }
  const { add } = criteria;
  if (add !== undefined) edits.push((document) => addCriteria(add, document));
  const text = resolutionText(cwd, input.resolve, input.resolveFile);
  if (text !== undefined) edits.push((document) => resolve(text, document));
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
    throw new RefraktError("VALIDATION_ERROR", "The status cannot be removed", {
      hint: "Pass a status.",
    });
  }
  return attributes;
}

function resolutionText(
  cwd: string,
  resolve: string | undefined,
  resolveFile: string | undefined,
): string | undefined {
  if (resolveFile === undefined) return resolve;
  if (resolve !== undefined) {
    throw new RefraktError("INVALID_ARGS", '"resolve" and "resolveFile" exclude each other', {
      hint: "Give one of them.",
    });
  }
  const path = resolveInside(cwd, resolveFile, '"resolveFile"', resolveFile);
  const text = readIfExists(cwd, path, "text");
  if (text !== null) return withoutMark(text);
  throw new RefraktError("NOT_FOUND", `No such file: ${quotedName(resolveFile)}`, {
    hint: 'Pass "resolveFile" as a path inside the project, or the text in "resolve".',
  });
}
