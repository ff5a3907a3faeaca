/** The steps of a sequence, and what is known of the outcome of their calls. */

import assert from "node:assert/strict";
import fc from "../../../support/npm/fast_check.ts";
import { agree, isUnique, offersOf, samePlan } from "./agree.ts";
import { argumentsOf, meant, type Raw } from "./arguments.ts";
import { type Args, claimed, depending, type Outcome, renumbered, updated } from "./changes.ts";
import { criteriaOf, type Entity, isFinished, isValid, ownerOf, type Plan } from "./facts.ts";
import { additions, clone, creations, race } from "./at_once.ts";
import { checkout, commit, edit, merge, worktree } from "./git_steps.ts";
import { anyEdit } from "./seeds.ts";
import type { World } from "./world.ts";

type Work = (world: World, raw: Raw) => Promise<unknown> | void;

/** A step of a sequence. */
class Step implements fc.AsyncCommand<World, World> {
  constructor(readonly name: string, readonly raw: Raw, readonly work: Work) {}

  check(): boolean {
    return true;
  }

  async run(world: World): Promise<void> {
    try {
      await this.work(world, this.raw);
      world.look();
      await agree(world);
    } catch (error) {
      const said = world.said.map((call) => `  ${call}`).join("\n");
      throw new Error(`${(error as Error).message}\nafter ${this}:\n${said}`, { cause: error });
    }
  }

  toString(): string {
    return `${this.name} ${JSON.stringify(this.raw)}`;
  }
}

/** Makes a call whose outcome is known; `undefined` is not known. */
async function settle(world: World, tool: string, args: Raw, wanted: Outcome | undefined) {
  const before = world.plan;
  const answer = await world.change(tool, args);
  const { errorCode = "", isError = false, content: [{ text }] } = answer;
  // Of several mistakes, any may be named.
  if (typeof wanted === "string" && args["ids"] !== undefined) assert.ok(isError, wanted);
  else if (typeof wanted === "string") assert.equal(errorCode, wanted, `${tool}, not: ${text}`);
  else if (wanted !== undefined) {
    assert.ok(!isError, `${tool} is not refused: ${errorCode} ${text}`);
    samePlan(world.plan, args["preview"] === true ? before : wanted);
  }
  return answer;
}

/** Whether a call edits the text of an entity whose tag is not closed. */
function isLocked(
  world: World,
  { id, ids, blocks = [] }: Args,
  edits: readonly string[],
  args: Args,
) {
  const targets = [id, ids, blocks].flat();
  return world.plan.some((one) => targets.includes(one.id) && !one.isClosed) &&
    edits.some((name) => args[name] !== undefined);
}

const EDITS = [
  "title",
  "check",
  "uncheck",
  "criteria",
  "sections",
  "append",
  "dependsOn",
  "blocks",
];

async function update(world: World, raw: Raw): Promise<void> {
  const args = meant(world, raw);
  const { resolveFile, status, id, ids, ...others } = args;
  const resolve = resolveFile === undefined ? {} : { resolve: ".trees" };
  const isBoth = resolveFile !== undefined && args["resolve"] !== undefined;
  const wanted = isBoth ? "INVALID_ARGS" : updated(world.plan, { ...args, ...resolve });
  const isLost = [id, ids].flat().some((one) =>
    world.claims.get(String(one))?.isHere === false &&
    world.plan.some((item) =>
      item.id === one && isFinished({ ...item, attributes: { status: String(status) } }, world.plan)
    )
  );
  const isUnknown = isLocked(world, args, [...EDITS, "resolve", "resolveFile"], others) || isLost ||
    isMarkup(args);
  await settle(
    world,
    "plan.update",
    args,
    isUnknown && typeof wanted !== "string" ? undefined : wanted,
  );
}

/** Whether a text may be refused for its Markdown. */
const isMarkup = ({ sections = {} }: Args) => Object.values(sections as object).includes(undefined);

const RANKS = [
  ["priority", ["critical", "high", "medium", "low"], "medium"],
  ["complexity", ["trivial", "simple", "moderate", "complex", "unknown"], "unknown"],
] as const;

