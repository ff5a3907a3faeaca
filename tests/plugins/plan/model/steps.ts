/** The steps of a sequence: calls that write, and what people do besides. */

import assert from "node:assert/strict";
import { git } from "../../../support/project.ts";
import { samePlan } from "./agree.ts";
import { CHANGES, MILESTONES, OWNERS, withAttributes, withNote } from "./changes.ts";
import { assigneeOf, criteriaOf, dependenciesOf } from "./plan.ts";
import { type Entity, type Files, isReady, isTask, KINDS, type Plan, readEntity } from "./plan.ts";
import { readPlan, readyStatus, sectionOf, statusOf, words, written } from "./plan.ts";
import type { Args, Dice, World } from "./world.ts";

type Step = (world: World, dice: Dice) => Promise<void> | void;

/** An entity as a person writes it: one of few ids, so that they meet. */
export function someEntity(dice: Dice): Entity {
  const type = dice.pick(["work", "work", "work", "work", "bug", "spec", "decision", "milestone"]);
  const { folder, prefix, statuses } = KINDS[type]!;
  const id = type === "milestone" ? dice.pick(MILESTONES) : `${prefix}00${1 + dice.below(4)}`;
  const sections = [
    { heading: "", text: "Some text." },
    { heading: "Acceptance Criteria", text: "- [ ] It runs\n- [x] 404\n- [ ] 2" },
    { heading: "Notes", text: "First.\n\n```\n- [ ] fenced\n```" },
    { heading: "Blocked by", text: `- {% ref "WORK-00${1 + dice.below(4)}" /%}` },
    { heading: "References", text: 'As {% ref "WORK-002" /%} says.' },
  ].filter(() => dice.isOneOf(2));
  const ready = type === "work" ? ["ready", "ready", "done"] : [];
  const attributes = {
    status: dice.pick([...statuses, ...ready]),
    ...type === "work" || type === "bug"
      ? { milestone: dice.pick([...MILESTONES, ""]), assignee: dice.pick([...OWNERS, "", "", ""]) }
      : {},
  };
  const file = `${folder}/${id}-item.md`;
  return { file, type, id, title: dice.pick(["An item", "null", "a | b"]), attributes, sections };
}

/** The text of an entity, sometimes with the line ends of Windows. */
export function fileOf(entity: Entity, dice: Dice): Files {
  const text = written(entity);
  return { [entity.file]: dice.isOneOf(3) ? text.replaceAll("\n", "\r\n") : text };
}

/** What an editor does to one of the files, here or in a worktree; an empty text removes it. */
function edited(files: Files, dice: Dice, chosen?: string): Files {
  const file = chosen ?? dice.pick(Object.keys(files));
  const entity = readEntity(file, files[file] ?? "");
  if (entity === undefined) {
    const made = someEntity(dice);
    const isTaken = readPlan(files).some(({ id }) => id === made.id);
    return isTaken ? {} : fileOf(made, dice);
  }
  const text = files[file]!;
  const moved = file.replace(/(-moved)?\.md$/, (_, is) => is ? ".md" : "-moved.md");
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const write = (next: Entity) => ({ [file]: written(next).replaceAll("\n", end) });
  const edits = [
    () => ({ [file]: text.replace("- [ ]", "- [x]") }),
    () => write(withNote(entity, "eve", `By hand ${dice.below(99)}`)),
    () => write(withAttributes(entity, { status: dice.pick(KINDS[entity.type]!.statuses) })),
    () => write(withAttributes(entity, { assignee: dice.pick(OWNERS) })),
    () => ({ [file]: "" }),
    () => ({ [file]: "", [moved]: text }),
  ];
  return dice.pick(edits.slice(0, chosen === undefined ? 6 : 4))();
}

const edit: Step = (world, dice) => {
  const files = edited(world.files, dice);
  world.log.push(`editor: ${Object.keys(files)}`);
  world.write(files);
};

const withPlan = (entity: Entity, plan: Plan) =>
  plan.map((each) => each.file === entity.file ? entity : each);

/** An update of one entity, of what has a name and of its tag or title. */
const update: Step = async (world, dice) => {
  const { plan } = world;
  if (plan.length === 0) return;
  const entity = dice.pick(plan);
  const names = new Set(
    [dice.pick(Object.keys(CHANGES)), dice.pick(words("status attribute title"))],
  );
  const changes = [...names].map((each) => CHANGES[each]!(entity, dice, plan));
  const preview = dice.isOneOf(8);
  const args: Args = Object.assign({ id: entity.id, preview }, ...changes.map(([args]) => args));
  const answer = await world.change("plan_update", args);
  const said = answer.content[0].text;
  // Of a circle of dependencies.
  if (answer.isError && names.has("depend")) return assert.match(said, /cycle|circle|depends on/i);
  assert.ok(!answer.isError, `plan_update is not refused: ${said}`);
  const expected = changes.reduce((next, [, apply]) => apply(next), entity);
  samePlan(world.plan, preview ? plan : withPlan(expected, plan), "plan_update does as asked");
};

