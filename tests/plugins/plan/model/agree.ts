/** What every tool says of a plan must be what its files say, and what the others say. */

import assert from "node:assert/strict";
import { MILESTONES } from "./arguments.ts";
import {
  blockersOf,
  criteriaOf,
  dependenciesOf,
  type Entity,
  isDone,
  isFinished,
  isFree,
  isReady,
  isResolved,
  isTask,
  keyOf,
  ownerOf,
  type Plan,
  problemsOf,
  ratioOf,
  readEntity,
  statusOf,
} from "./facts.ts";
import type { History } from "./history.ts";
import type { World } from "./world.ts";
import { itemsOf } from "../../../support/rows.ts";

// deno-lint-ignore no-explicit-any -- answers of tools, which are checked against their schemas
type Data = any;

/** Words of a text, without white space. */
const plain = (text: string) => text.replace(/\s+/g, " ").trim();
const filled = (all: object) => Object.entries(all).filter(([, value]) => value !== "");

/** An entity without the order of its sections, which tools choose. */
export function canonical({ file: _file, isClosed: _isClosed, ...one }: Entity) {
  const sections = one.sections.map(({ heading, text }) => [keyOf(heading), plain(text)]);
  const attributes = filled(one.attributes).sort();
  return JSON.stringify({ ...one, attributes, sections: sections.sort() });
}

/** Two plans have the same entities; files may have other names. */
export function samePlan(found: Plan, wanted: Plan): void {
  assert.deepEqual(found.map(canonical).sort(), wanted.map(canonical).sort());
}

/** Two lists have the same, in any order. */
export function same(found: Iterable<unknown>, wanted: Iterable<unknown>, what: string): void {
  const sorted = (all: Iterable<unknown>) => [...all].map((one) => JSON.stringify(one)).sort();
  assert.deepEqual(sorted(found), sorted(wanted), what);
}

/** Ready items: those that are offered, and those that wait or are taken. */
export function offersOf({ plan, history, claims }: World, assignee?: string) {
  const taken = history?.taken(plan, assignee) ?? new Map();
  const isTaken = ({ id }: Entity) => {
    const claim = claims.get(id);
    return taken.has(id) || claim !== undefined &&
        !(claim.isHere && (assignee ?? claim.owner) === claim.owner);
  };
  const ready = plan.filter(isReady);
  const offered = ready.filter((one) => isFree(one, plan) && !isTaken(one));
  return { offered, withheld: ready.length - offered.length };
}

const idsOf = (all: readonly { id: string }[] = []) => all.map(({ id }) => id);

/** Whether ids are unique, so that everything can be compared by id. */
export function isUnique({ plan }: World): boolean {
  return new Set(plan.map(({ id }) => id.toLowerCase())).size === plan.length;
}

const FIELDS = "type assignee milestone criteria dependencies blockedBy path modified".split(" ");

/** The parts of a check. */
const PARTS = 4;

/**
 * Throws if a tool contradicts the files. After the last step of a sequence everything is compared;
 * after each of the others a part, so that what servers keep meets the next change.
 */
export async function agree(world: World, isWhole = world.left === 0): Promise<void> {
  world.nextReader();
  const part = world.checks % PARTS;
  const has = (one: number) => isWhole || one === part;
  const isClear = isUnique(world) && world.plan.length > 0;
  // Calls at once, as clients make them; git's processes run side by side.
  await Promise.all([
    ...has(0) || !isClear ? [lists(world)] : [],
    ...isClear && has(1) ? [texts(world), world.history && past(world, world.history)] : [],
    ...isClear && (has(2) || has(3)) ? [unambiguous(world, has)] : [],
  ]);
}