async function claim(world: World, raw: Raw): Promise<void> {
  const args = meant(world, raw);
  const { id, assignee, localOnly } = args as {
    id?: string;
    assignee: string;
    localOnly?: boolean;
  };
  const isRemote = world.remote !== undefined && localOnly !== true;
  const isFree = (one: string) => {
    const known = isRemote ? world.claims.get(one) : undefined;
    return known === undefined || known.isHere && known.owner === assignee;
  };
  let wanted: Outcome | undefined;
  const isBad = (args["release"] ?? args["takeOver"] ?? args["note"]) !== undefined;
  if (id !== undefined) {
    wanted = isFree(id) || typeof claimed(world.plan, args) === "string"
      ? claimed(world.plan, args)
      : undefined;
  } else if (isBad) wanted = undefined;
  else if (!isUnique(world) || world.history?.isCrossed || raw["tag"] || raw["milestone"]) {
    wanted = undefined;
  } else {
    const { offered } = offersOf(world, assignee);
    const rank = (one: Entity) =>
      RANKS.map(([name, order, usual]) => order.indexOf(one.attributes[name] as never ?? usual));
    const [first] = offered.filter((one) =>
      ["", assignee].includes(ownerOf(one)) && isFree(one.id) &&
      [undefined, "all", one.type].includes(args["type"] as string)
    ).sort((a, b) => rank(a)[0]! - rank(b)[0]! || rank(a)[1]! - rank(b)[1]!);
    wanted = first === undefined ? world.plan : claimed(world.plan, { id: first.id, assignee });
  }
  const answer = await settle(world, "plan.claim", args, wanted);
  const note = String(answer.structuredContent?.note);
  assert.ok(!note.includes("meanwhile"), `nobody else claims: ${note}`);
  if (!isRemote || answer.isError) return;
  const { items = [], released } = answer.structuredContent;
  if (released !== undefined) world.claims.delete(released.id);
  for (const one of items) world.claims.set(one.id, { owner: assignee, isHere: true });
}

async function create(world: World, raw: Raw): Promise<void> {
  const args = meant(world, raw);
  const { type, title, attrs = {}, sections = {}, criteria, body, blocks = [], id, splitFrom } =
    args as unknown as {
      type: string;
      title: string;
      attrs: Record<string, string>;
      sections: Record<string, string>;
      criteria?: string[];
      body?: string;
      blocks: string[];
      id?: string;
      splitFrom?: { id: string; criteria: number[] };
    };
  const before = world.plan;
  const ids = world.history?.ids() ?? new Set();
  const answer = await world.change("plan.create", args);
  const mayFail =
    [id, body, splitFrom, args["dependsOn"], args["blocks"]].some((x) => x !== undefined) ||
    type === "milestone" || !isValid(type, attrs) || !isUnique(world);
  const said = `${answer.errorCode} ${answer.content[0].text}`;
  if (answer.isError) return assert.ok(mayFail, `plan.create is not refused: ${said}`);
  if (args["preview"] === true) return;
  const made = answer.structuredContent.id as string;
  const fresh = world.plan.filter((one) => one.id === made);
  assert.equal(fresh.length, 1, `${made} is new`);
  if (args["anyway"] !== true) {
    assert.ok(!ids.has(made) && !world.reserved.has(made), `${made} is nobody else's`);
  }
  world.own.add(made);
  const [one] = fresh as [Entity];
  assert.equal(one.title, type === "milestone" && title !== made ? `${made} — ${title}` : title);
  for (const [name, value] of Object.entries(attrs)) assert.equal(one.attributes[name], value);
  for (const [heading, text] of Object.entries(sections)) {
    const has = one.sections.some((section) => section.text.includes(text));
    assert.ok(has, `the section ${heading} is written`);
  }
  const own = criteriaOf(one).map(({ text }) => text);
  for (const text of criteria ?? []) assert.ok(own.includes(text), `the criterion ${text}`);
  const others = before.map((each) => blocks.includes(each.id) ? depending(each, [made]) : each);
  const source = splitFrom?.id;
  const left = (plan: Plan) => plan.filter(({ id }) => id !== made && id !== source);
  samePlan(left(world.plan), left(others));
  const texts = (plan: Plan) =>
    plan.filter(({ id }) => id === source || id === made).flatMap(criteriaOf)
      .map(({ text }) => text);
  const lost = new Set(texts(before)).difference(new Set(texts(world.plan)));
  assert.deepEqual([...lost], [], "a split loses no criteria");
}

