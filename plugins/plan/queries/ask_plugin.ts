/** Calls the commands of the loaded plugin. */

import { word, wordOrText } from "../../../src/plain_text.ts";
import type { Entity, TakenId } from "../entity/entity.ts";
import { planFailure } from "../store/failures.ts";
import { withScan } from "../upstream/load.ts";
import type { PlanView } from "./access.ts";

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
  // The commands read the criteria of every entity.
  await plan.readAll();
  try {
    return await withScan(
      () => entities,
      () => plugin.original<Answer>(command)({ ...input, dir }, context),
    );
  } catch (error) {
    throw planFailure(command, error, store);
  }
}

/** An entity as the plugin's scan returns it: without a title, it has none. */
function scanned(entity: Entity): Entity {
  return entity.title === "" ? Object.create(entity, { title: {} }) : entity;
}

/** Shorter names, such as a dash, say nothing and may be a part of the sentence. */
const SHORT_NAME = 3;

interface Reported {
  readonly source: string;
  readonly target?: string | undefined;
  readonly message: string;
}

/** Problems as the plugin reports them; ids and values in their sentences are quoted as in ours. */
export function quotedIssues<Issue extends Reported>(
  plan: Pick<PlanView, "allOf">,
  issues: readonly Issue[],
): Issue[] {
  return issues.map((issue) => {
    const { source, target = "", message } = issue;
    const values = plan.allOf(source).flatMap(({ attributes }) => Object.values(attributes));
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
    return {
      ...issue,
      message: message.replace(pattern, (name, inQuotes) => quotes.get(inQuotes ?? name)!),
    };
  });
}