/** Compares what does not need ids. */
async function lists(world: World): Promise<void> {
  const { plan } = world;
  const [list, review, next] = await Promise.all([
    world.ok("plan_list", { fields: FIELDS, limit: 1000 }),
    world.ok("plan_review"),
    world.ok("plan_next", { count: 100 }),
    fixesOf(world),
  ]);
  const unlessEmpty = (ids: readonly string[]) => ids.length === 0 ? undefined : ids;
  const double = doubled(plan);
  const about = (one: Entity) => ({
    id: one.id,
    title: one.title,
    status: statusOf(one) || undefined,
    type: one.type,
    assignee: ownerOf(one) || undefined,
    milestone: one.attributes["milestone"] || undefined,
    rank: isFinished(one, plan) || !isTask(one)
      ? undefined
      : one.attributes[one.type === "bug" ? "severity" : "priority"] || undefined,
    criteria: ratioOf(one),
    dependencies: unlessEmpty(dependenciesOf(one)),
    blockedBy: double.length === 0 ? unlessEmpty(blockersOf(one, plan)) : undefined,
    path: `plan/${one.file}`,
    modified: world.history?.modified(one.file, world.files[one.file]!),
  });
  const isKnown = (name: string, path: string) =>
    name !== "taken" && (name !== "blockedBy" || double.length === 0) &&
    (name !== "modified" || wanted.get(path)?.modified !== undefined);
  const wanted = new Map(plan.map(about).map((row) => [row.path, row]));
  const rowOf = (row: Data) =>
    Object.entries(row).filter(([name, value]) => value !== undefined && isKnown(name, row.path))
      .map((entry) => JSON.stringify(entry)).sort();
  same(itemsOf(list).map(rowOf), [...wanted.values()].map(rowOf), "plan_list has the files");
  const [first] = double.length > 0 ? [] : plan;
  for (const kind of first === undefined ? [] : Object.keys(problemsOf(first, plan))) {
    const found = (review.findings[kind] ?? []).map((line: string) => line.split(":")[0]);
    same(found, idsOf(plan.filter((one) => problemsOf(one, plan)[kind])), `plan_review ${kind}`);
  }
  const offered = idsOf(next.items).filter((id) => idsOf(double).includes(id));
  assert.deepEqual(offered, [], "of two with one id, none is offered");
}

const doubled = (plan: Plan) =>
  plan.filter((one, at) => plan.findIndex(({ id }) => id === one.id) < at);

/** The calls that correct problems, as `plan_validate` proposes them. */
export async function fixesOf(
  world: World,
): Promise<{ tool: string; arguments: Record<string, unknown> }[]> {
  const { groups = [], exitCode, counts } = await world.ok("plan_validate");
  const named = groups.filter(({ type }: Data) => type === "duplicate-id")
    .flatMap(({ ids }: Data) => ids);
  same(new Set(named), new Set(idsOf(doubled(world.plan))), "plan_validate names duplicates");
  assert.equal(exitCode, counts.errors > 0 ? 1 : 0);
  return groups.flatMap(({ fix }: Data) => fix ?? []);
}

/** Compares what ids tell. */
async function unambiguous(world: World, has: (part: number) => boolean): Promise<void> {
  const next = await world.ok("plan_next", { count: 100, explain: true });
  const { offered } = offersOf(world);
  world.offered = idsOf(world.history?.isCrossed === true ? next.items : offered);
  await Promise.all([
    ...has(2)
      ? [offers(world, next), offersIn(world, ["none", ...MILESTONES][world.said.length % 4]!)]
      : [],
    ...has(2) ? [cards(world)] : [],
    ...has(3) ? [tables(world), freeId(world), page(world)] : [],
  ]);
}

/** `plan_next_id` gives an id that nobody has. */
async function freeId(world: World): Promise<void> {
  const { nextId } = await world.ok("plan_next_id", { type: "work" });
  const used = new Set([...idsOf(world.plan), ...world.history?.ids() ?? [], ...world.reserved]);
  assert.ok(!used.has(nextId), `plan_next_id: ${nextId} is nobody's`);
}

