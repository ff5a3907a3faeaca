/** `plan_update`: changes an entity. */

import { quotedName } from "../../../src/plain_text.ts";
import * as z from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { gitUser } from "../../../src/io/git_remote.ts";
import { withoutMark } from "../../../src/io/decode.ts";
import { resolveInside } from "../../../src/io/paths.ts";
import { readIfExists } from "../../../src/io/read.ts";
import { editEntities } from "../write/edit_entities.ts";
import { type Edit, sectionEdits } from "../write/edits.ts";
import { type PlanPlace, withPlanLock } from "../store/place.ts";
import { unknownEntity } from "../store/failures.ts";
import { openPlan, unlessEmpty } from "../queries/access.ts";
import { isFinished } from "../entity/lifecycle.ts";
import { type Confirmation, requireOwnClaims } from "../remote/mod.ts";
import { ownerOf } from "../write/claim_item.ts";
import { freeingClaims } from "../write/free_claims.ts";
import { criteriaArgument, idsArgument, listedText, writtenEntity } from "../tool_parts/fields.ts";
import { mentionFields } from "../tool_parts/issues.ts";
import { writeTool } from "../tool_parts/plan_tool.ts";
import { changeLines, writtenAnswer } from "../tool_parts/update_answer.ts";
import { attributeNames, listedValues, type Vocabulary } from "../upstream/vocabulary.ts";

const Texts = z.record(z.string(), z.string());

const Output = z.object({
  ...writtenEntity,
  changes: z.array(z.object({ field: z.string(), old: z.string(), new: z.string() })),
  openCriteria: z.int(),
  open: z.array(z.object({ n: z.int(), text: z.string() })),
  warnings: z.array(z.string()),
  ...mentionFields,
  remote: z.enum(["confirmed", "unconfirmed"]),
  preview: z.boolean(),
  /** Of several entities: how many change, and a line each. */
  changed: z.int(),
  lines: z.array(z.string()),
}).partial();

/** How many entities a call changes at most. */
const MOST_IDS = 100;

/** Attributes with their own arguments; others go in `attrs`. */
const ATTRIBUTES = [
  ...["status", "priority", "severity", "complexity"] as const,
  ...["assignee", "milestone", "supersedes", "pr", "released-in"] as const,
];

type AttributeFields = Record<typeof ATTRIBUTES[number], z.ZodOptional<z.ZodString>>;

/** The arguments for the attributes that a version has. */
function attributeFields(vocabulary: Vocabulary) {
  const names = attributeNames(vocabulary);
  const statuses = Object.entries(vocabulary.status)
    .map(([type, values]) => `${type}: ${values.join(", ")}`).join("; ");
  const fields = ATTRIBUTES.filter((name) => names.includes(name)).map((name) => {
    const field = listedText(listedValues(vocabulary, name)).optional();
    return [name, name === "status" ? field.describe(statuses) : field] as const;
  });
  const others = names.filter((name) => !ATTRIBUTES.some((attribute) => attribute === name));
  return {
    // A call cannot pass those that are left out, which are optional.
    ...Object.fromEntries(fields) as AttributeFields,
    attrs: Texts.optional().describe(others.join(", ")),
  };
}

const inputFor = (vocabulary: Vocabulary) => ({
  id: z.string().optional(),
  ids: z.array(z.string()).min(1).max(MOST_IDS).optional(),
  ...attributeFields(vocabulary),
  check: criteriaArgument().describe('A text, else a number or "all"'),
  uncheck: criteriaArgument(),
  criteria: z.strictObject({
    add: z.array(z.string()).optional(),
    remove: criteriaArgument(),
    reword: Texts.optional(),
  }).optional(),
  title: z.string().optional(),
  sections: Texts.optional().describe("By heading; empty removes"),
  append: Texts.optional(),
  note: z.string().optional().describe("A dated line under Notes: done, tried, next"),
  by: z.string().optional().describe("Signs the note; not verified; default: assignee"),
  dependsOn: idsArgument().describe('Adds; "-ID" removes; []: none'),
  blocks: idsArgument().describe("Ids that will depend on it"),
  if: z.object({ sections: Texts.optional() }).catchall(z.string()).optional().describe(
    'Texts that must be there, by name or heading; "": none',
  ),
  resolve: z.string().optional(),
  resolveFile: z.string().optional(),
  preview: z.boolean().optional().describe("Writes nothing"),
});

type Input = z.infer<z.ZodObject<ReturnType<typeof inputFor>>>;

