/** `plan.update`: changes an entity. */

import * as z from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { withoutMark } from "../../../src/io/decode.ts";
import { resolveInside, shownPath } from "../../../src/io/paths.ts";
import { readIfExists } from "../../../src/io/read.ts";
import type { CallContext } from "../../../src/tools/context.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import type { PlanPlugin } from "../queries/ask_plugin.ts";
import { type ChangedEntity, editEntity } from "../write/edit_entity.ts";
import type { Edit } from "../write/edits.ts";
import type { CriterionPick } from "../write/edits/criteria.ts";
import { existingPlan } from "../store/place.ts";
import { isTask } from "../queries/availability.ts";
import { mentionNotice } from "../queries/dependencies.ts";
import { mentionFields } from "./issues.ts";
import { newDependencies } from "../write/new_dependencies.ts";
import { itemFrom, lastPlan, openPlan, uriOf } from "../queries/access.ts";
import { isDone, isFinished } from "../queries/lifecycle.ts";
import { type Confirmation, requireOwnClaims } from "../remote/mod.ts";
import { ownerOf } from "../write/claim_item.ts";
import {
  criteriaArgument,
  dirArgument,
  idsArgument,
  listedText,
  WRITES,
  writtenEntity,
} from "./fields.ts";
import { planTool } from "./plan_tool.ts";
import { LISTED } from "../upstream/vocabulary.ts";

const Texts = z.record(z.string(), z.string());

const Output = z.object({
  ...writtenEntity,
  changes: z.array(z.object({ field: z.string(), old: z.string(), new: z.string() })),
  openCriteria: z.int(),
  open: z.array(z.object({ n: z.int(), text: z.string() })).optional(),
  warnings: z.array(z.string()).optional(),
  ...mentionFields,
  remote: z.enum(["confirmed", "unconfirmed"]).optional(),
});

/** How many open criteria are listed; `openCriteria` counts them all. */
const MAX_OPEN = 100;

/** The maximum length of a criterion in an answer, in characters. */
const MAX_CRITERION = 160;

/** Attributes with their own arguments; others go in `attrs`. */
const ATTRIBUTES = {
  status: listedText(LISTED.status).optional().describe(
    "Usually work: draft, ready, in-progress, review, blocked, done; bug: reported, " +
      "confirmed, in-progress, fixed; spec: draft, review, accepted, shipped; decision: " +
      "proposed, accepted; milestone: planning, active, complete",
  ),
  priority: listedText(LISTED.priority).optional(),
  severity: listedText(LISTED.severity).optional(),
  complexity: listedText(LISTED.complexity).optional(),
  assignee: z.string().optional(),
  milestone: z.string().optional(),
  supersedes: z.string().optional(),
  pr: z.string().optional(),
  "released-in": z.string().optional(),
};

const Input = z.strictObject({
  id: z.string(),
  ...ATTRIBUTES,
  attrs: Texts.optional(),
  check: criteriaArgument().describe('Criteria: text, number, a list or "all"'),
  uncheck: criteriaArgument(),
  criteria: z.strictObject({ add: z.array(z.string()).optional(), remove: criteriaArgument() })
    .optional(),
  title: z.string().optional(),
  sections: Texts.optional().describe("By heading: replaces or adds; empty removes"),
  append: Texts.optional().describe("By heading: appends"),
  dependsOn: idsArgument("Adds dependencies; an empty list removes all"),
  blocks: idsArgument("Ids that will depend on this one"),
  if: Texts.optional().describe(
    'Required attribute, title or section values, "" for unset; otherwise CONFLICT',
  ),
  resolve: z.string().optional(),
  resolveFile: z.string().optional(),
  dir: dirArgument(),
});

type Input = z.infer<typeof Input>;

export function updateTool(plugin: PlanPlugin): Tool {
  return planTool(plugin, {
    name: "plan.update",
    title: "Update an entity",
    description: "Changes an entity: attributes, title, criteria, sections, resolution. All or " +
      "nothing. An empty value removes an attribute.",
    annotations: { ...WRITES, idempotentHint: false },
    input: Input,
    output: Output,
    run: async (input, context): Promise<z.infer<typeof Output>> => {
      const { id, dependsOn = [], blocks = [] } = input;
      const dir = existingPlan(context, input.dir);
      const edits = editsOf(input, context.project.cwd);
      const blocking = newDependencies(plugin, context, { dir, id, dependsOn, blocks });
      const attributes = attributesOf(input);
      const remote = await confirmFinish(plugin, context, input, attributes["status"]);
      const changed = await editEntity(plugin, context, {
        dir,
        id,
        attributes,
        edits,
        condition: input.if ?? {},
        blocking,
      });
      const { file, type, changes, document: { entity } } = changed;
      const open = entity.criteria.filter(({ checked }) => !checked);
      // Their numbers are the next question, unless criteria were only added.
      const isTicked = changes.some(({ field, old }) => field === "criterion" && old !== "");
      const warnings = warningsFor(plugin, context.project.cwd, dir, changed, open.length);
      return {
        id,
        type,
        file,
        path: shownPath(context.project.cwd, plugin.storeOf(context.project.cwd, dir).path(file)),
        uri: uriOf({ id, type }),
        changes: shown(changes, input.check === "all"),
        openCriteria: open.length,
        ...(isTicked && open.length > 0
          ? {
            open: open.slice(0, MAX_OPEN).map(({ number: n, text }) => ({
              n,
              text: shortened(text),
            })),
          }
          : {}),
        ...(warnings.length === 0 ? {} : { warnings }),
        ...(changes.length === 0 ? {} : noticeFor(plugin, context, dir, changed)),
        ...(remote === undefined ? {} : { remote }),
      };
    },
  });
}

