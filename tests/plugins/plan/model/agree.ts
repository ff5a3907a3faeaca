/** What every tool says of a plan must be what its files say, and what the others say. */

import assert from "node:assert/strict";
import { itemsOf } from "../../../support/rows.ts";
import { assigneeOf, blockersOf, criteriaOf, dependenciesOf } from "./plan.ts";
import { type Entity, isFinished, isFree, isReady, isTask, milestoneOf } from "./plan.ts";
import { type Plan, progressOf, ratioOf, readPlan, statusOf, words } from "./plan.ts";
import type { World } from "./world.ts";

// deno-lint-ignore no-explicit-any -- answers of tools, which are checked against their schemas
type Data = any;

/** Words of a text, without white space. */
const plain = (text: string) => text.replace(/\s+/g, " ").trim();
const filled = (all: object) =>
  Object.entries(all).filter(([, value]) => value !== undefined && String(value) !== "");
const idsOf = (all: readonly { id: string }[] = []) => all.map(({ id }) => id);

/** An entity without its file and the order of its sections, which tools choose. */
function canonical({ file: _file, ...entity }: Entity): string {
  const sections = entity.sections.map(({ heading, text }) => [heading.toLowerCase(), plain(text)]);
  const attributes = filled(entity.attributes).sort();
  return JSON.stringify({ ...entity, attributes, sections: sections.sort() });
}

export function samePlan(actual: Plan, expected: Plan, what: string): void {
  assert.deepEqual(actual.map(canonical).sort(), expected.map(canonical).sort(), what);
}

/** Two lists have the same, in any order. */
function same(actual: Iterable<unknown>, expected: Iterable<unknown>, what: string): void {
  const sorted = (all: Iterable<unknown>) => [...all].map((each) => JSON.stringify(each)).sort();
  assert.deepEqual(sorted(actual), sorted(expected), what);
}

/** Ready items: those that are offered, and those that wait or are taken. */
function offersOf({ plan, history }: World) {
  const taken = history?.taken(plan) ?? new Set();
  const ready = plan.filter(isReady);
  const offered = ready.filter((item) => isFree(item, plan) && !taken.has(item.id));
  return { offered, withheld: ready.length - offered.length };
}

/** The questions, of which a step asks a part. */
const QUESTIONS = [lists, texts, numbers, tables, past];

/** Throws if a tool contradicts the files; after a step, some of them are asked, in turn. */
export async function agree(world: World, at?: number): Promise<void> {
  const some = QUESTIONS.filter((_, index) => at === undefined || index % 3 === at % 3);
  await Promise.all(some.map((ask) => ask(world)));
}

async function lists(world: World): Promise<void> {
  const fields = words("type assignee milestone criteria dependencies blockedBy path");
  const items = itemsOf(await world.ok("plan_list", { fields, limit: 1000 }));
  const expected = world.plan.map((entity) => ({
    id: entity.id,
    title: entity.title,
    status: statusOf(entity),
    type: entity.type,
    assignee: assigneeOf(entity),
    milestone: milestoneOf(entity),
    criteria: ratioOf(entity),
    dependencies: dependenciesOf(entity),
    blockedBy: blockersOf(entity, world.plan),
    path: `plan/${entity.file}`,
  }));
  const rows = items.map(({ rank: _rank, taken: _taken, ...row }: Data) => row);
  const sorted = (row: object) => filled(row).sort();
  same(rows.map(sorted), expected.map(sorted), "plan_list has the files");
}

/** `plan_get` shows every attribute, criterion and section. */
async function texts(world: World): Promise<void> {
  if (world.plan.length === 0) return;
  const fields = words("title attributes criteria sections resolution progress");
  const { items } = await world.ok("plan_get", { ids: idsOf(world.plan), fields });
  for (const [at, entity] of world.plan.entries()) {
    const { title, attributes = {}, criteria = [], sections = {}, progress }: Data = items[at];
    const { status: _status, ...others } = entity.attributes;
    assert.equal(title, entity.title);
    same(Object.entries(attributes), filled(others), `attributes of ${entity.id}`);
    const boxes = criteria.map(({ text, checked = false }: Data) => ({ text, checked }));
    assert.deepEqual(boxes, criteriaOf(entity), `criteria of ${entity.id}`);
    same(
      Object.values(sections as Record<string, string>).map(plain),
      entity.sections.map(({ text }) => plain(text)),
      `sections of ${entity.id}`,
    );
    const [done, total] = progressOf(entity, world.plan);
    const isCounted = entity.type === "milestone" && total > 0;
    if (isCounted) assert.match(progress, new RegExp(`^${done}/${total} items`), entity.id);
  }
}