export const updateTool = writeTool({
  name: "plan_update",
  title: "Update an entity",
  description:
    "Changes one entity or several alike, all or nothing: attributes, title, criteria, sections, " +
    'resolution. "" removes an attribute.',
  annotations: { idempotentHint: false },
  withdrawn: { "criteria.move": "Pass the section in the new order in sections." },
  input: inputFor,
  output: Output,
  run: async (input, place): Promise<z.infer<typeof Output>> => {
    const { id, blocks, preview = false } = input;
    const ids = await idsOf(input, place);
    const attributes = attributesOf(input);
    const edits: Edit[] = [
      { kind: "attributes", values: attributes },
      ...editsOf(input, place.cwd),
    ];
    if (input.note !== undefined) {
      edits.push({ kind: "note", text: input.note, by: input.by ?? await signerOf(place, ids) });
    }
    const status = attributes["status"];
    const remote = preview || status === undefined
      ? undefined
      : await confirmFinish(place, ids, status);
    const changes = ids.map((id) => ({ id, edits, condition: input.if, blocks }));
    const edit = () => editEntities(place, changes, preview);
    const { value: all, staying } = await freeingClaims(
      place.context,
      () => withPlanLock(place, edit),
    );
    const isAll = [input.check].flat().includes("all");
    const answers = all.map((one) => writtenAnswer(place, one, isAll));
    const answer: z.infer<typeof Output> = id === undefined ? changeLines(answers) : answers[0]!;
    return {
      ...answer,
      warnings: unlessEmpty([...answer.warnings ?? [], ...staying]),
      preview: preview || undefined,
      remote,
    };
  },
});

/** Who signs a note: who works on the item, else the name in git's configuration. */
async function signerOf(place: PlanPlace, ids: readonly string[]): Promise<string> {
  const plan = await openPlan(place);
  const [owner, ...others] = new Set(ids.flatMap((id) => plan.find(id) ?? []).map(ownerOf));
  if (owner && others.length === 0) return owner;
  return await gitUser(place.git);
}

/** Whoever lost an item to another clone learns it before finishing it. */
async function confirmFinish(
  place: PlanPlace,
  ids: readonly string[],
  status: string,
): Promise<Confirmation | undefined> {
  if (place.context.project.remote === undefined) return undefined;
  const plan = await openPlan(place);
  const items = ids.flatMap((id) => plan.find(id) ?? [])
    .filter(({ type }) => isFinished(type, status, true));
  const claims = items.map((item) => ({ id: item.id, assignee: ownerOf(item) }));
  return await requireOwnClaims(place.context, claims);
}

/**
 * The edits of a call. Sections come first, so that the call can tick criteria in them; numbers
 * refer to the criteria after that, but before anything is appended.
 */
function editsOf(input: Input, cwd: string): Edit[] {
  const edits: Edit[] = [];
  const { title, sections = {}, append = {}, check, uncheck, criteria = {} } = input;
  if (title !== undefined) edits.push({ kind: "title", text: title });
  edits.push(...sectionEdits("section", sections));
  if (uncheck !== undefined) edits.push({ kind: "uncheck", which: [uncheck].flat() });
  if (check !== undefined) edits.push({ kind: "check", which: [check].flat() });
  for (const [which, text] of Object.entries(criteria.reword ?? {})) {
    edits.push({ kind: "reword", which, text });
  }
  if (criteria.remove !== undefined) {
    edits.push({ kind: "remove", which: [criteria.remove].flat() });
  }
  edits.push(...sectionEdits("append", append));
  if (criteria.add !== undefined) edits.push({ kind: "addCriteria", texts: criteria.add });
  const { added, removed } = dependenciesIn(input);
  if (removed.length > 0) edits.push({ kind: "independentOf", ids: removed });
  if (input.dependsOn !== undefined && (added.length > 0 || removed.length === 0)) {
    edits.push({ kind: "dependsOn", ids: added });
  }
  const text = resolutionText(cwd, input.resolve, input.resolveFile);
  if (text !== undefined) edits.push({ kind: "resolve", text });
  return edits;
}

/** The ids that `dependsOn` adds and removes. */
function dependenciesIn({ dependsOn = [] }: Pick<Input, "dependsOn">) {
  const removed = dependsOn.flatMap((id) => id.startsWith("-") ? id.slice(1) : []);
  return { removed, added: dependsOn.filter((id) => !id.startsWith("-")) };
}

/** The entities to change, each once. */
async function idsOf(
  { id, ids, title, blocks }: Input,
  { store, signal }: PlanPlace,
): Promise<readonly string[]> {
  if ((id === undefined) === (ids === undefined)) {
    throw new RefraktError("INVALID_ARGS", 'Give either "id" or "ids"', {
      hint: 'Pass "id" for one entity, or "ids" to make the same change in several.',
    });
  }
  const single = title !== undefined ? "title" : blocks !== undefined ? "blocks" : undefined;
  if (ids === undefined) return [id!];
  if (single !== undefined) {
    throw new RefraktError("INVALID_ARGS", `"${single}" is for one entity`, {
      hint: 'Pass it with "id".',
    });
  }
  const plan = await store.read(signal);
  const unknown = ids.filter((one) => plan.allOf(plan.spelled(one)).length === 0);
  // A single one may be moved just now: its edit waits for it.
  if (unknown.length > 1) throw unknownEntity(store, ...unknown);
  return [...new Set(ids.map(plan.spelled))];
}

/** The attributes that a call sets: named arguments override `attrs`. */
function attributesOf(input: Input): Record<string, string> {
  const attributes = { ...input.attrs };
  for (const [name, value] of Object.entries(input)) {
    if (ATTRIBUTES.some((attribute) => attribute === name) && typeof value === "string") {
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
