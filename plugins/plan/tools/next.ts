/**
 * `plan.next`: what to take up. The plugin decides what is ready; the answer adds titles, and why
 * other items are withheld.
 *
 * @module
 */

import { z } from "zod";
import type { CliPluginCommand, McpHandlerContext } from "../../../src/tools/plugin.ts";
import { askPlugin, type PlanPlugin } from "../commands.ts";
import {
  type Item,
  namedItems,
  openPlan,
  pathOf,
  type PlanView,
  rowOf,
  uriOf,
} from "../queries/access.ts";
import { lookAhead } from "../queries/ahead.ts";
import { blockersOf, withheldBy } from "../queries/dependencies.ts";
import { fieldTexts } from "../queries/fields.ts";
import { isDropped, isReady } from "../queries/lifecycle.ts";
import { checkValues } from "../queries/values.ts";
import {
  detailArgument,
  dirArgument,
  namedEntities,
  namedEntity,
  planCommand,
  READS,
} from "./command.ts";

/** How many withheld items are explained. */
const EXPLAINED = 12;

const Input = z.strictObject({
  type: z.enum(["work", "bug", "all"]).optional(),
  milestone: z.string().optional(),
  tag: z.string().optional(),
  assignee: z.string().optional(),
  count: z.int().min(1).max(100).optional().describe("Default 1"),
  explain: z.boolean().optional().describe("Why ready items are withheld"),
  ahead: z.int().min(1).max(100).optional().describe("Steps: what becomes available after what"),
  detail: detailArgument(),
  dir: dirArgument(),
});

/** What `ahead` adds. */
const AHEAD = {
  ahead: z.array(z.object({
    ...namedEntity,
    step: z.int(),
    after: z.array(z.string()),
    reason: z.string(),
  })).optional(),
  longestChain: namedEntities(),
  cycles: z.array(z.array(z.string())).optional().describe("Each waits for the next"),
  behindCycles: z.array(z.string()).optional(),
  leftOut: z.array(z.string()).optional(),
};

const Output = z.object({
  items: z.array(z.object({
    ...namedEntity,
    type: z.string(),
    priority: z.string(),
    complexity: z.string(),
    file: z.string().optional(),
    criteria: z.array(z.object({ text: z.string(), checked: z.boolean() })).optional(),
    refs: z.array(z.string()).optional(),
    attributes: z.record(z.string(), z.string()).optional(),
    references: namedEntities(),
    path: z.string().optional(),
    uri: z.string().optional(),
  })),
  withheld: z.int().optional(),
  withheldItems: z.array(z.object({
    ...namedEntity,
    blockedBy: z.array(z.string()).optional(),
    withheldBy: z.array(z.string()).optional(),
    reason: z.string(),
  })).optional(),
  ...AHEAD,
});

type Answer = z.infer<typeof Output>;

/** One item as the plugin gives it. */
interface PluginItem {
  id: string;
  title: string;
  type: string;
  priority: string;
  complexity: string;
  file: string;
  criteria: { text: string; checked: boolean }[];
  refs: string[];
  attributes: Record<string, string>;
}

/** What items are asked for. */
type Scope = Pick<z.infer<typeof Input>, "type" | "milestone" | "tag" | "assignee">;

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
      const { explain = false, ahead, detail, dir, count = 1, ...scope } = input;
      const plan = await openPlan(context, dir, plugin);
      for (const name of ["milestone", "tag", "assignee"] as const) {
        if (scope[name] === undefined) continue;
        checkValues(plan, name === "tag" ? "tags" : name, scope[name]);
      }
      const later = ahead === undefined
        ? {}
        : lookAhead(plan, (item) => isIn(plan, item, scope), ahead);
      if (detail === "full") {
        const answer = await askPlugin<Answer>(plugin, "next", { ...scope, count }, plan, context);
        return { ...answer, ...later };
      }
      const { offered, withheld } = await readyItems(plugin, plan, scope, context);
      const shape = detail === "short" ? shortRow : described;
      return {
        items: offered.slice(0, count).map((item) => shape(plan, item)),
        withheld: withheld.length,
        ...(explain
          ? { withheldItems: withheld.slice(0, EXPLAINED).map((item) => explained(plan, item)) }
          : {}),
        ...later,
      };
    },
  });
}

