/** The plan as resources, which are read-only. */

import { quoted, quotedName, withEscapes } from "../../src/plain_text.ts";
import { didYouMean, RefraktError } from "../../src/errors.ts";
import { planMissing } from "./store/plan_folder.ts";
import type { Project } from "../../src/plugin/project.ts";
import type { Resource } from "../../src/plugin/resource.ts";
import { DEFAULT_BUDGET } from "../../src/plugin/result.ts";
import { unknownIdHint } from "./store/failures.ts";
import { ENTITY_TYPES, isEntityType } from "./entity/types.ts";
import type { Entity } from "./entity/entity.ts";
import { openPlan, uriOf } from "./queries/access.ts";
import { readPrime } from "./queries/prime.ts";
import { pageOf } from "./queries/select.ts";
import { loadPlan } from "./store/loaded.ts";
import type { PlanStore } from "./store/mod.ts";
import { existingPlan } from "./store/place.ts";
import { planStatus } from "./queries/status.ts";
import { unreadableIn } from "./tool_parts/plan_tool.ts";

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
    read: async ({ cursor }, { project, signal, budget = DEFAULT_BUDGET }) => {
      const store = await storeOf(project);
      const entities = await store.entities(signal);
      return { data: indexPart(entities, unreadableIn(store), cursor, budget) };
    },
  },
  {
    uri: "refrakt://plan/{type}/{id}",
    name: "plan-entity",
    title: "Plan entity",
    description: "The Markdoc source of one entity, by type and id; a milestone by its " +
      "name, such as refrakt://plan/milestone/v1.0.0.",
    mimeType: "text/markdown",
    requires: ["plan"],
    complete: async (parameter, value, { project, signal }, others) => {
      const ids = parameter === "type"
        ? ENTITY_TYPES
        : (await (await storeOf(project)).entities(signal))
          .filter((entity) => others["type"] === undefined || entity.type === others["type"])
          .map((entity) => entity.id ?? "");
      const typed = withEscapes(value.toLowerCase());
      return ids.filter((id) => id !== "" && withEscapes(id.toLowerCase()).startsWith(typed));
    },
    read: async ({ type, id }, { project }) => {
      const store = await storeOf(project);
      return { text: store.source(await lookUp(store, type!, id!)) };
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
    read: async (_params, context) => {
      const plan = await openPlan(await existingPlan(context));
      return { data: await planStatus(plan, {}) };
    },
  },
];

async function storeOf(project: Project): Promise<PlanStore> {
  const { cwd, plan, planDir } = project;
  if (plan === null) throw planMissing(cwd, planDir);
  return (await loadPlan(project)).storeOf(project, plan.path);
}

/** Space for the text around the rows, in characters. */
const AROUND_ROWS = 200;

/** Returns the rows of the index that fit, and the address of the next part. */
function indexPart(
  entities: readonly Entity[],
  unreadable: string | undefined,
  cursor: string | undefined,
  budget: number,
) {
  const { items: rest } = pageOf(entities, entities.length, cursor);
  let size = AROUND_ROWS + (unreadable?.length ?? 0);
  const rows = rest.map(({ id, type, title, file, attributes }) => ({
    id: id ?? null,
    type,
    status: attributes["status"] ?? null,
    title: title ?? null,
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

async function lookUp(store: PlanStore, type: string, id: string): Promise<Entity> {
  if (!isEntityType(type)) {
    throw new RefraktError("NOT_FOUND", `Unknown entity type: ${quoted(type)}`, {
      hint: `${didYouMean(type, ENTITY_TYPES)} The types are ${ENTITY_TYPES.join(", ")}.`.trim(),
    });
  }
  const all = await store.allOf(id);
  const entity = all.find((each) => each.type === type);
  if (entity !== undefined) return entity;
  throw new RefraktError("NOT_FOUND", `No ${type} ${quotedName(id)} in the plan`, {
    hint: all[0] === undefined
      ? unknownIdHint(store, id)
      : `${quotedName(id)} is a ${all[0].type}: read ${uriOf({ id, type: all[0].type })}.`,
  });
}
