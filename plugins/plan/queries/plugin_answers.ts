/** Asks the loaded plugin about a plan: any command, and the plan's problems. */

import { join } from "node:path";
import { countAndLimit, word, wordOrText } from "../../../src/plain_text.ts";
import { withInterceptor } from "../../../src/packages/stand_in_call.ts";
import type { Entity, TakenId } from "../entity/entity.ts";
import { withScan } from "../upstream/scans.ts";
import type { PlanView } from "./access.ts";
import { searchCycles } from "./waits.ts";
import type { Plan } from "../store/plan.ts";
import { type Issue, planFailure } from "../store/problems.ts";
import { isTask } from "../entity/lifecycle.ts";

/** How long a path the plugin's search for cycles may follow: it is recursive. */
const MOST_STEPS = 3000;
/** How many entities its findings may name in sum: each names all of a cycle. */
const MOST_CYCLE_NAMES = 50_000;

/**
 * Calls the plugin's handler and converts its errors to coded ones.
 *
 * @param input Only arguments that the plugin knows.
 * @param entities The entities that its scan of the plan returns.
 */
export async function askPlugin<Answer>(
  plan: PlanView,
  command: string,
  input: Readonly<Record<string, unknown>>,
  entities: readonly TakenId[] = plan.entities.map(scanned),
): Promise<Answer> {
  const { plugin, context, store, dir } = plan;
  try {
    return await withScan(
      () => entities,
      () => plugin.run<Answer>(command, { ...input, dir }, context),
    );
  } catch (error) {
    throw planFailure(command, error, store);
  }
}

/** An entity as the plugin's scan returns it: without a title, it has none. */
function scanned(entity: Entity): Entity {
  return entity.title === "" ? Object.create(entity, { title: {} }) : entity;
}

/** Asks the plugin for the problems of a plan. It reads no file and takes linear time. */
export async function pluginIssues(plan: PlanView, strict?: boolean) {
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
  return { ...answer, issues: answer.issues.concat(issue ?? []) };
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
  if (first !== undefined && steps <= MOST_STEPS && names <= MOST_CYCLE_NAMES) return { entities };
  const others = entities.map((entity): Entity =>
    Object.create(entity, {
      refs: { value: entity.refs.filter((id) => !tasks.has(id)) },
      dependencies: { value: entity.dependencies && [] },
    })
  );
  if (first === undefined) return { entities: others };
  const why = names > MOST_CYCLE_NAMES
    ? countAndLimit(names, "entities in all cycles", MOST_CYCLE_NAMES)
    : countAndLimit(steps, "entities in one path", MOST_STEPS);
  const message = `Circular dependencies are not listed: ${why}`;
  const { id: source, file } = first;
  const issue = { severity: "error", type: "circular-dependency", source, file, message };
  return { entities: others, issue };
}

/** The tasks that each task waits for, as the plugin's search sees them. */
function referencesBetween(tasks: ReadonlyMap<string, Entity>): Map<string, string[]> {
  const waitsFor = new Map<string, string[]>();
  const add = (from: string, to: string) => {
    if (tasks.has(from) && tasks.has(to)) waitsFor.getOrInsert(from, []).push(to);
  };
  for (const [id, { refs, dependencies }] of tasks) {
    for (const other of dependencies === undefined ? refs : []) add(id, other);
    for (const { id: other, direction } of dependencies ?? []) {
      if (direction === "blocks") add(other, id);
      else add(id, other);
    }
  }
  return waitsFor;
}

/** Shorter names, such as a dash, say nothing and may be a part of the sentence. */
const SHORT_NAME = 3;

/** The start of the plugin's sentence about a cycle, and the separator of its ids. */
const [CYCLE, NEXT] = ["Circular dependency: ", " → "];

/** Problems as the plugin reports them; ids and values in their sentences are quoted as in ours. */
export function quotedIssues(plan: Plan, issues: readonly Issue[]): Issue[] {
  const attributesOf = new Map(plan.entities.map(({ file, attributes }) => [file, attributes]));
  return issues.map((issue) => {
    const { source, file = "", target = "", message } = issue;
    if (message.startsWith(CYCLE)) {
      const ids = message.slice(CYCLE.length).split(NEXT);
      return { ...issue, message: CYCLE + ids.map(word).join(NEXT) };
    }
    const values = Object.values(attributesOf.get(file) ?? {});
    const quotes = new Map([
      [target, word(target)],
      ...values.map((value) => [value, wordOrText(value)] as const),
      [source, word(source)],
    ]);
    const names = [...quotes.keys()]
      .filter((name) => name.length > SHORT_NAME && name !== quotes.get(name))
      .sort((a, b) => b.length - a.length).map(RegExp.escape);
    if (names.length === 0) return issue;
    const pattern = new RegExp(`"(${names.join("|")})"|${names.join("|")}`, "g");
    const quoted = message.replace(pattern, (name, inQuotes) => quotes.get(inQuotes ?? name)!);
    return { ...issue, message: quoted };
  });
}