/** The ready items: those that the plugin offers, in its order, and those that it withholds. */
export function readyItems(
  plugin: PlanPlugin,
  plan: PlanView,
  scope: Scope,
  context: McpHandlerContext,
): Promise<{ offered: PluginItem[]; withheld: Item[] }> {
  return plan.state.derived(`next ${JSON.stringify(scope)}`, async () => {
    const input = { ...scope, count: plan.items.length + 1 };
    // Nothing waits for what was cancelled; the plugin knows only "done" for that.
    const entities = plan.state.entities.map((entity) =>
      isDropped(entity.attributes["status"] ?? "")
        ? Object.create(entity, { attributes: { value: { ...entity.attributes, status: "done" } } })
        : entity
    );
    const { items: offered } = await askPlugin<{ items: PluginItem[] }>(
      plugin,
      "next",
      input,
      plan,
      context,
      entities,
    );
    const ids = new Set(offered.map(({ id }) => id));
    const withheld = plan.items.filter((item) =>
      isReady(item.type, item.status) && isIn(plan, item, scope) && !ids.has(item.id)
    );
    return { offered, withheld };
  });
}

function isIn(plan: PlanView, item: Item, { type = "all", tag, ...scope }: Scope): boolean {
  if (type !== "all" && item.type !== type) return false;
  return Object.entries({ ...scope, tags: tag }).every(([name, value]) =>
    value === undefined || fieldTexts(plan, item, name).includes(value)
  );
}

function shortRow(
  plan: PlanView,
  { id, title, type, priority, complexity }: PluginItem,
): Answer["items"][number] {
  const found = plan.find(id);
  return {
    id,
    title,
    type,
    priority,
    complexity,
    ...(found === undefined ? {} : { path: pathOf(plan, found) }),
  };
}

/** An item with the titles of what it refers to, its attributes without what is said already. */
function described(plan: PlanView, item: PluginItem): Answer["items"][number] {
  const found = plan.find(item.id);
  const { attributes, ...rest } = item;
  const { id: _id, status: _status, priority: _priority, complexity: _complexity, ...others } =
    attributes;
  const kept = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== ""));
  const references = namedItems(plan, item.refs);
  return {
    ...rest,
    ...(Object.keys(kept).length === 0 ? {} : { attributes: kept }),
    ...(references.length === 0 ? {} : { references }),
    ...(found === undefined ? {} : { path: pathOf(plan, found), uri: uriOf(found) }),
  };
}

/** Why a ready item is withheld: by what blocks it, and by what else the plugin counts. */
function explained(plan: PlanView, item: Item) {
  const [blockers, others] = [blockersOf(plan, item), withheldBy(plan, item)];
  const listOf = (items: readonly Item[]) =>
    items.map(({ id, status }) => `${id} is ${status || "without status"}`).join(", ");
  const reasons = [
    blockers.length === 0 ? "" : `It depends on what is not done: ${listOf(blockers)}`,
    others.length === 0
      ? ""
      : others.some(({ id }) => item.entity.dependencies?.some((one) => one.id === id))
      ? `The plan plugin counts only done and fixed: ${listOf(others)}`
      : `${listOf(others)}, and the item has no Dependencies section, so every reference counts`,
  ].filter((reason) => reason !== "");
  const ids = (items: readonly Item[]) => items.map(({ id }) => id);
  return {
    ...rowOf(item),
    ...(blockers.length === 0 ? {} : { blockedBy: ids(blockers) }),
    ...(others.length === 0 ? {} : { withheldBy: ids(others) }),
    reason: reasons.join("; ") || "The plan plugin withholds it; plan.get shows what it refers to",
  };
}