/** Mentions that withhold the entity as it is now. */
function noticeFor(
  plugin: PlanPlugin,
  context: CallContext,
  dir: string,
  { type, file, document: { source } }: ChangedEntity,
): ReturnType<typeof mentionNotice> {
  if (!isTask({ type })) return {};
  const plan = lastPlan(context, dir, plugin);
  return mentionNotice(plan, itemFrom(plan, plugin, source, file));
}

/** Whoever lost an item to another clone learns it before finishing it. */
async function confirmFinish(
  plugin: PlanPlugin,
  context: CallContext,
  { id, dir }: Input,
  status: string | undefined,
): Promise<Confirmation | undefined> {
  if (context.project.remote === undefined || status === undefined) return undefined;
  const item = (await openPlan(context, dir, plugin)).find(id);
  if (item === undefined || !isFinished(item.type, status, true)) return undefined;
  return await requireOwnClaims(context, [{ id: item.id, assignee: ownerOf(item) }]);
}

/**
 * The edits of a call. Sections come first, so that the call can tick criteria in them; numbers
 * refer to the criteria after that.
 */
function editsOf(input: Input, cwd: string): Edit[] {
  const edits: Edit[] = [];
  const { title, sections = {}, append = {}, check, uncheck, criteria = {} } = input;
  if (title !== undefined) edits.push({ kind: "title", text: title });
  for (const kind of ["section", "append"] as const) {
    for (const [heading, text] of Object.entries(kind === "section" ? sections : append)) {
      edits.push({ kind, heading, text });
    }
  }
  if (uncheck !== undefined) edits.push({ kind: "uncheck", which: pickOf(uncheck) });
  if (check !== undefined) edits.push({ kind: "check", which: pickOf(check) });
  if (criteria.remove !== undefined) {
    edits.push({ kind: "remove", which: pickOf(criteria.remove) });
  }
  if (criteria.add !== undefined) edits.push({ kind: "addCriteria", texts: criteria.add });
  if (input.dependsOn !== undefined) edits.push({ kind: "dependsOn", ids: input.dependsOn });
  const text = resolutionText(cwd, input.resolve, input.resolveFile);
  if (text !== undefined) edits.push({ kind: "resolve", text });
  return edits;
}

function pickOf(given: string | number | readonly (string | number)[]): CriterionPick {
  if (given === "all") return "all";
  // The listed schema has texts only, because some models reject a choice of types.
  return [given].flat().map((one) => /^\d+$/.test(String(one)) ? Number(one) : one);
}

/** The attributes that a call sets: named arguments override `attrs`. */
function attributesOf(input: Input): Record<string, string> {
  const attributes = { ...input.attrs };
  for (const [name, value] of Object.entries(input)) {
    if (Object.hasOwn(ATTRIBUTES, name) && typeof value === "string") attributes[name] = value;
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
  throw new RefraktError("NOT_FOUND", `No such file: ${JSON.stringify(resolveFile)}`, {
    hint: 'Pass "resolveFile" as a path inside the project, or the text in "resolve".',
  });
}

/** The changes: a ticked criterion with its text once, or one count if all were ticked. */
function shown(
  changes: ChangedEntity["changes"],
  isAll: boolean,
): z.infer<typeof Output>["changes"] {
  const isTick = (change: typeof changes[number]) =>
    change.field === "criterion" && change.old.startsWith("[ ]") && change.new.startsWith("[x]");
  const ticks = isAll ? changes.filter(isTick) : [];
  const total = ticks.length === 0
    ? []
    : [{ field: "criteria", old: `${ticks.length} open`, new: "all checked" }];
  return changes.filter((change) => !ticks.includes(change)).map((change) => {
    if (change.field !== "criterion") return { ...change };
    const old = change.new === "" ? shortened(change.old) : change.old.slice(0, "[x]".length);
    return { ...change, old, new: shortened(change.new) };
  }).concat(total);
}

function shortened(text: string): string {
  return text.length > MAX_CRITERION ? `${text.slice(0, MAX_CRITERION).toWellFormed()}…` : text;
}

/** Warns about contradictions in the changed entity. */
function warningsFor(
  plugin: PlanPlugin,
  cwd: string,
  dir: string,
  { document: { entity }, changes }: ChangedEntity,
  open: number,
): string[] {
  const warnings: string[] = [];
  const { status = "", milestone = "" } = entity.attributes;
  if (isDone(status)) {
    if (open > 0) warnings.push(`${status} with ${open} open criteria`);
    if (entity.resolution === undefined) warnings.push(`${status} without a resolution`);
  }
  if (milestone !== "" && changes.some(({ field }) => field === "milestone")) {
    const [known] = plugin.storeOf(cwd, dir).last().allOf(milestone);
    if (known?.entity.type !== "milestone") {
      warnings.push(`The plan has no milestone "${milestone}"`);
    }
  }
  return warnings;
}
