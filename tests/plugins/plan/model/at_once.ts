/** Calls of two servers at once, and of other clones: nobody gets or loses what another has. */

import assert from "node:assert/strict";
import { canonical, isUnique, samePlan } from "./agree.ts";
import { idAt, type Raw } from "./arguments.ts";
import { type Outcome, updated } from "./changes.ts";
import type { Entity, Plan } from "./facts.ts";
import type { World } from "./world.ts";

/** Work in another clone of the remote. */
export async function clone(world: World, raw: Raw): Promise<void> {
  const id = idAt(world, Number(raw["id"] ?? 0));
  const known = world.claims.get(id);
  if (raw["type"] !== undefined) {
    const made = await world.elsewhere("plan.create", { type: raw["type"], title: "Elsewhere" });
    if (made === undefined || made.isError) return;
    const { id: fresh } = made.structuredContent;
    assert.ok(!world.own.has(fresh), `${fresh} is reserved here`);
    world.reserved.add(fresh);
    return;
  }
  const isRelease = raw["release"] === true;
  const args = { id, assignee: "eve", ...isRelease ? { release: true } : {} };
  const answer = await world.elsewhere("plan.claim", args);
  if (answer === undefined || answer.isError) return;
  assert.ok(
    known === undefined || known.owner === "eve",
    `${id} is ${known?.owner}'s on the remote`,
  );
  if (isRelease) world.claims.delete(id);
  else world.claims.set(id, { owner: "eve", isHere: false });
  world.foreign.add(id);
}

/** Entities that two servers create at once. */
export async function creations(world: World): Promise<void> {
  const before = world.plan;
  const answers = await Promise.all(
    ["One", "Two"].map((title) => world.call("plan.create", { type: "work", title })),
  );
  world.said.push("two plan.create at once");
  world.look();
  if (!isUnique(world)) return;
  const made = answers.map(({ structuredContent: { id } }) => id);
  assert.equal(new Set(made).size, 2, `two ids: ${made}`);
  samePlan(world.plan.filter(({ id }) => !made.includes(id)), before);
  for (const id of made) world.own.add(id);
}

/** Texts that two servers add to one entity at once are both there. */
export async function additions(world: World, raw: Raw): Promise<void> {
  const id = idAt(world, Number(raw["id"] ?? 0));
  const args = (text: string) => ({ id, append: { Notes: text } });
  world.said.push(`two plan.update at once: ${id}`);
  const answers = await Promise.all(
    ["One.", "Two."].map((text) => world.call("plan.update", args(text))),
  );
  const wanted = ["One.", "Two."].reduce<Outcome>(
    (plan, text) => typeof plan === "string" ? plan : updated(plan, args(text)),
    world.plan,
  );
  world.look();
  if (typeof wanted === "string") return assert.ok(answers.every(({ isError }) => isError));
  if (answers.some(({ isError }) => isError)) return;
  const sortedWords = (plan: Plan) => plan.map((one) => canonical(one).split(/\W+/).sort().join());
  assert.deepEqual(sortedWords(world.plan), sortedWords(wanted), "both are there");
}

/** Claims at once by two servers: of one item, or of the next. */
export async function race(world: World, raw: Raw): Promise<void> {
  const args = typeof raw["id"] === "number" ? { id: idAt(world, raw["id"]) } : {};
  world.said.push(`two plan.claim at once ${JSON.stringify(args)}`);
  const answers = await Promise.all(
    ["ada", "bob"].map((assignee) => world.call("plan.claim", { ...args, assignee })),
  );
  const taken = answers.flatMap(({ isError, structuredContent }) =>
    isError ? [] : structuredContent.items.map(({ id }: Entity) => id)
  );
  assert.equal(new Set(taken).size, taken.length, `nobody takes what another has: ${taken}`);
  for (const [at, { isError, structuredContent }] of answers.entries()) {
    const [item] = isError ? [] : structuredContent.items;
    if (item && world.remote) {
      world.claims.set(item.id, { owner: ["ada", "bob"][at]!, isHere: true });
    }
  }
  world.look();
}