/** What is offered, withheld, in progress, blocked and done, and the id that is free. */
async function numbers(world: World): Promise<void> {
  const { plan, history } = world;
  const [next, status, { nextId }] = await Promise.all([
    world.ok("plan_next", { count: 100, explain: true }),
    world.ok("plan_status"),
    world.ok("plan_next_id", { type: "work" }),
    world.ok("plan_validate"),
  ]);
  const ids = new Set([...idsOf(plan), ...history?.ids() ?? []]);
  assert.ok(!ids.has(nextId), `plan_next_id: ${nextId} is nobody's`);
  const { offered, withheld } = offersOf(world);
  same(idsOf(next.items), idsOf(offered), "plan_next offers what is ready and free");
  assert.equal(next.withheld, withheld, "plan_next counts the rest");
  assert.deepEqual(idsOf(status.ready), idsOf(next.items).slice(0, 5), "plan_status is plan_next");
  const tasks = plan.filter(isTask);
  const going = tasks.filter((item) => statusOf(item) === "in-progress");
  same(idsOf(status.inProgress), idsOf(going).slice(0, 10), "in progress");
  const blocked = tasks.filter((item) =>
    statusOf(item) === "blocked" || blockersOf(item, plan).length > 0
  );
  same(idsOf(status.blocked), idsOf(blocked).slice(0, 10), "blocked");
  for (const milestone of plan.filter(({ type }) => type === "milestone")) {
    const answer = await world.ok("plan_status", { milestone: milestone.id });
    const { done, total } = answer.milestone;
    assert.deepEqual([done, total], progressOf(milestone, plan), `plan_status ${milestone.id}`);
  }
}

async function tables(world: World): Promise<void> {
  const { plan } = world;
  const asked = async (sql: string, expected: readonly unknown[]) =>
    same((await world.ok("refrakt_query", { sql, limit: 1000 })).rows, expected, sql);
  const offered = idsOf(offersOf(world).offered);
  await asked(
    "SELECT id, status, finished, open, done, offered FROM entities",
    plan.map((entity) => [
      ...[entity.id, statusOf(entity), Number(isFinished(entity))],
      criteriaOf(entity).filter(({ checked }) => !checked).length,
      criteriaOf(entity).filter(({ checked }) => checked).length,
      Number(offered.includes(entity.id)),
    ]),
  );
  await asked(
    "SELECT id, items_done, items FROM entities WHERE type = 'milestone'",
    plan.filter(({ type }) => type === "milestone")
      .map((entity) => [entity.id, ...progressOf(entity, plan)]),
  );
  await asked(
    "SELECT id, to_id FROM refs WHERE kind = 'depends'",
    plan.flatMap((entity) => dependenciesOf(entity).map((id) => [entity.id, id])),
  );
}

/** Events lead to what HEAD has, also of a file that had other names. */
async function past(world: World): Promise<void> {
  const { history } = world;
  if (history === undefined) return;
  const files = history.filesOf(history.head);
  for (const { id, attributes, file } of history.isMerged ? [] : world.plan.slice(0, 3)) {
    if (world.files[file] !== files[file]) continue;
    const { events } = await world.ok("plan_history", { id, limit: 1000 });
    const values: Record<string, string> = {};
    for (const event of events.toReversed()) {
      Object.assign(values, event.initialAttributes);
      for (const { field, to } of event.attributeChanges ?? []) values[field] = to ?? "";
    }
    const { id: _id, name: _name, ...others } = values;
    same(filled(others), filled(attributes), `plan_history leads to ${id}`);
    const [first] = history.commits.keys();
    const plans = [...history.commits.values()].map((each) => readPlan(each.files));
    const isOld = plans.every((plan) => plan.some((each) => each.id === id));
    if (isOld) assert.equal(events.at(-1).hash, first, `${id} is as old as the plan`);
  }
}