const create: Step = async (world, dice) => {
  const type = dice.pick(Object.keys(KINDS));
  const newest = world.plan.findLast((each) => each.type === type);
  if (newest !== undefined && dice.isOneOf(3)) {
    // What was committed and is gone keeps its id.
    world.history?.commit(world.files);
    world.write({ [newest.file]: "" });
  }
  const { plan, history } = world;
  const status = dice.pick(KINDS[type]!.statuses);
  const task = plan.find(isTask);
  const args: Args = {
    ...{ type, title: "Made here", attrs: { status } },
    ...type === "milestone" && { id: `m${dice.below(9)}` },
    ...type === "work" && dice.isOneOf(2) && { criteria: ["One", "Two"] },
    ...type === "work" && task !== undefined && dice.isOneOf(3) && { dependsOn: [task.id] },
  };
  const ids = new Set([...plan.map((each) => each.id), ...history?.ids() ?? []]);
  const answer = await world.change("plan_create", args);
  if (answer.isError) return assert.ok(ids.has(String(args["id"])), answer.content[0].text);
  const made = world.plan.find((each) => each.id === answer.structuredContent.id)!;
  assert.ok(!ids.has(made.id), `${made.id} was nobody's`);
  assert.deepEqual([made.type, statusOf(made)], [type, status]);
  const texts = criteriaOf(made).map(({ text }) => text);
  if ("criteria" in args) assert.deepEqual(texts.slice(0, 2), ["One", "Two"]);
  if ("dependsOn" in args) assert.deepEqual(dependenciesOf(made), [task!.id]);
  samePlan(world.plan.filter((each) => each !== made), plan, "the others stay");
};

const claim: Step = async (world, dice) => {
  const { plan, history } = world;
  const tasks = plan.filter(isTask);
  if (tasks.length === 0) return;
  const item = dice.pick(tasks);
  const { id } = item;
  const [assignee, release] = [dice.pick(OWNERS), dice.isOneOf(3)];
  const isTheirs = statusOf(item) === "in-progress" && assigneeOf(item) === assignee;
  const isFree = (isReady(item) || statusOf(item) === "in-progress") &&
    ["", assignee].includes(assigneeOf(item)) && !history?.taken(plan, assignee).has(id);
  const answer = await world.change("plan_claim", { id, assignee, release });
  const code = (release ? isTheirs : isTheirs || isFree) ? undefined : "CONFLICT";
  assert.equal(answer.errorCode, code, `plan_claim: ${answer.content[0].text}`);
  if (code !== undefined) return;
  const status = release ? readyStatus(item) : "in-progress";
  const after = withAttributes(item, { status, assignee: release ? "" : assignee });
  samePlan(world.plan, withPlan(after, plan), "plan_claim does as asked");
};

/** Creations and additions of two servers at once: no id is given twice, and nothing is lost. */
const together: Step = async (world, dice) => {
  const before = world.plan;
  if (before.length === 0) return;
  const { id } = dice.pick(before);
  world.log.push(`two creations and two additions to ${id} at once`);
  const answers = await Promise.all([0, 1].flatMap((server) => [
    world.call("plan_create", { type: "work", title: `By ${server}` }, server),
    world.call("plan_update", { id, append: { Log: `By ${server}.` } }, server),
  ]));
  world.look();
  for (const { isError, content } of answers) assert.ok(!isError, content[0].text);
  assert.equal(new Set(world.plan.map((each) => each.id)).size, before.length + 2, "two ids");
  const { text } = sectionOf(world.plan.find((each) => each.id === id)!, "Log")!;
  assert.ok(text.includes("By 0.") && text.includes("By 1."), "no text is lost");
};

/** Undoes the last write, or one before it. */
async function undoLast(world: World, dice: Dice, most = 3): Promise<void> {
  const write = world.undoable.at(-1 - dice.below(most));
  if (write === undefined) return;
  const files = { ...world.files };
  const touched = Object.keys({ ...write.before, ...write.after })
    .filter((file) => write.before[file] !== write.after[file]);
  const code = write.isUsed
    ? "UNDO_EXPIRED"
    : touched.every((file) => write.after[file] === files[file])
    ? undefined
    : "CONFLICT";
  const args = { token: write.token, preview: dice.isOneOf(4) };
  const answer = await world.change("plan_undo", args, write.server);
  assert.equal(answer.errorCode, code, `plan_undo: ${answer.content[0].text}`);
  if (code !== undefined || args.preview) return;
  write.isUsed = true;
  for (const file of touched) {
    if (write.before[file] === undefined) delete files[file];
    else files[file] = write.before[file]!;
  }
  assert.deepEqual(world.files, files, "plan_undo gives the bytes back");
}