async function renumber(world: World, raw: Raw): Promise<void> {
  const { id, to, file, dir } = meant(world, raw) as Record<string, string>;
  const before = world.plan;
  const found = before.filter((one) => one.id === id);
  const ids = new Set([...before.map((one) => one.id), ...world.history?.ids() ?? []]);
  const answer = await world.change(
    "plan.renumber",
    JSON.parse(JSON.stringify({ id, to, file, dir })),
  );
  const prefix = { work: "WORK-", bug: "BUG-" }[found[0]?.type ?? ""];
  const isRight = found[0] !== undefined && found[0].type !== "milestone" &&
    (found.length === 1 || file !== undefined) && (file === undefined || file === found[0].file) &&
    (to === undefined || !ids.has(to) && prefix !== undefined && to.startsWith(prefix));
  assert.equal(answer.isError ?? false, !isRight, `plan.renumber: ${answer.content[0].text}`);
  if (answer.isError) return;
  const fresh = answer.structuredContent.id;
  assert.ok(!ids.has(fresh) && !world.reserved.has(fresh), `${fresh} is nobody else's`);
  world.own.add(fresh);
  samePlan(world.plan, renumbered(before, id!, fresh, file));
}

async function undo(world: World, raw: Raw): Promise<void> {
  const known = world.undoable.at(-1 - Number(raw["token"]) % (world.undoable.length || 1));
  const args = { ...raw, token: known?.token ?? "none" };
  const isAsLeft = (file: string) => known!.after[file] === world.files[file];
  const touched = known === undefined ? [] : Object.keys({ ...known.before, ...known.after })
    .filter((file) => known.before[file] !== known.after[file]);
  const code = known === undefined || known.isUsed
    ? "UNDO_EXPIRED"
    : touched.every(isAsLeft)
    ? undefined
    : "CONFLICT";
  const files = { ...world.files };
  const answer = await world.change("plan.undo", args, known?.seat);
  assert.equal(answer.errorCode, code, `plan.undo: ${answer.content[0].text}`);
  if (code !== undefined || known === undefined || raw["preview"] === true) return;
  known.isUsed = true;
  for (const file of touched) {
    if (known.before[file] === undefined) delete files[file];
    else files[file] = known.before[file]!;
  }
  assert.deepEqual(world.files, files, "plan.undo gives the bytes back");
}

async function migrate(world: World, raw: Raw): Promise<void> {
  const before = world.plan;
  await world.change("plan.migrate", { ...raw });
  if (raw["subcommand"] === "filenames" || raw["apply"] !== true) samePlan(world.plan, before);
}

/** A plan that exists keeps its entities. */
async function init(world: World, raw: Raw): Promise<void> {
  const before = world.plan;
  await world.change("plan.init", { ...raw });
  if (before.length > 0) samePlan(world.plan, before);
}

/** Calls that only read; what they show is what their filters say. */
const ask = (tool: string): Work => async (world, raw) => {
  const args = meant(world, raw);
  const before = world.files;
  const answer = await world.call(tool, args);
  world.look();
  assert.deepEqual(world.files, before, `${tool} only reads`);
  if (answer.isError || tool !== "plan.list" && tool !== "plan.next" || !isUnique(world)) return;
  if (tool === "plan.next" && (args["detail"] === "full" || world.history?.isCrossed)) return;
  const valuesOf = (one: Entity, name: string) => {
    const value = name === "type" ? one.type : one.attributes[name === "tag" ? "tags" : name];
    return value ? value.split(", ") : ["none"];
  };
  const fits = (one: Entity) =>
    ["type", "status", "milestone", "tag", "assignee", "priority"].every((name) =>
      args[name] === undefined || args[name] === "all" ||
      valuesOf(one, name).some((value) => [args[name]].flat().includes(value))
    ) && (args["open"] === undefined || isFinished(one, world.plan) !== args["open"]);
  const own = args["assignee"] as string | undefined;
  const all = tool === "plan.list" ? world.plan : offersOf(world, own).offered;
  const { total, items } = answer.structuredContent;
  const wanted = all.filter(fits);
  if (tool === "plan.next") {
    assert.equal(items.length, Math.min(wanted.length, Number(args["count"] ?? 1)), "plan.next");
  } else if (args["text"] === undefined && args["claimed"] === undefined && !args["branches"]) {
    assert.equal(total, wanted.length, `plan.list has ${wanted.map(({ id }) => id)}`);
  }
};

