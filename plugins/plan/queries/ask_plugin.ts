/** Calls the commands of the loaded plugin. */

import { word, wordOrText } from "../../../src/plain_text.ts";
import type { PlanEntity } from "../entity/entity.ts";
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
  { plugin, context, state, store, dir }: PlanView,
  command: string,
  input: Readonly<Record<string, unknown>>,
  entities: readonly PlanEntity[] = state.entities,
): Promise<Answer> {
  // The commands read the criteria of every entity.
  await state.readDocuments();
  try {
    return await withScan(
      () => entities,
      () => plugin.original<Answer>(command)({ ...input, dir }, context),
    );
  } catch (error) {
    throw planFailure(command, error, store);
  }
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
  { state }: PlanView,
  issues: readonly Issue[],
): Issue[] {
  return issues.map((issue) => {
    const { source, target = "", message } = issue;
    const values = state.allOf(source).flatMap(({ entity }) => Object.values(entity.attributes));
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