/** Gives an owner, a milestone or an entity another name. */
const rename: Step = async (world, dice) => {
  const { plan, history } = world;
  if (plan.length === 0) return;
  const entity = dice.pick(plan);
  const ids = new Set([...plan.map(({ id }) => id), ...history?.ids() ?? []]);
  const isOwner = dice.isOneOf(4);
  const kind = isOwner ? "assignee" : entity.type === "milestone" ? "milestone" : "id";
  const from = isOwner ? dice.pick(OWNERS) : entity.id;
  const to = dice.pick(kind === "id" ? [undefined, "WORK-055", "BUG-055"] : [from, "m7", "m8"]);
  const answer = await world.change("plan_rename", { kind, from, ...to && { to } });
  const isRight = isOwner
    ? plan.some((each) => assigneeOf(each) === from)
    : to === undefined || !ids.has(to) && to.startsWith(KINDS[entity.type]!.prefix);
  assert.equal(answer.isError ?? false, !isRight, `plan_rename: ${answer.content[0].text}`);
  if (answer.isError) return;
  const fresh = answer.structuredContent.to;
  assert.ok(isOwner || !ids.has(fresh), `${fresh} was nobody's`);
  const changed = (each: Entity): Entity => {
    const all = Object.entries(each.attributes).map(([name, value]) =>
      [name, (kind === "id" || name === kind) && value === from ? fresh : value] as const
    );
    const sections = each.sections.map(({ heading, text }) => ({
      heading,
      text: isOwner ? text : text.replaceAll(`{% ref "${from}"`, `{% ref "${fresh}"`),
    }));
    const after = { ...each, sections, attributes: Object.fromEntries(all) };
    if (isOwner || each.id !== from) return after;
    return { ...after, id: fresh, title: each.title.replace(`${from} — `, `${fresh} — `) };
  };
  samePlan(world.plan, plan.map(changed), "plan_rename changes every mention");
  if (dice.isOneOf(2)) await undoLast(world, dice, 1);
};

const commit: Step = (world) => {
  world.log.push("git commit");
  world.history?.commit(world.files);
};

const worktree: Step = (world, dice) => {
  world.log.push("work in a worktree");
  world.history?.workBeside((files) => edited(files, dice), dice.isOneOf(2));
};

/** The lines that a side has and its base has not. */
function linesOf(files: Files, base: Files): Set<string> {
  const all = (some: Files) =>
    Object.values(some).flatMap((text) => text.split(/\r?\n/))
      .filter((line) => !/^(?:\{% |# |\s*$)/.test(line));
  return new Set(all(files)).difference(new Set(all(base)));
}

/** Changes one entity here and, in another way, on a new branch, which is merged. */
const fork: Step = async (world, dice) => {
  const { history, cwd, log } = world;
  if (history === undefined || world.plan.length === 0) return;
  history.commit(world.files);
  const [start, branch] = [history.branch, `f${history.branches.size}`];
  const { file } = dice.pick(world.plan);
  const base = world.files;
  const sides = [branch, start].map((name) => {
    history.checkout(name);
    world.look();
    world.write({ ...edited(world.files, dice, file), ...edited(base, dice, file) });
    history.commit(world.files);
    return world.files;
  });
  const hash = history.branches.get(branch)!;
  // Others see what a branch has that is not merged.
  if (history.ancestors(history.head).has(hash) || dice.isOneOf(4)) return;
  log.push(`git merge ${branch}: ${file}`);
  try {
    git(cwd, "merge", "-q", "--no-ff", "--no-commit", branch);
  } catch {
    world.look();
    const take = { sections: "both", criteria: "both", rest: dice.pick(["ours", "theirs"]) };
    const { structuredContent: first } = await world.change("plan_merge", { all: true });
    const isOpen = first?.open !== undefined &&
      (await world.change("plan_merge", { all: true, take })).structuredContent?.open !== undefined;
    if (first === undefined || isOpen) {
      git(cwd, "merge", "--abort");
      return world.look();
    }
  }
  world.look();
  history.commit(world.files, hash);
  const added = sides.map((side) => linesOf(side, base)).reduce((a, b) => a.union(b));
  assert.deepEqual(
    [...added.difference(linesOf(world.files, {}))],
    [],
    `a merge loses nothing: ${log.at(-1)}`,
  );
};

/** The steps by name, and how often each comes. */
export const STEPS: Readonly<Record<string, readonly [weight: number, step: Step]>> = {
  ...{ update: [10, update], create: [3, create], claim: [4, claim], undo: [3, undoLast] },
  ...{ together: [1, together], rename: [3, rename], edit: [5, edit], commit: [3, commit] },
  ...{ worktree: [2, worktree], fork: [3, fork] },
};
