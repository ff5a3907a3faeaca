/** What every tool says of a plan must be what its files say, and what the others say. */

import assert from "node:assert/strict";
import {
  blockersOf,
  criteriaOf,
  dependenciesOf,
  driftOf,
  type Entity,
  isDone,
  isFinished,
  isFree,
  isReady,
  isTask,
  keyOf,
  ownerOf,
  type Plan,
  ratioOf,
  readEntity,
  statusOf,
} from "./facts.ts";
import type { History } from "./history.ts";
import type { World } from "./world.ts";

// deno-lint-ignore no-explicit-any -- answers of tools, which are checked against their schemas
type Data = any;

/** Words of a text, without white space. */
const plain = (text: string) => text.replace(/\s+/g, " ").trim();

/** An entity without the order of its sections, which tools choose. */
export function canonical({ file: _file, isClosed: _isClosed, ...one }: Entity) {
  const sections = one.sections.map(({ heading, text }) => [keyOf(heading), plain(text)]);
  const attributes = Object.entries(one.attributes).filter(([, value]) => value !== "").sort();
  return JSON.stringify({ ...one, attributes, sections: sections.sort() });
}

/** Two plans have the same entities; files may have other names. */
export function samePlan(found: Plan, wanted: Plan): void {
  assert.deepEqual(found.map(canonical).sort(), wanted.map(canonical).sort());
}

const sorted = <Value>(all: Iterable<Value>) => [...all].map((one) => JSON.stringify(one)).sort();

/** Two lists have the same, in any order. */
function same(found: Iterable<unknown>, wanted: Iterable<unknown>, what: string): void {
  assert.deepEqual(sorted(found), sorted(wanted), what);
}

/** Items by what keeps them from being offered; after the first of duplicates nobody can say. */
export function offersOf({ plan, history, claims }: World, assignee?: string) {
  const taken = history?.taken(plan, assignee) ?? new Map();
  const isTaken = ({ id }: Entity) =>
    taken.has(id) ||
    claims.get(id) !== undefined && !(assignee === undefined
        ? claims.get(id)!.isHere
        : claims.get(id)!.isHere && claims.get(id)!.owner === assignee);
  const ready = plan.filter(isReady);
  const offered = ready.filter((one) => isFree(one, plan) && !isTaken(one));
  return { taken, offered, withheld: ready.filter((one) => !offered.includes(one)) };
}

const idsOf = (all: readonly { id: string }[] = []) => all.map(({ id }) => id);

/** Whether ids are unique, so that everything can be compared by id. */
export function isUnique({ plan }: World): boolean {
  return new Set(plan.map(({ id }) => id.toLowerCase())).size === plan.length;
}

/** Throws if a tool contradicts the files. */
export async function agree(world: World): Promise<void> {
  const { plan } = world;
  const fields = ["type", "assignee", "milestone", "criteria", "dependencies", "blockedBy", "path"];
  const list = await world.ok("plan.list", { fields, limit: 1000 });
  const unlessEmpty = (ids: readonly string[]) => ids.length === 0 ? undefined : ids;
  const isUnambiguous = isUnique(world);
  const about = (one: Entity, row: Data) => ({
    id: one.id,
    title: one.title,
    status: statusOf(one) || undefined,
    type: one.type,
    assignee: ownerOf(one) || undefined,
    milestone: one.attributes["milestone"] || undefined,
    criteria: ratioOf(one),
    dependencies: unlessEmpty(dependenciesOf(one)),
    blockedBy: isUnambiguous ? unlessEmpty(blockersOf(one, plan)) : row?.blockedBy,
    path: `plan/${one.file}`,
  });
  const rows = new Map<string, Data>(list.items.map((row: Data) => [row.path, row]));
  same(
    list.items.map(({ taken: _taken, ...row }: Data) => sorted(Object.entries(row))),
    plan.map((one) =>
      sorted(
        Object.entries(about(one, rows.get(`plan/${one.file}`)))
          .filter(([, value]) => value !== undefined),
      )
    ),
    "plan.list has the files",
  );
  if (plan.length === 0 || !isUnambiguous) return await problems(world);
  await texts(world);
  await offers(world, rows);
  await problems(world);
  await tables(world);
  await board(world);
  if (world.history !== undefined) await past(world, world.history);
}

