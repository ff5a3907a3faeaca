/** Calls that write, and what is known of their outcome. */

import assert from "node:assert/strict";
import { canonical, fixesOf, isUnique, offersOf, samePlan } from "./agree.ts";
import { idAt, meant, type Raw } from "./arguments.ts";
import { claimed, depending, type Outcome, renumbered, updated } from "./changes.ts";
import {
  criteriaOf,
  type Entity,
  isFinished,
  isReady,
  isTask,
  isValid,
  KINDS,
  ownerOf,
  type Plan,
  sectionOf,
  statusOf,
} from "./facts.ts";
import type { World } from "./world.ts";

// deno-lint-ignore no-explicit-any -- arguments that were made up
type Data = any;

/** The code of one of several mistakes. */
const SOME = "some mistake";

/** Makes a call whose outcome is known; `undefined` is not known. */
async function settle(
  world: World,
  tool: string,
  args: Raw,
  wanted: Outcome | undefined,
  sent: Raw = args,
) {
  const before = world.plan;
  const answer = await world.change(tool, sent);
  const { errorCode = "", isError = false, content: [{ text }] } = answer;
  // Of several mistakes, any may be named.
  if (wanted === SOME || typeof wanted === "string" && args["ids"] !== undefined) {
    assert.ok(isError);
  } else if (typeof wanted === "string") assert.equal(errorCode, wanted, `${tool}, not: ${text}`);
  else if (wanted !== undefined) {
    assert.ok(!isError, `${tool} is not refused: ${errorCode} ${text}`);
    samePlan(world.plan, args["preview"] === true ? before : wanted);
  }
  return answer;
}

/** The arguments that cannot change an entity whose tag is not closed. */
const EDITS =
  "title check uncheck criteria sections append note dependsOn blocks resolve resolveFile"
    .split(" ");

