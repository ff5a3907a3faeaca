/** The plan's problems as the plugin reports them. It reads no file and takes linear time. */

import { join } from "node:path";
import { countAndLimit } from "../../../src/plain_text.ts";
import { withInterceptor } from "../../../src/packages/stand_in_call.ts";
import type { Entity, TakenId } from "../entity/entity.ts";
import type { PlanView } from "./access.ts";
import { askPlugin } from "./ask_plugin.ts";
import { searchCycles } from "./cycles.ts";
import type { Issue } from "../store/problems.ts";
import { isTask } from "../entity/lifecycle.ts";

/** How long a path the plugin's search for cycles may follow: it is recursive. */
const MOST_STEPS = 3000;
/** How many entities its findings may name in sum: each names all of a cycle. */
const MOST_NAMED = 50_000;

/** Asks the plugin what is wrong with a plan. */
export async function pluginIssues(
  plan: PlanView,
  strict?: boolean,
): Promise<{ scanned: number; issues: Issue[] }> {
  const { entities, issue } = withoutHardCycles(plan.entities);
  // The plugin reads each file again only to count these headings.
  const headings = new Map(
    plan.entities.map(({ file, resolutions = 1 }) =>
      [join(plan.dir, file), "## Resolution\n".repeat(resolutions)] as const
    ),
  );
  const answer = await withInterceptor(
    { read: (path) => headings.get(path) },
    () => askPlugin<{ scanned: number; issues: Issue[] }>(plan, "validate", { strict }, entities),
  );
  return issue === undefined ? answer : { ...answer, issues: [...answer.issues, issue] };
}

/**
 * Removes the references between tasks if the plugin could not search them for cycles, and if it
 * would find none.
 */
function withoutHardCycles(
  entities: readonly Entity[],
): { entities: readonly TakenId[]; issue?: Issue } {
  const tasks = new Map(
    entities.filter((entity) => entity.hasId && isTask(entity)).map((task) => [task.id, task]),
  );
  const waitsFor = referencesBetween(tasks);
  let first: Entity | undefined;
  let names = 0;
  const steps = searchCycles(tasks.keys(), (id) => waitsFor.get(id) ?? [], (path, start) => {
    first ??= tasks.get(path[start]!);
    names += path.length - start;
  });
  if (first !== undefined && steps <= MOST_STEPS && names <= MOST_NAMED) return { entities };
  const others = entities.map((entity): Entity =>
    Object.create(entity, {
      refs: { value: entity.refs.filter((id) => !tasks.has(id)) },
      dependencies: { value: entity.dependencies && [] },
    })
  );
  if (first === undefined) return { entities: others };
  const why = names > MOST_NAMED
    ? countAndLimit(names, "entities in all cycles", MOST_NAMED)
    : countAndLimit(steps, "entities in one path", MOST_STEPS);
  return {
    entities: others,
    issue: {
      severity: "error",
      type: "circular-dependency",
      source: first.id,
      file: first.file,
      message: `Circular dependencies are not listed: ${why}`,
    },
  };
}

/** What each task waits for, as the plugin's search sees it. */
function referencesBetween(tasks: ReadonlyMap<string, Entity>): Map<string, string[]> {
  const waitsFor = new Map<string, string[]>();
  const add = (from: string, to: string) => {
    if (tasks.has(from) && tasks.has(to)) waitsFor.getOrInsert(from, []).push(to);
  };
  for (const [id, { refs, dependencies }] of tasks) {
    if (dependencies === undefined) refs.forEach((other) => add(id, other));
    for (const { id: other, direction } of dependencies ?? []) {
      if (direction === "blocks") add(other, id);
      else add(id, other);
    }
  }
  return waitsFor;
}
