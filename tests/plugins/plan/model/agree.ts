/** What every tool says of a plan must be what its files say, and what the others say. */

import assert from "node:assert/strict";
import { itemsOf } from "../../../support/rows.ts";
import { assigneeOf, bareDependenciesOf, blockersOf, criteriaOf, dependenciesOf } from "./plan.ts";
import { type Entity, isFinished, isFree, isReady, isTask, milestoneOf } from "./plan.ts";
import { type Plan, progressOf, ratioOf, readEntity, statusOf, words } from "./plan.ts";
import type { History, World } from "./world.ts";

// deno-lint-ignore no-explicit-any -- answers of tools, which are checked against their schemas
type Data = any;

/** Words of a text, without white space. */
const plain = (text: string) => text.replace(/\s+/g, " ").trim();
const filled = (all: object) =>
  Object.entries(all).filter(([, value]) => value !== "" && value !== undefined);
const idsOf = (all: readonly { id: string }[] = []) => all.map(({ id }) => id);

/** An entity without its file and the order of its sections, which tools choose. */
function canonical({ file: _file, ...entity }: Entity): string {
  const sections = entity.sections.map(({ heading, text }) => [heading.toLowerCase(), plain(text)]);
  const attributes = filled(entity.attributes).sort();
  return JSON.stringify({ ...entity, attributes, sections: sections.sort() });
}

/** Two plans have the same entities. */
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
const QUESTIONS = [lists, texts, numbers, tables, problems, past];

/** Throws if a tool contradicts the files; after a step, some of them are asked, in turn. */
export async function agree(world: World, at?: number): Promise<void> {
  const some = QUESTIONS.filter((_, index) => at === undefined || index % 3 === at % 3);
  await Promise.all(some.map((ask) => ask(world)));
}

async function lists(world: World): Promise<void> {
  const fields = words("type assignee milestone criteria dependencies blockedBy path");
  const items = itemsOf(await world.ok("plan_list", { fields, limit: 1000 }));
  const orNothing = (ids: readonly string[]) => ids.length === 0 ? undefined : ids;
  const expected = world.plan.map((entity) => ({
    id: entity.id,
    title: entity.title,
    status: statusOf(entity),
    type: entity.type,
    assignee: assigneeOf(entity),
    milestone: milestoneOf(entity),
    criteria: ratioOf(entity),
    dependencies: orNothing(dependenciesOf(entity)),
    blockedBy: orNothing(blockersOf(entity, world.plan)),
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

/** What is offered, withheld, in progress, blocked and done. */
async function numbers(world: World): Promise<void> {
  const { plan } = world;
  const [next, status] = await Promise.all([
    world.ok("plan_next", { count: 100, explain: true }),
    world.ok("plan_status"),
  ]);
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
  const rowsOf = async (sql: string): Promise<Data[][]> =>
    (await world.ok("refrakt_query", { sql, limit: 1000 })).rows;
  const entities = await rowsOf(
    "SELECT id, status, finished, open, done, offered, items, items_done FROM entities",
  );
  const offered = idsOf(offersOf(world).offered);
  same(
    entities.map(([id, status, finished, open, done, isOffered, items, itemsDone]) => [
      ...[id, status, finished, open, done, isOffered],
      ...plan.find((each) => each.id === id)?.type === "milestone" ? [itemsDone, items] : [],
    ]),
    plan.map((entity) => [
      ...[entity.id, statusOf(entity), Number(isFinished(entity))],
      criteriaOf(entity).filter(({ checked }) => !checked).length,
      criteriaOf(entity).filter(({ checked }) => checked).length,
      Number(offered.includes(entity.id)),
      ...entity.type === "milestone" ? progressOf(entity, plan) : [],
    ]),
    "refrakt_query has the entities",
  );
  // What an entity says of itself is no reference.
  const pairs = plan.flatMap((entity) => dependenciesOf(entity).map((id) => [entity.id, id]))
    .filter(([from, to]) => from !== to);
  const refs = await rowsOf("SELECT id, to_id FROM refs WHERE kind = 'depends'");
  same(refs, pairs, "refrakt_query has the dependencies");
}

/** What is wrong, and the id that is free. */
async function problems(world: World): Promise<void> {
  const { plan, history } = world;
  const [validated, { nextId }] = await Promise.all([
    world.ok("plan_validate", { detail: "full" }),
    world.ok("plan_next_id", { type: "work" }),
  ]);
  const { issues = [], exitCode, counts } = validated;
  assert.equal(exitCode, counts.errors > 0 ? 1 : 0);
  same(
    issues.filter(({ type }: Data) => type === "uncounted-dependency")
      .map(({ source, target }: Data) => [source, target]),
    plan.flatMap((entity) => bareDependenciesOf(entity, plan).map((id) => [entity.id, id])),
    "plan_validate names what does not count",
  );
  const ids = new Set([...idsOf(plan), ...history?.ids() ?? []]);
  assert.ok(!ids.has(nextId), `plan_next_id: ${nextId} is nobody's`);
}

/** Events lead to what HEAD has, and follow the file's names. */
async function past(world: World): Promise<void> {
  const { history } = world;
  if (history === undefined) return;
  const files = history.filesOf(history.head);
  for (const { id, file } of history.isMerged ? [] : world.plan.slice(0, 3)) {
    const entity = readEntity(file, files[file] ?? "");
    if (entity?.id === id) await eventsOf(world, history, entity);
  }
}

async function eventsOf(world: World, history: History, entity: Entity): Promise<void> {
  const { events } = await world.ok("plan_history", { id: entity.id, limit: 1000 });
  const values: Record<string, string> = {};
  for (const event of events.toReversed()) {
    Object.assign(values, event.initialAttributes);
    for (const { field, to } of event.attributeChanges ?? []) values[field] = to ?? "";
  }
  const { id: _id, name: _name, ...others } = values;
  same(filled(others), filled(entity.attributes), `plan_history leads to ${entity.id}`);
  const [before, after] = history.lastChangeOf(entity.file);
  const names = Object.keys(before).filter((file) =>
    readEntity(file, before[file]!)?.id === entity.id
  );
  if (names.length !== 1) return;
  const [name] = names;
  const isRenamed = name !== entity.file && after[name!] === undefined;
  assert.equal(events[0].renamedFrom, isRenamed ? name : undefined, `${entity.id} was ${name}`);
}