/** Makes the call that a problem's answer proposes, after which the problem is gone. */
async function follow(world: World, raw: Raw): Promise<void> {
  const fix = world.fixes.at(Number(raw["id"]) % (world.fixes.length || 1));
  if (fix === undefined || world.plan.some(({ isClosed }) => !isClosed)) return;
  const { isError, content } = await world.change(fix.tool, fix.arguments);
  assert.ok(!isError, `a proposed call works: ${content[0].text}`);
  await agree(world);
  const said = world.fixes.map((one) => JSON.stringify(one));
  assert.ok(!said.includes(JSON.stringify(fix)), "it is proposed once");
}

/** The steps, by name. */
const STEPS: Readonly<Record<string, readonly [raw: fc.Arbitrary<Raw>, work: Work]>> = {
  "plan.update": [argumentsOf("plan.update", ["id"]), update],
  "plan.update if": [argumentsOf("plan.update", ["id", "if"], 1), update],
  "plan.update of criteria": [argumentsOf("plan.update", ["id", "check"], 1), update],
  "plan.update of several": [argumentsOf("plan.update", ["ids"]), update],
  "plan.claim": [argumentsOf("plan.claim", ["assignee", "id"]), claim],
  "plan.claim the next": [argumentsOf("plan.claim", ["assignee"], 2), claim],
  "plan.create": [argumentsOf("plan.create", ["type", "title"]), create],
  "plan.renumber": [argumentsOf("plan.renumber", ["id"]), renumber],
  "plan.migrate": [argumentsOf("plan.migrate", ["subcommand"]), migrate],
  "plan.undo": [argumentsOf("plan.undo", ["token"], 1), undo],
  "plan.merge": [argumentsOf("plan.merge", ["id"]), merge],
  ...Object.fromEntries(
    ["list", "next", "get", "status", "validate", "review", "history", "board"]
      .map((name) => [`plan.${name}`, [argumentsOf(`plan.${name}`, []), ask(`plan.${name}`)]]),
  ),
  "plan.init": [argumentsOf("plan.init", []), init],
  "two claims": [argumentsOf("plan.claim", []), race],
  "two creations": [fc.constant({}), creations],
  "two additions": [fc.record({ id: fc.nat(10) }), additions],
  "another clone": [fc.record({ id: fc.nat(10), release: fc.boolean() }), clone],
  "another clone creates": [fc.record({ type: fc.constantFrom("work", "bug") }), clone],
  "follow": [argumentsOf("plan.update", ["id"], 0), follow],
  "editor": [anyEdit, edit],
  "git commit": [fc.constant({}), commit],
  "git checkout": [fc.record({ at: fc.nat(2) }), checkout],
  "worktree": [anyEdit, worktree],
  "restart": [fc.record({ at: fc.nat(1) }), (world, { at }) => world.restart(Number(at))],
};

/** Steps that meet more often when a sequence has no others. */
const TOPICS = {
  all: Object.keys(STEPS).filter((name) => !name.startsWith("another clone")),
  texts: [
    ...["plan.update", "plan.update of several", "plan.claim", "editor", "two additions", "follow"],
    ...["plan.undo", "plan.create", "plan.update if", "plan.update of criteria"],
  ],
  git: [
    "git commit",
    "git checkout",
    "worktree",
    "plan.merge",
    "editor",
    "plan.update",
    "plan.claim",
  ],
  ids: ["plan.create", "plan.renumber", "two creations", "worktree", "git checkout", "editor"],
  remote: [
    ...[
      "another clone",
      "another clone creates",
      "plan.claim",
      "plan.claim the next",
      "two claims",
    ],
    ...["plan.create", "plan.renumber", "plan.update", "restart"],
  ],
};

export type Topic = keyof typeof TOPICS;

/** Any sequence of steps about a topic. */
export function anySequence(topic: Topic, most: number): fc.Arbitrary<Iterable<Step>> {
  const steps = TOPICS[topic].map((name) => {
    const [raw, work] = STEPS[name]!;
    return raw.map((values) => new Step(name, values, work));
  });
  return fc.commands(steps, { maxCommands: most }) as fc.Arbitrary<Iterable<never>>;
}