/** The tables of `refrakt_query`. */
async function tables(world: World): Promise<void> {
  const { plan, history, foreign } = world;
  const rowsOf = async (sql: string): Promise<Data[][]> => {
    const { columns, rows } = await world.ok("refrakt_query", { sql: `${sql} LIMIT 1000` });
    return rows.map((row: Data) => Array.isArray(row) ? row : cellsOf(row, columns.length));
  };
  const [entities, criteria, refs] = await Promise.all([
    rowsOf("SELECT id, status, finished, open, done, offered, path, modified FROM entities"),
    rowsOf("SELECT id, n, text, checked FROM criteria"),
    rowsOf("SELECT id, to_id FROM refs WHERE kind = 'depends'"),
  ]);
  same(
    entities.map((row) => foreign.has(row[0]) ? row.slice(0, 5) : row.slice(0, 6)),
    plan.map((one) => [
      one.id,
      statusOf(one) || null,
      Number(isFinished(one, plan)),
      criteriaOf(one).filter(({ checked }) => !checked).length,
      criteriaOf(one).filter(({ checked }) => checked).length,
      ...foreign.has(one.id) ? [] : [Number(world.offered.includes(one.id))],
    ]),
    "refrakt_query has the entities",
  );
  for (const one of plan) {
    const day = history?.modified(one.file, world.files[one.file]!);
    const at = entities.find((row) => row[6] === `plan/${one.file}`)![7]?.slice(0, 10);
    assert.equal(at, day ?? at, `refrakt_query: ${one.id} is as of its commit`);
  }
  same(
    criteria,
    plan.flatMap((one) =>
      criteriaOf(one).map(({ text, checked }, at) => [one.id, at + 1, text, Number(checked)])
    ),
    "refrakt_query has the criteria",
  );
  same(
    refs,
    plan.flatMap((one) => dependenciesOf(one).map((id) => [one.id, id])),
    "refrakt_query has the dependencies",
  );
}

/** The cards of the board. */
async function cards(world: World): Promise<void> {
  const { plan, foreign } = world;
  const board = await world.call("plan_board", { show: "cards" });
  const { cards }: Data = board._meta?.["refrakt/board"] ?? {};
  assert.ok(Array.isArray(cards), `plan_board has cards: ${board.content[0].text}`);
  same(
    cards.map(({ id, title, status, type, criteria, offered = false }: Data) => [
      ...[id, title, status, foreign.has(id) || offered],
      type === "milestone" ? null : criteria?.join("/") ?? null,
    ]),
    plan.map((one) => [
      ...[one.id, one.title || one.id, statusOf(one)],
      foreign.has(one.id) || world.offered.includes(one.id),
      one.type === "milestone" ? null : ratioOf(one) ?? null,
    ]),
    "the board has the plan's cards",
  );
}

/** The board's page of one entity; of a milestone, if there is one: their names are like other words. */
async function page(world: World): Promise<void> {
  const { plan } = world;
  const chosen = plan.findLast(({ type }, at) => type === "milestone" || at === 0)!;
  const shownPage = await world.call("plan_board", { entity: chosen.id });
  const { sections }: Data = shownPage._meta?.["refrakt/board"] ?? {};
  assert.ok(sections !== undefined, `the board has a page of ${chosen.id}`);
  // Criteria and dependencies stand elsewhere on it.
  const wanted = chosen.sections.filter(({ text }) => text !== "" && !/^- /m.test(text));
  const shown = new Set(sections.map(({ name }: Data) => name.replace(/ \(\d\)$/, "")));
  const missing = wanted.filter(({ heading }) => !shown.has(heading || "description"));
  assert.deepEqual(missing, [], `the board's page of ${chosen.id} has its sections`);
}

/** `plan_get` shows every attribute, criterion and section. */
async function texts(world: World): Promise<void> {
  const fields = ["title", "attributes", "criteria", "sections", "resolution"];
  const { items } = await world.ok("plan_get", { ids: idsOf(world.plan), fields });
  for (const [at, one] of world.plan.entries()) compareTexts(one, items[at]);
}

function compareTexts(
  one: Entity,
  { title, attributes = {}, criteria = [], sections = {} }: Data,
): void {
  const { status: _status, ...others } = one.attributes;
  assert.equal(title, one.title);
  same(Object.entries(attributes), filled(others), `attributes of ${one.id}`);
  assert.deepEqual(
    criteria.map(({ text, checked = false }: Data) => ({ text, checked })),
    criteriaOf(one),
    `criteria of ${one.id}`,
  );
  same(
    Object.values(sections as Record<string, string>).map(plain),
    one.sections.flatMap(({ text }) => text === "" ? [] : plain(text)),
    `sections of ${one.id}`,
  );
}

