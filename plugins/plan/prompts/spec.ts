/**
 * `plan_spec`: write a specification.
 *
 * @module
 */

import { draftEntity } from "../create.ts";
import type { Item } from "../queries/access.ts";
import { readBodies, searchText } from "../queries/search.ts";
import { checkTitle } from "../values.ts";
import { embed, type PlanPrompt, say } from "./messages.ts";

/** How many related specs and decisions are shown. */
const RELATED = 3;

/** Shorter words of a title are not searched for. */
const MIN_WORD = 5;

/** The prompt. */
export const spec: PlanPrompt = {
  name: "plan_spec",
  title: "Write a spec",
  description: "The next id, the template, and the specs and decisions that are related.",
  arguments: [{ name: "title", description: "What it is about", required: true }],
  messages: async ({ plugin, plan, context }, { title: given = "" }) => {
    const title = checkTitle(given);
    const { id, template } = await draftEntity(plugin, context, {
      dir: plan.dir,
      type: "spec",
      title,
      attributes: {},
      edits: [],
    });
    const candidates = plan.items.filter(({ type }) => type === "spec" || type === "decision");
    const bodies = await readBodies(plan);
    const words = title.match(/[\p{L}\p{N}]+/gu)?.filter((word) => word.length >= MIN_WORD) ?? [];
    const scores = new Map<Item, number>();
    for (const word of words) {
      for (const { item, score } of searchText(bodies, candidates, word)) {
        scores.set(item, (scores.get(item) ?? 0) + score);
      }
    }
    const related = [...scores].sort(([, a], [, b]) => b - a).slice(0, RELATED);
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
      ...related.map(([item]) => embed(plan, item)),
    ];
  },
};
