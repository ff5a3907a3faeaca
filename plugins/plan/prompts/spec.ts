/**
 * `plan_spec`: write a specification.
 *
 * @module
 */

import { RefraktError } from "../../../src/errors.ts";
import type { Prompt } from "../../../src/tools/prompt.ts";
import type { PlanPlugin } from "../commands.ts";
import { draftEntity } from "../create.ts";
import { type Hit, readBodies, searchText } from "../queries/search.ts";
import { checkTitle } from "../values.ts";
import { embed, ofPlan, say } from "./messages.ts";

/** How many related specs and decisions are shown. */
const RELATED = 3;

/** Declares the prompt. */
export function specPrompt(plugin: PlanPlugin): Prompt {
  return {
    name: "plan_spec",
    title: "Write a spec",
    description: "The next id, the template, and the specs and decisions that are related.",
    arguments: [{ name: "title", description: "What it is about", required: true }],
    requires: ["plan"],
    render: ({ title: given = "" }, context) =>
      ofPlan(plugin, context, async ({ plan, context: handler }) => {
        const title = checkTitle(given);
        const { id, template } = await draftEntity(plugin, handler, {
          dir: plan.dir,
          type: "spec",
          title,
          attributes: {},
          edits: [],
        });
        const candidates = plan.items.filter(({ type }) => type === "spec" || type === "decision");
        const bodies = await readBodies(plan);
        const related = relatedTo(title, (words) => searchText(bodies, candidates, words));
        return [
          say(
            `Write the spec "${title}". It becomes ${id}. Ask what is open, then create it with ` +
              `plan.create (type spec, title, sections). Where it builds on a spec or decision, ` +
              `refer to it as {% ref "ID" /%}. Its template:\n\n${template.text}`,
          ),
          say(
            related.length === 0
              ? "No spec or decision of the plan has these words."
              : "These may be related:",
          ),
          ...related.slice(0, RELATED).map(({ item }) => embed(plan, item)),
        ];
      }),
  };
}

/** Hits for all words of a title, else for each of its longer words. */
function relatedTo(title: string, search: (words: string) => Hit[]): Hit[] {
  try {
    const all = search(title);
    if (all.length > 0) return all;
    const words = title.split(/\s+/).filter((word) => word.length > 4);
    return [...new Map(words.flatMap(search).map((hit) => [hit.item, hit])).values()];
  } catch (error) {
    if (error instanceof RefraktError) return [];
    throw error;
  }
}
