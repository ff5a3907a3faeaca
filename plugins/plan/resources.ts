/**
 * The plan as resources. Reading one changes nothing, on disk neither.
 *
 * @module
 */

import { join } from "node:path";
import { didYouMean, RefraktError } from "../../src/errors.ts";
import { requirePlan } from "../../src/project/plan.ts";
import type { Project } from "../../src/project/project.ts";
import type { Resource } from "../../src/surface/resource.ts";
import { COMMANDS, type Original } from "./commands.ts";
import { unknownIdHint } from "./failures.ts";
import { entityId, type PlanEntity, scanPlan } from "./scanner.ts";

const TYPES = ["bug", "decision", "milestone", "spec", "work"];

/** The resources of a plan that need no handler of the plugin. */
export const planResources: readonly Resource[] = [
  {
    uri: "refrakt://plan/index",
    name: "plan-index",
    title: "Plan index",
    description: "Every entity of the plan: id, type, status, title and file.",
    mimeType: "application/json",
    needs: ["plan"],
    read: (_params, { project }) => ({
      data: {
        entities: entitiesOf(project).map((entity) => ({
          id: entityId(entity) ?? null,
          type: entity.type,
          status: entity.attributes["status"] ?? null,
          title: entity.title ?? null,
          file: entity.file,
        })),
      },
    }),
  },
  {
    uri: "refrakt://plan/{type}/{id}",
    name: "plan-entity",
    title: "Plan entity",
    description: "The Markdoc source of one entity, by its type and exact id; a milestone by its " +
      "name, as refrakt://plan/milestone/v1.0.0.",
    mimeType: "text/markdown",
    needs: ["plan"],
    complete: (parameter, value, { project }, others) => {
      const ids = parameter === "type" ? TYPES : entitiesOf(project)
        .filter((entity) => others["type"] === undefined || entity.type === others["type"])
        .map((entity) => entityId(entity) ?? "");
      const typed = value.toLowerCase();
      return ids.filter((id) => id !== "" && id.toLowerCase().startsWith(typed));
    },
    fileOf: ({ type, id }, { project }) => {
      const entity = lookUp(project, type!, id!);
      return join(requirePlan(project).path, entity.file);
    },
    read: ({ type, id }, { project }) => {
      const entity = lookUp(project, type!, id!);
      return { text: Deno.readTextFileSync(join(requirePlan(project).path, entity.file)) };
    },
  },
];

/** The status as a resource: the same answer as `plan.status`, from the same handler. */
export function statusResource(original: Original): Resource {
  return {
    uri: "refrakt://plan/status",
    name: "plan-status",
    title: "Plan status",
    description: "The plan's health in short; the same as plan.status.",
    mimeType: "application/json",
    needs: ["plan"],
    read: async (_params, context) => ({
      data: await COMMANDS["status"]!.run({}, { ...context, cwd: context.project.cwd }, original),
    }),
  };
}

function entitiesOf(project: Project): PlanEntity[] {
  return scanPlan(project.cwd, requirePlan(project).path);
}

function lookUp(project: Project, type: string, id: string): PlanEntity {
  if (!TYPES.includes(type)) {
    throw new RefraktError("NOT_FOUND", `No such type of entity: "${type}"`, {
      hint: `${didYouMean(type, TYPES)} The types are ${TYPES.join(", ")}.`.trim(),
    });
  }
  const entities = entitiesOf(project);
  const found = entities.find((entity) => entity.type === type && entityId(entity) === id);
  if (found !== undefined) return found;
  const other = entities.find((entity) => entityId(entity) === id);
  throw new RefraktError("NOT_FOUND", `No ${type} "${id}" in the plan`, {
    hint: other === undefined
      ? unknownIdHint(project.cwd, requirePlan(project).path, id)
      : `"${id}" is a ${other.type}: read refrakt://plan/${other.type}/${encodeURIComponent(id)}.`,
  });
}
