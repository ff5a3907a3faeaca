/** The steps of a sequence, and what they have to do with each other. */

import assert from "node:assert/strict";
import fc from "../../../support/npm/fast_check.ts";
import { agree, isUnique, offersOf } from "./agree.ts";
import { argumentsOf, meant, type Raw } from "./arguments.ts";
import * as calls from "./calls.ts";
import { type Entity, isFinished } from "./facts.ts";
import { checkout, commit, edit, fork, worktree } from "./git_steps.ts";
import { anyEdit, anyEdits } from "./seeds.ts";
import type { World } from "./world.ts";

type Work = (world: World, raw: Raw) => Promise<unknown> | void;

/** A step of a sequence. */
class Step implements fc.AsyncCommand<World, World> {
  constructor(readonly name: string, readonly raw: Raw, readonly work: Work) {}

  check(): boolean {
    return true;
  }

  async run(world: World): Promise<void> {
    world.left--;
    try {
      await this.work(world, this.raw);
      // What only reads has compared its answer.
      if (READ.includes(this.name) && world.left > 0) return;
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

/** Calls that only read; what they show is what their filters say. */
const ask = (tool: string): Work => async (world, raw) => {
  const args = meant(world, raw);
  const before = world.files;
  world.nextReader();
  const answer = await world.call(tool, args);
  world.look();
  assert.deepEqual(world.files, before, `${tool} only reads`);
  if (tool !== "plan_list" && tool !== "plan_next" || !isUnique(world)) return;
  if (tool === "plan_next" && (args["detail"] === "full" || world.history?.isCrossed)) return;
  const valuesOf = (one: Entity, name: string) => {
    const value = name === "type" ? one.type : one.attributes[name === "tag" ? "tags" : name];
    return value ? value.split(", ") : ["none"];
  };
  const fits = (one: Entity) =>
    ["type", "status", "milestone", "tag", "assignee", "priority"].every((name) =>
      args[name] === undefined || args[name] === "all" ||
      valuesOf(one, name).some((value) => [args[name]].flat().includes(value))
    ) && (args["open"] === undefined || isFinished(one, world.plan) !== args["open"]);
  const own = args["assignee"] === "none" ? undefined : args["assignee"] as string | undefined;
  const wanted = (tool === "plan_list" ? world.plan : offersOf(world, own).offered).filter(fits);
  const ids = `${tool} ${JSON.stringify(args)} has ${wanted.map(({ id }) => id)}`;
  if (answer.isError) {
    // A filter by a value that nobody has is a mistake.
    const isUsed = (name: string) =>
      [args[name]].flat().every((value) =>
        value === "none" || world.plan.some((one) => valuesOf(one, name).includes(String(value)))
      );
    const isMistake = ["milestone", "tag", "assignee"].some((name) =>
      name in args && !isUsed(name)
    );
    return assert.ok(isMistake, ids);
  }
  const { total, items } = answer.structuredContent;
  if (tool === "plan_next") {
    assert.equal(items.length, Math.min(wanted.length, Number(args["count"] ?? 1)), ids);
  } else if (["text", "claimed", "branches", "blocks"].every((name) => !(name in args))) {
    assert.equal(total, wanted.length, ids);
  }
};

const READ = "list next next_id get status validate review history board".split(" ")
  .map((name) => `plan_${name}`);
const listed = (names: string) => names.split(", ");
const anyAt = fc.record({ at: fc.nat(10) });

/** The steps, by name. */
const STEPS: Readonly<Record<string, readonly [raw: fc.Arbitrary<Raw>, work: Work]>> = {
  "plan_update": [argumentsOf("plan_update", "id"), calls.update],
  "plan_update if": [argumentsOf("plan_update", "id if", 1), calls.update],
  "plan_update of criteria": [argumentsOf("plan_update", "id check", 1), calls.update],
  "plan_update of several": [argumentsOf("plan_update", "ids"), calls.update],
  "plan_claim": [argumentsOf("plan_claim", "assignee id"), calls.claim],
  "plan_claim the next": [argumentsOf("plan_claim", "assignee", 2), calls.claim],
  "plan_create": [argumentsOf("plan_create", "type title"), calls.create],
  "plan_rename": [argumentsOf("plan_rename", "kind from", 2), calls.renumber],
  "plan_undo": [argumentsOf("plan_undo", "token", 1), calls.undo],
  "plan_merge": [argumentsOf("plan_merge"), calls.keeping("plan_merge")],
  "plan_init": [argumentsOf("plan_init"), calls.keeping("plan_init")],
  ...Object.fromEntries(READ.map((tool) => {
    const needed = { "plan_next_id": "type", "plan_next": "count" }[tool];
    return [tool, [argumentsOf(tool, needed), ask(tool)]];
  })),
  "two claims": [argumentsOf("plan_claim", "assignee", 1), calls.race],
  "two creations": [fc.constant({}), calls.creations],
  "two additions": [anyAt, calls.additions],
  "another clone": [fc.record({ at: fc.nat(10), release: fc.boolean() }), calls.clone],
  "another clone creates": [fc.record({ type: fc.constantFrom("work", "bug") }), calls.clone],
  "follow": [anyAt, calls.follow],
  "editor": [anyEdit, edit],
  "git commit": [anyEdits, commit],
  "git checkout": [fc.record({ at: fc.nat(2) }), checkout],
  "git merge": [
    fc.tuple(anyEdits, argumentsOf("plan_merge", "take", 0)).map(([one, take]) => ({
      ...one,
      ...take,
    })),
    fork,
  ],
  "worktree": [anyEdit, worktree],
  "restart": [fc.record({ at: fc.nat(1) }), (world, { at }) => world.restart(Number(at))],
};

/** Steps that meet more often when a sequence has no others. */
const TOPICS = {
  all: Object.keys(STEPS).filter((name) => !name.startsWith("another clone")),
  texts: listed(
    "plan_update, plan_update of several, plan_update if, plan_update if, plan_update of criteria, " +
      "plan_update of criteria, plan_claim, plan_claim the next, plan_create, plan_undo, plan_undo, " +
      "editor, two additions, follow",
  ),
  lists: [...READ, ...READ, ...listed("plan_update, plan_claim the next, editor")],
  git: listed(
    "git commit, git checkout, worktree, git merge, git merge, git merge, editor, plan_update, " +
      "plan_claim, plan_claim the next, restart",
  ),
  ids: listed("plan_create, plan_rename, two creations, worktree, git checkout, editor"),
  remote: listed(
    "another clone, another clone creates, plan_claim, plan_claim the next, two claims, " +
      "plan_create, plan_rename, plan_update, restart",
  ),
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