/** `plan.get` shows every attribute, criterion and section. */
async function texts(world: World): Promise<void> {
  const fields = ["title", "attributes", "criteria", "sections", "resolution"];
  const { items } = await world.ok("plan.get", { ids: idsOf(world.plan), fields });
  for (const [at, one] of world.plan.entries()) {
    const { title, attributes = {}, criteria = [], sections = {} }: Data = items[at];
    const { status: _status, ...others } = one.attributes;
    const left = Object.entries(others).filter(([, value]) => value !== "");
    assert.equal(title, one.title);
    same(Object.entries(attributes), left, `attributes of ${one.id}`);
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
}

/** What is offered, withheld, going on, blocked and done. */
async function offers(world: World, rows: ReadonlyMap<string, Data>): Promise<void> {
  const { plan, history, foreign } = world;
  const next = await world.ok("plan.next", { count: 100, explain: true });
  const status = await world.ok("plan.status");
  const shown = idsOf(next.items);
  if (history?.isCrossed !== true) {
    const { offered, withheld } = offersOf(world);
    const known = (ids: readonly string[]) => ids.filter((id) => !foreign.has(id));
    same(known(shown), known(idsOf(offered)), "plan.next offers what is ready and free");
    if (foreign.size === 0) {
      assert.equal(next.withheld, withheld.length, "plan.next counts the rest");
    }
  }
  if (foreign.size === 0) {
    assert.deepEqual(idsOf(status.ready), shown.slice(0, 5), "plan.status and plan.next agree");
  }
  const tasks = plan.filter(isTask);
  const going = tasks.filter((one) => statusOf(one) === "in-progress");
  same(idsOf(status.inProgress), idsOf(going).slice(0, 10), "in progress");
  const blocked = tasks.filter((one) =>
    statusOf(one) === "blocked" || rows.get(`plan/${one.file}`).blockedBy !== undefined
  );
  same(idsOf(status.blocked), idsOf(blocked).slice(0, 10), "blocked");
  const done = tasks.filter((one) =>
    isDone(one) && one.sections.some(({ heading }) => heading === "Resolution")
  );
  assert.equal(status.totals?.done ?? status.done.length, done.length, "done, with a resolution");
  const { offered } = offersOf(world);
  world.offered = history?.isCrossed === true ? shown : idsOf(offered);
}

/** `plan.review` and `plan.validate`. */
async function problems(world: World): Promise<void> {
  const { plan } = world;
  const review = await world.ok("plan.review");
  for (const kind of ["open-criteria", "milestone-done", "nothing-blocks", "no-resolution"]) {
    if (!isUnique(world)) break;
    const found = (review.findings[kind] ?? []).map((line: string) => line.split(" ")[0]);
    const wanted = plan.filter((one) => driftOf(one, plan).includes(kind));
    same(found, idsOf(wanted), `plan.review ${kind}`);
  }
  const { groups = [], exitCode, counts } = await world.ok("plan.validate");
  const double = plan.filter((one, at) => plan.findIndex(({ id }) => id === one.id) < at);
  const named = groups.filter(({ type }: Data) => type === "duplicate-id")
    .flatMap(({ ids }: Data) => ids);
  same(new Set(named), new Set(idsOf(double)), "plan.validate names duplicates");
  assert.equal(exitCode, counts.errors > 0 ? 1 : 0);
  world.fixes = groups.flatMap(({ fix }: Data) => fix ?? []);
}

/** The tables of `refrakt.query`. */
async function tables(world: World): Promise<void> {
  const { plan, offered } = world;
  const rowsOf = async (sql: string): Promise<unknown[][]> => {
    const { columns, rows } = await world.ok("refrakt.query", { sql: `${sql} LIMIT 1000` });
    return rows.map((row: Data) => Array.isArray(row) ? row : cellsOf(row, columns.length));
  };
  same(
    (await rowsOf("SELECT id, status, finished, open, done, offered FROM entities")).map((row) =>
      world.foreign.has(String(row[0])) ? row.with(5, 0) : row
    ),
    plan.map((one) => [
      one.id,
      statusOf(one) || null,
      Number(isFinished(one, plan)),
      criteriaOf(one).filter(({ checked }) => !checked).length,
      criteriaOf(one).filter(({ checked }) => checked).length,
      Number(offered.includes(one.id) && !world.foreign.has(one.id)),
    ]),
    "refrakt.query has the entities",
  );
  same(
    await rowsOf("SELECT id, n, text, checked FROM criteria"),
    plan.flatMap((one) =>
      criteriaOf(one).map(({ text, checked }, at) => [one.id, at + 1, text, Number(checked)])
    ),
    "refrakt.query has the criteria",
  );
  same(
    await rowsOf("SELECT id, to_id FROM refs WHERE kind = 'depends'"),
    plan.flatMap((one) => dependenciesOf(one).map((id) => [one.id, id])),
    "refrakt.query has the dependencies",
  );
}

/** Dates and events are git's, and lead to what HEAD has. */
async function past(world: World, history: History): Promise<void> {
  const { plan, files } = world;
  const { items } = await world.ok("plan.list", { fields: ["modified", "path"], limit: 1000 });
  const { rows } = await world.ok("refrakt.query", { sql: "SELECT path, modified FROM entities" });
  for (const one of plan) {
    const day = history.modified(one.file, files[one.file]!);
    if (day === undefined) continue;
    const row = items.find(({ path }: Data) => path === `plan/${one.file}`);
    assert.equal(row.modified, day, `plan.list: ${one.id} is as of its commit`);
    const line = [rows].flat().map(String).find((line: string) =>
      line.startsWith(`plan/${one.file}`)
    );
    assert.ok(line?.includes(day), `refrakt.query: ${one.id} is as of its commit, not ${line}`);
  }
  const { commits } = await world.ok("plan.history", { limit: 5 });
  assert.ok(commits.every(({ changes }: Data) => changes.length > 0), "a commit has changes");
  const [one] = plan.filter(({ file }) => history.filesOf(history.head)[file] !== undefined);
  if (one === undefined || history.isMerged) return;
  const { events } = await world.ok("plan.history", { id: one.id, limit: 1000 });
  const found: Record<string, string> = {};
  for (const event of events.toReversed()) {
    Object.assign(found, event.initialAttributes);
    for (const { field, to } of event.attributeChanges ?? []) found[field] = to ?? "";
  }
  const { id: _id, name: _name, ...left } = found;
  const committed = readEntity(one.file, history.filesOf(history.head)[one.file]!);
  const filled = (all: object) => Object.entries(all).filter(([, value]) => value !== "");
  same(filled(left), filled(committed?.attributes ?? {}), `plan.history leads to ${one.id}`);
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

/** The board's cards, and its page of one entity. */
async function board(world: World): Promise<void> {
  const { plan, offered, foreign } = world;
  const answer = await world.call("plan.board", { show: "cards" });
  assert.ok(!answer.isError, `plan.board: ${answer.content[0].text}`);
  const { cards }: Data = answer._meta!["refrakt/board"];
  assert.ok(Array.isArray(cards), "the board has cards");
  const isOffered = ({ id, offered = false }: Data) => offered && !foreign.has(id);
  const isKnown = ({ id }: Entity) => offered.includes(id) && !foreign.has(id);
  same(
    cards.map((card: Data) => [card.id, card.title, card.status, isOffered(card)]),
    plan.map((one) => [one.id, one.title || one.id, statusOf(one), isKnown(one)]),
    "the board has the plan's cards",
  );
  const own = cards.filter(({ type }: Data) => type !== "milestone");
  same(
    own.map(({ id, criteria }: Data) => [id, criteria?.join("/") ?? null]),
    plan.filter(({ type }) => type !== "milestone").map((one) => [one.id, ratioOf(one) ?? null]),
    "the cards have the criteria",
  );
}
