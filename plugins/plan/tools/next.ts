/**
 * `plan.next`: what to take up. The plugin decides what is ready; here it gets the
 * titles that belong to it, and what it withholds gets its reason.
 *
 * @module
 */

import { z } from "zod";
import type { CliPluginCommand } from "../../../src/tools/plugin.ts";
import { askPlugin, type PlanPlugin } from "../commands.ts";
import {
  type Item,
  type Named,
  namedItems,
  openPlan,
  pathOf,
  type PlanView,
  rowOf,
  uriOf,
} from "../queries/access.ts";
import { type Blocker, blockersOf } from "../queries/dependencies.ts";
import { isReady } from "../queries/lifecycle.ts";
import { attributeValues, checkValues } from "../queries/values.ts";
import { detailArgument, dirArgument, namedEntities, planCommand, READS } from "./command.ts";

/** How many withheld items are explained. */
const EXPLAINED = 12;

const Input = z.strictObject({
  type: z.enum(["work", "bug", "all"]).optional(),
  milestone: z.string().optional(),
  tag: z.string().optional(),
  assignee: z.string().optional(),
  count: z.int().min(1).max(100).optional().describe("Default 1"),
  explain: z.boolean().optional().describe("Why ready items are withheld"),
  detail: detailArgument(),
  dir: dirArgument(),
});

const Output = z.object({
  items: z.array(z.object({
    id: z.string(),
    title: z.string().optional(),
    type: z.string(),
    priority: z.string(),
    complexity: z.string(),
    file: z.string(),
    criteria: z.array(z.object({ text: z.string(), checked: z.boolean() })),
    refs: z.array(z.string()),
    references: namedEntities(),
  })),
  withheld: z.int().optional(),
  withheldItems: z.array(z.object({ id: z.string(), reason: z.string() })).optional(),
});

type Answer = z.infer<typeof Output>;

/** One item as the plugin gives it. */
type PluginItem = Omit<Answer["items"][number], "references"> & {
  attributes: Record<string, string>;
};

/** Declares `plan.next`. */
export function nextCommand(plugin: PlanPlugin): CliPluginCommand {
  return planCommand({
    name: "next",
    title: "Next work item",
    description:
      "What to take up: ready work items and bugs whose dependencies are done, the most " +
      "important first.",
    annotations: READS,
    input: Input,
    output: Output,
    run: async (input, context): Promise<Answer> => {
      const { explain = false, detail, dir, ...filters } = input;
      const plan = await openPlan(context, dir, plugin);
      for (const name of ["milestone", "tag", "assignee"] as const) {
        if (filters[name] !== undefined) checkValues(plan, name, filters[name]);
      }
      const ask = (more: Record<string, unknown>) =>
        askPlugin<{ items: PluginItem[] }>(plugin, "next", { ...filters, ...more }, plan, context);
      if (detail === "full") return await ask({});
      const { count = 1, ...scope } = filters;
      const { offered, withheld } = await plan.state.derived(
        `next ${JSON.stringify(scope)}`,
        async () => {
          const { items } = await ask({ count: plan.items.length + 1 });
          const ids = new Set(items.map(({ id }) => id));
          const others = plan.items.filter((item) =>
            isReady(item.type, item.status) && passes(item, scope) && !ids.has(item.id)
          );
          return { offered: items, withheld: others };
        },
      );
      return {
        items: offered.slice(0, count).map((item) => described(plan, item)),
        withheld: withheld.length,
        ...(explain
          ? {
            withheldItems: withheld.slice(0, EXPLAINED).map((item) => ({
              ...rowOf(item),
              reason: reasonFor(blockersOf(plan, item)),
            })),
          }
          : {}),
      };
    },
  });
}

/** An item with the titles of what it refers to, its attributes without what is said already. */
function described(plan: PlanView, item: PluginItem): Answer["items"][number] {
  const found = plan.find(item.id);
  const { attributes, ...rest } = item;
  const { id: _id, status: _status, priority: _priority, complexity: _complexity, ...others } =
    attributes;
  const kept = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== ""));
  const references: Named[] = namedItems(plan, item.refs);
  return {
    ...rest,
    ...(Object.keys(kept).length === 0 ? {} : { attributes: kept }),
    ...(references.length === 0 ? {} : { references }),
    ...(found === undefined ? {} : { path: pathOf(plan, found), uri: uriOf(found) }),
  };
}

function passes(
  item: Item,
  { type = "all", milestone, tag, assignee }: {
    type?: string | undefined;
    milestone?: string | undefined;
    tag?: string | undefined;
    assignee?: string | undefined;
  },
): boolean {
  if (type !== "all" && item.type !== type) return false;
  return Object.entries({ milestone, tag, assignee }).every(([name, value]) =>
    value === undefined || attributeValues(item, name).includes(value)
  );
}

/** Why the plugin withholds a ready item. */
function reasonFor(blockers: readonly Blocker[]): string {
  if (blockers.length === 0) {
    return "The plan plugin withholds it; plan.get shows what it refers to";
  }
  const list = blockers.map(({ id, status }) => `${id} is ${status || "without status"}`).join(
    ", ",
  );
  return blockers[0]!.from === "dependencies"
    ? `It depends on what is not done: ${list}`
    : `${list}, and the item has no Dependencies section, so every reference counts`;
}
