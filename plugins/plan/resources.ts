/** The plan as resources, which are read-only. */

import { quoted, quotedName, withEscapes } from "../../src/plain_text.ts";
import { didYouMean, RefraktError } from "../../src/errors.ts";
import type { CallContext } from "../../src/plugin/context.ts";
import type { Resource } from "../../src/plugin/resource.ts";
import { DEFAULT_BUDGET } from "../../src/plugin/result.ts";
import { unknownIdHint } from "./store/problems.ts";
import { ENTITY_TYPES, isEntityType } from "./entity/types.ts";
import type { Entity } from "./entity/entity.ts";
import { openPlan, type PlanView, sourceOf, uriOf } from "./queries/access.ts";
import { pageOf } from "./queries/select.ts";
import { existingPlan } from "./store/place.ts";
import { planStatus, readPrime } from "./queries/status.ts";
import { unreadableIn } from "./store/problems.ts";

export const planResources: readonly Resource[] = [
  {
    uri: "refrakt://plan/index",
    name: "plan-index",
    title: "Plan index",
    description: "The entities of the plan: id, type, status, title, file, milestone and " +
      "source; next is the URI of the next part.",
    mimeType: "application/json",
    requires: ["plan"],
    query: ["cursor"],
    read: async ({ cursor }, context) => ({
      data: indexPart(await planIn(context), cursor, context.budget ?? DEFAULT_BUDGET),
    }),
  },
  {
    uri: "refrakt://plan/{type}/{id}",
    name: "plan-entity",
    title: "Plan entity",
    description: "The Markdoc source of one entity, by type and id; a milestone by its " +
      "name, such as refrakt://plan/milestone/v1.0.0.",
    mimeType: "text/markdown",
    requires: ["plan"],
    complete: async (parameter, value, context, { type: kind }) => {
      const { entities } = parameter === "type" ? { entities: [] } : await planIn(context);
      const ids = parameter === "type"
        ? ENTITY_TYPES
        : entities.flatMap(({ id, type }) => kind === undefined || type === kind ? id : []);
      const typed = withEscapes(value.toLowerCase());
      return ids.filter((id) => withEscapes(id.toLowerCase()).startsWith(typed));
    },
    read: async ({ type, id }, context) => {
      const plan = await planIn(context);
      return { text: sourceOf(plan, entityAt(plan, type!, id!)) };
    },
  },
  {
    uri: "refrakt://prime",
    name: "prime",
    title: "Where work stands",
    description: "What is in progress and whose, its open criteria and newest note, what has " +
      "changed, what is next: read it when a session begins.",
    mimeType: "text/markdown",
    requires: ["plan"],
    read: async (_params, context) => ({
      text: await readPrime(await existingPlan(context)),
    }),
  },
  {
    uri: "refrakt://plan/status",
    name: "plan-status",
    title: "Plan status",
    description: "A summary of the plan; the same as plan_status.",
    mimeType: "application/json",
    requires: ["plan"],
    read: async (_params, context) => ({ data: await planStatus(await planIn(context), {}) }),
  },
];

async function planIn(context: CallContext): Promise<PlanView> {
  return await openPlan(await existingPlan(context));
}

/** Space for the text around the rows, in characters. */
const AROUND_ROWS = 200;

/** Returns the rows of the index that fit, and the address of the next part. */
function indexPart({ entities, store }: PlanView, cursor: string | undefined, budget: number) {
  const unreadable = unreadableIn(store);
  const { items: rest } = pageOf(entities, entities.length, cursor);
  let size = AROUND_ROWS + (unreadable?.length ?? 0);
  const rows = rest.map(({ id, type, title, file, attributes }) => ({
    id,
    type,
    status: attributes["status"] ?? null,
    title,
    file,
    milestone: attributes["milestone"] || undefined,
    source: attributes["source"] || undefined,
  }));
  const over = rows.findIndex((row) => (size += JSON.stringify(row).length + 1) > budget);
  const fitting = over === -1 ? rows : rows.slice(0, Math.max(over, 1));
  const next = entities.length - rest.length + fitting.length;
  return {
    entities: fitting,
    total: entities.length,
    unreadable,
    next: next < entities.length ? `refrakt://plan/index?cursor=${next}` : undefined,
  };
}

function entityAt(plan: PlanView, type: string, id: string): Entity {
  if (!isEntityType(type)) {
    throw new RefraktError("NOT_FOUND", `Unknown entity type: ${quoted(type)}`, {
      hint: `${didYouMean(type, ENTITY_TYPES)} The types are ${ENTITY_TYPES.join(", ")}.`.trim(),
    });
  }
  const all = plan.allOf(plan.spelled(id));
  const entity = all.find((each) => each.type === type);
  if (entity !== undefined) return entity;
  throw new RefraktError("NOT_FOUND", `No ${type} ${quotedName(id)} in the plan`, {
    hint: all[0] === undefined
      ? unknownIdHint(plan.store, id)
      : `${quotedName(id)} is a ${all[0].type}: read ${uriOf({ id, type: all[0].type })}.`,
  });
}
