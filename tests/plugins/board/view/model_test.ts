import assert from "node:assert/strict";
import {
  ALL,
  type Card,
  chainOf,
  changesBetween,
  defaultSettings,
  filterCards,
} from "../../../../plugins/board/view/model.ts";

const card = (id: string, rest: Partial<Card> = {}): Card => ({
  id,
  type: "work",
  title: `Title of ${id}`,
  status: "ready",
  ...rest,
});
const mapOf = (...cards: Card[]) => new Map(cards.map((one) => [one.id, one]));
const idsOf = (cards: readonly Card[]) => cards.map(({ id }) => id);

Deno.test("filterCards() sorts by urgency, then by number", () => {
  const cards = mapOf(
    card("WORK-10", { priority: "low" }),
    card("WORK-9", { priority: "low" }),
    card("WORK-11"),
    card("BUG-1", { priority: "critical" }),
  );
  const sorted = (sort: string) => idsOf(filterCards(cards, { sort }));
  assert.deepEqual(sorted("priority"), ["BUG-1", "WORK-9", "WORK-10", "WORK-11"]);
  assert.deepEqual(sorted("newest"), ["WORK-11", "WORK-10", "WORK-9", "BUG-1"]);
  assert.deepEqual(sorted("nonsense"), sorted("priority"));
});

Deno.test("defaultSettings() chooses work in the active milestone with the most open work", () => {
  const plan = mapOf(
    card("v1", { type: "milestone", status: "active" }),
    card("v2", { type: "milestone", status: "active" }),
    card("v3", { type: "milestone", status: "planning" }),
    card("WORK-1", { milestone: "v1" }),
    card("WORK-2", { milestone: "v2" }),
    card("WORK-3", { milestone: "v2" }),
    card("WORK-4", { milestone: "v3" }),
  );
  const { type, milestone } = defaultSettings(plan);
  assert.deepEqual([type, milestone], ["tasks", "v2"]);
  const specs = defaultSettings(mapOf(card("SPEC-1", { type: "spec" })));
  assert.deepEqual([specs.type, specs.milestone], [ALL, ALL]);
  const finished = defaultSettings(mapOf(
    card("v1", { type: "milestone", status: "active" }),
    card("WORK-1", { milestone: "v1", status: "done", finished: true }),
  ));
  assert.deepEqual([finished.type, finished.milestone], ["tasks", ALL]);
});

Deno.test("chainOf() follows a chain once, also with cycles", () => {
  const cards = mapOf(
    card("WORK-1", { blockedBy: ["WORK-3"] }),
    card("WORK-2", { blockedBy: ["WORK-1"] }),
    card("WORK-3", { blockedBy: ["WORK-2"] }),
    card("WORK-4"),
  );
  assert.deepEqual(chainOf(cards, "WORK-2"), [["WORK-1"], ["WORK-3"]]);
  assert.deepEqual(chainOf(cards, "WORK-4"), []);
});

Deno.test("changesBetween() returns changes with their authors", () => {
  const before = mapOf(card("WORK-1"), card("WORK-2"), card("WORK-3"), card("WORK-4"));
  const after = mapOf(
    card("WORK-1", { status: "in-progress", assignee: "ada" }),
    card("WORK-2", { assignee: "bob" }),
    card("WORK-3", { title: "Other" }),
    card("WORK-5"),
  );
  assert.deepEqual([...changesBetween(before, after).values()], [
    "WORK-1: ready → in-progress (@ada)",
    "WORK-2: claimed by bob",
    "WORK-3 was edited",
    "WORK-5 is new",
    "WORK-4 was removed",
  ]);
});