export async function update(world: World, raw: Raw): Promise<void> {
  const { changes: isApart, where: _, ...args } = meant(world, raw);
  const { resolveFile, status, id, ids, ...others } = args;
  const isBoth = resolveFile !== undefined && args["resolve"] !== undefined;
  const wanted = isBoth ? "INVALID_ARGS" : updated(world.plan, {
    ...args,
    ...resolveFile === undefined ? {} : { resolve: ".trees" },
  });
  const targets = [id, ids, args["blocks"] ?? []].flat();
  const isOpen = world.plan.some((one) => targets.includes(one.id) && !one.isClosed) &&
    EDITS.some((name) => others[name] !== undefined || name in raw);
  // What another clone has claimed cannot be finished here.
  const isLost = world.plan.some((one) =>
    [id, ids].flat().includes(one.id) && world.claims.get(one.id)?.isHere === false &&
    isFinished({ ...one, attributes: { status: String(status) } }, world.plan)
  );
  // Where a new section comes is the template's matter, and with its boxes numbers change.
  const isShifted = Object.values(Object(args["sections"])).some((text) =>
    /- \[/.test(String(text))
  );
  const isLoose = isOpen || isLost || isShifted && typeof wanted !== "string";
  const loose = typeof wanted === "string" ? SOME : undefined;
  const before = world.plan;
  await settle(world, "plan_update", args, isLoose ? loose : wanted, isApart ? apart(args) : args);
  // What goes from in-progress back to others is free on the remote.
  for (const one of before.filter((item) => isTask(item) && statusOf(item) === "in-progress")) {
    const now = world.plan.find((item) => item.id === one.id);
    const claim = world.claims.get(one.id);
    if (!claim?.isHere || !["", claim.owner].includes(ownerOf(one)) || now === undefined) continue;
    const isFree = isReady(now) || ["draft", "pending", "reported"].includes(statusOf(now));
    if (isFree) world.claims.delete(one.id);
  }
}

/** The change of several as one of each, where that means the same. */
function apart({ ids, preview, dir, ...change }: Raw): Raw {
  const isSame = [ids, change["note"], change["title"], change["blocks"], change["id"]]
    .every((value, at) => (value === undefined) === (at > 0));
  if (!isSame) return { ids, preview, dir, ...change };
  return { changes: [...new Set(ids as string[])].map((id) => ({ id, ...change })), preview, dir };
}

const RANKS = [
  ["priority", ["critical", "high", "medium", "low"], "medium"],
  ["complexity", ["trivial", "simple", "moderate", "complex", "unknown"], "unknown"],
] as const;

/** The plan after the most important item that is free was claimed, where that can be told. */
function claimedNext(world: World, raw: Raw, isFree: (id: string) => boolean): Outcome | undefined {
  const isAsked = ["release", "takeOver", "note", "tag", "milestone"].some((name) => name in raw);
  if (isAsked || !isUnique(world) || world.history?.isCrossed) return undefined;
  const assignee = String(raw["assignee"]);
  const rank = (one: Entity) =>
    RANKS.map(([name, order, usual]) => order.indexOf(one.attributes[name] as never ?? usual));
  const [first] = offersOf(world, assignee).offered.filter((one) =>
    ["", assignee].includes(ownerOf(one)) && isFree(one.id) &&
    [undefined, "all", one.type].includes(raw["type"] as string)
  ).sort((a, b) => rank(a)[0]! - rank(b)[0]! || rank(a)[1]! - rank(b)[1]!);
  return first === undefined ? world.plan : claimed(world.plan, { id: first.id, assignee });
}

export async function claim(world: World, raw: Raw): Promise<void> {
  const args = meant(world, raw);
  const [id, owner] = [args["id"] as string | undefined, String(args["assignee"])];
  const isRemote = world.remote !== undefined && args["localOnly"] !== true;
  const isFree = (one: string) => {
    const known = isRemote ? world.claims.get(one) : undefined;
    return known === undefined || known.isHere && known.owner === owner;
  };
  const other = world.history?.taken(world.plan, owner).get(id ?? "");
  const byId = id === undefined ? undefined : claimed(world.plan, args, other);
  const wanted = id === undefined
    ? claimedNext(world, raw, isFree)
    : isFree(id) || typeof byId === "string"
    ? byId
    : undefined;
  const isOpen = world.plan.some((one) => one.id === id && !one.isClosed);
  const isLoose = isOpen && args["note"] !== undefined && typeof wanted !== "string";
  const answer = await settle(world, "plan_claim", args, isLoose ? undefined : wanted);
  if (answer.isError) return;
  const { items = [], released, note = "", unchecked = "" } = answer.structuredContent;
  assert.ok(!note.includes("meanwhile"), `nobody else claims: ${note}`);
  const isUnread = world.history?.hasUnread === true && released === undefined;
  assert.equal(unchecked.includes("--allow-read"), isUnread, `what was not read: ${unchecked}`);
  if (isRemote && released !== undefined) world.claims.delete(released.id);
  for (const one of isRemote ? items : []) world.claims.set(one.id, { owner, isHere: true });
}

/** Several at once: all of them are there, in order, or none. */
async function createItems(world: World, { items, preview }: Raw): Promise<void> {
  const before = world.plan;
  const answer = await world.change("plan_create", { items, preview });
  if (answer.isError) {
    assert.ok(!isUnique(world), `plan_create is not refused: ${answer.content[0].text}`);
    return samePlan(world.plan, before);
  }
  if (preview === true) return samePlan(world.plan, before);
  const [a, b] = answer.structuredContent.items.map(({ id }: { id: string }) => id);
  for (const id of [a, b]) world.own.add(id);
  samePlan(world.plan.filter(({ id }) => id !== a && id !== b), before);
  const [first, second] = [a, b].map((id) => world.plan.find((one) => one.id === id));
  assert.deepEqual([first?.title, second?.title], ["First", "Second"]);
  assert.equal(sectionOf(second!, "Notes")?.text, `Before ${a}.`);
  assert.ok(
    first!.sections.some(({ text }) => text.includes(b)),
    "the first depends on the second",
  );
}

export async function create(world: World, raw: Raw): Promise<void> {
  if (raw["items"] !== undefined) return await createItems(world, raw);
  const args = meant(world, raw);
  const { type, title, attrs = {}, sections = {}, criteria = [], blocks = [] } = args as Data;
  const before = world.plan;
  const ids = world.history?.ids() ?? new Set();
  const answer = await world.change("plan_create", args);
  const mayFail = ["id", "body", "dependsOn", "blocks"].some((name) => name in raw) ||
    type === "milestone" || !isValid(type, attrs) || !isUnique(world);
  const said = `${answer.errorCode} ${answer.content[0].text}`;
  if (answer.isError) return assert.ok(mayFail, `plan_create is not refused: ${said}`);
  if (args["preview"] === true) return;
  const made = answer.structuredContent.id;
  const [one, ...twins] = world.plan.filter((one) => one.id === made);
  assert.ok(one !== undefined && twins.length === 0, `${made} is new`);
  const isTaken = ids.has(made) || world.reserved.has(made);
  assert.ok(!isTaken || args["anyway"] === true, `${made} is nobody else's`);
  world.own.add(made);
  assert.equal(one.title, type === "milestone" && title !== made ? `${made} — ${title}` : title);
  assert.deepEqual({ ...one.attributes, ...attrs }, one.attributes);
  for (const [heading, text] of Object.entries(sections)) {
    const has = one.sections.some((section) => section.text.includes(String(text)));
    assert.ok(has, `the section ${heading} is written`);
  }
  const own = criteriaOf(one).map(({ text }) => text);
  assert.deepEqual(
    criteria.filter((text: string) => !own.includes(text)),
    [],
    "criteria are written",
  );
  const others = before.map((each) => blocks.includes(each.id) ? depending(each, [made]) : each);
  const left = (plan: Plan) => plan.filter(({ id }) => id !== made);
  samePlan(left(world.plan), left(others));
}

export async function renumber(world: World, raw: Raw): Promise<void> {
  const args = meant(world, raw) as Record<string, string>;
  const { from: id = "", to, file } = args;
  const before = world.plan;
  const [first, ...twins] = before.filter((one) => one.id === id);
  const ids = new Set([...before.map((one) => one.id), ...world.history?.ids() ?? []]);
  const answer = await world.change("plan_rename", args);
  // What somebody has on the remote keeps its id.
  const isTaken = first !== undefined && twins.length === 0 && world.claims.has(id) &&
    !isFinished(first, before);
  if (isTaken && answer.errorCode === "CONFLICT") return samePlan(world.plan, before);
  const isRight = first !== undefined && first.type !== "milestone" && !isTaken &&
    (twins.length === 0 || file !== undefined) && (file === undefined || file === first.file) &&
    (to === undefined || !ids.has(to) && to.startsWith(KINDS[first.type]!.prefix));
  assert.equal(answer.isError ?? false, !isRight, `plan_rename: ${answer.content[0].text}`);
  if (answer.isError) return;
  const fresh = answer.structuredContent.to;
  assert.ok(!ids.has(fresh) && !world.reserved.has(fresh), `${fresh} is nobody else's`);
  world.own.add(fresh);
  samePlan(world.plan, renumbered(before, id, fresh, file));
}

export async function undo(world: World, raw: Raw): Promise<void> {
  const known = world.undoable.at(-1 - Number(raw["token"]) % (world.undoable.length || 1));
  const files = { ...world.files };
  const touched = known === undefined ? [] : Object.keys({ ...known.before, ...known.after })
    .filter((file) => known.before[file] !== known.after[file]);
  const code = known === undefined || known.isUsed
    ? "UNDO_EXPIRED"
    : touched.every((file) => known.after[file] === files[file])
    ? undefined
    : "CONFLICT";
  const args = { ...raw, token: known?.token ?? "none" };
  const answer = await world.change("plan_undo", args, known?.seat);
  if (raw["commit"] !== undefined || raw["ids"] !== undefined) {
    return assert.equal(answer.errorCode, "INVALID_ARGS");
  }
  assert.equal(answer.errorCode, code, `plan_undo: ${answer.content[0].text}`);
  if (code !== undefined || known === undefined || raw["preview"] === true) return;
  known.isUsed = true;
  for (const file of touched) {
    if (known.before[file] === undefined) delete files[file];
    else files[file] = known.before[file]!;
  }
  assert.deepEqual(world.files, files, "plan_undo gives the bytes back");
}

/** Makes a call that keeps what the plan has. */
export const keeping = (tool: string) => async (world: World, raw: Raw): Promise<void> => {
  const before = world.plan;
  await world.change(tool, meant(world, raw));
  if (before.length > 0) samePlan(world.plan, before);
};

/** Makes the call that a problem's answer proposes, after which the problem is gone. */
export async function follow(world: World, raw: Raw): Promise<void> {
  const fixes = await fixesOf(world);
  const fix = fixes.at(Number(raw["at"]) % (fixes.length || 1));
  if (fix === undefined || world.plan.some(({ isClosed }) => !isClosed)) return;
  const { isError, content } = await world.change(fix.tool, fix.arguments);
  assert.ok(!isError, `a proposed call works: ${content[0].text}`);
  const said = (await fixesOf(world)).map((one) => JSON.stringify(one));
  assert.ok(!said.includes(JSON.stringify(fix)), "it is proposed once");
}

/** Calls of two servers at once. */
async function together(world: World, tool: string, calls: readonly Raw[]) {
  world.said.push(`${tool} at once: ${calls.map((args) => JSON.stringify(args))}`);
  const answers = await Promise.all(calls.map((args, seat) => world.call(tool, args, seat)));
  world.look();
  return answers.filter(({ isError }) => !isError).map((one) => one.structuredContent);
}

/** Entities that two servers create at once. */
export async function creations(world: World): Promise<void> {
  const before = world.plan;
  const calls = ["One", "Two"].map((title) => ({ type: "work", title }));
  const made = (await together(world, "plan_create", calls)).map(({ id }) => id);
  if (!isUnique(world)) return;
  assert.equal(new Set(made).size, 2, `two ids: ${made}`);
  samePlan(world.plan.filter(({ id }) => !made.includes(id)), before);
  for (const id of made) world.own.add(id);
}

/** Texts that two servers add to one entity at once are both there. */
export async function additions(world: World, raw: Raw): Promise<void> {
  const id = idAt(world, Number(raw["at"]));
  const calls = ["One.", "Two."].map((text) => ({ id, append: { Notes: text } }));
  const wanted = calls.reduce<Outcome>(
    (plan, args) => typeof plan === "string" ? plan : updated(plan, args),
    world.plan,
  );
  const answers = await together(world, "plan_update", calls);
  if (typeof wanted === "string") return assert.equal(answers.length, 0);
  if (answers.length < 2) return;
  const sortedWords = (plan: Plan) => plan.map((one) => canonical(one).split(/\W+/).sort().join());
  assert.deepEqual(sortedWords(world.plan), sortedWords(wanted), "both are there");
}

/** Claims at once by two servers: of one item, or of the next. */
export async function race(world: World, raw: Raw): Promise<void> {
  const args = "id" in raw ? { id: meant(world, raw)["id"] } : {};
  const calls = ["ada", "bob"].map((assignee) => ({ ...args, assignee }));
  const items = (await together(world, "plan_claim", calls)).flatMap(({ items }) => items);
  const taken = items.map(({ id }: Entity) => id);
  assert.equal(new Set(taken).size, taken.length, `nobody takes what another has: ${taken}`);
  for (const { id, attributes } of world.remote === undefined ? [] : items) {
    world.claims.set(id, { owner: attributes.assignee, isHere: true });
  }
}

/** Work in another clone of the remote. */
export async function clone(world: World, raw: Raw): Promise<void> {
  const id = idAt(world, Number(raw["at"] ?? 0));
  const known = world.claims.get(id);
  if (raw["type"] !== undefined) {
    const made = await world.elsewhere("plan_create", { type: raw["type"], title: "Elsewhere" });
    if (made === undefined || made.isError) return;
    const fresh = made.structuredContent.id;
    assert.ok(!world.own.has(fresh), `${fresh} is reserved here`);
    world.reserved.add(fresh);
    return;
  }
  const release = raw["release"] === true;
  const answer = await world.elsewhere("plan_claim", { id, assignee: "eve", release });
  if (answer === undefined || answer.isError) return;
  assert.ok((known?.owner ?? "eve") === "eve", `${id} is ${known?.owner}'s on the remote`);
  if (release) world.claims.delete(id);
  else world.claims.set(id, { owner: "eve", isHere: false });
  world.foreign.add(id);
}