/** What is offered, withheld, going on, blocked and done. */
async function offers(world: World, next: Data): Promise<void> {
  const status = await world.ok("plan_status");
  const { plan, history, foreign } = world;
  const shown = idsOf(next.items);
  const { offered, withheld } = offersOf(world);
  const isKnown = history?.isCrossed !== true;
  if (isKnown) {
    const known = (ids: readonly string[]) => ids.filter((id) => !foreign.has(id));
    same(known(shown), known(idsOf(offered)), "plan_next offers what is ready and free");
  }
  if (foreign.size === 0) {
    if (isKnown) assert.equal(next.withheld, withheld, "plan_next counts the rest");
    assert.deepEqual(idsOf(status.ready), shown.slice(0, 5), "plan_status and plan_next agree");
  }
  for (const { unchecked = "" } of [next]) {
    const isUnread = unchecked.includes("--allow-read");
    assert.equal(isUnread, history?.hasUnread ?? false, `what could not be read: ${unchecked}`);
  }
  const tasks = plan.filter(isTask);
  const going = tasks.filter((one) => statusOf(one) === "in-progress");
  same(idsOf(status.inProgress), idsOf(going).slice(0, 10), "in progress");
  const blocked = tasks.filter((one) =>
    statusOf(one) === "blocked" || blockersOf(one, plan).length > 0
  );
  same(idsOf(status.blocked), idsOf(blocked).slice(0, 10), "blocked");
  const done = tasks.filter((one) => isDone(one) && isResolved(one));
  assert.equal(status.totals?.done ?? status.done.length, done.length, "done, with a resolution");
}

/** What is offered of a milestone; of one that nobody has, nothing is. */
async function offersIn(world: World, milestone: string): Promise<void> {
  const { isError, structuredContent } = await world.call("plan_next", { milestone, count: 100 });
  const wanted = offersOf(world).offered
    .filter(({ attributes }) => (attributes["milestone"] || "none") === milestone);
  if (world.foreign.size > 0 || world.history?.isCrossed === true) return;
  same(isError ? [] : idsOf(structuredContent.items), idsOf(wanted), `offered in ${milestone}`);
}

/** Events lead to what HEAD has. */
async function past(world: World, history: History): Promise<void> {
  const [{ commits }, files] = [
    await world.ok("plan_history", { limit: 5 }),
    history.filesOf(history.head),
  ];
  assert.ok(commits.every(({ changes }: Data) => changes.length > 0), "a commit has changes");
  // The one that was changed last has most to tell.
  const one = world.plan.find(({ file }) => file === history.changed) ??
    world.plan.find(({ file }) => files[file] !== undefined);
  if (one === undefined || files[one.file] === undefined || history.isMerged) return;
  const { events } = await world.ok("plan_history", { id: one.id, limit: 1000 });
  const found: Record<string, string> = {};
  for (const event of events.toReversed()) {
    Object.assign(found, event.initialAttributes);
    for (const { field, to } of event.attributeChanges ?? []) found[field] = to ?? "";
  }
  const { id: _id, name: _name, ...left } = found;
  const committed = readEntity(one.file, files[one.file]!);
  same(filled(left), filled(committed?.attributes ?? {}), `plan_history leads to ${one.id}`);
  const before = history.before(one.file);
  if (before === undefined || committed === undefined || before.id !== committed.id) return;
  const textOf = ({ title, sections }: Entity) =>
    plain(JSON.stringify([title, sections]).replace(/- \[[ x]\] .*?(?=\\n|")/g, ""));
  const [{ attributeChanges, criteriaChanges, textChanged = false }] = events;
  if ((attributeChanges ?? criteriaChanges) === undefined) return;
  assert.equal(textChanged, textOf(before) !== textOf(committed), `text of ${one.id} changed`);
}

/** The cells of a line, in which a text that reads like something else is quoted. */
function cellsOf(line: string, count: number): unknown[] {
  const cells = line.split(" | ");
  assert.equal(cells.length, count, line);
  return cells.map((cell) => {
    if (cell === "null" || /^-?\d+$/.test(cell)) return JSON.parse(cell);
    return cell.startsWith('"') ? JSON.parse(cell) : cell;
  });
}
