import assert from "node:assert/strict";
import {
  type Card,
  chainOf,
  filterCards,
  laneOf,
  sortNames,
  sortStatuses,
  waitingFor,
} from "../../../../plugins/board/view/model.ts";

const card = (id: string, rest: Partial<Card> = {}): Card => ({
  id,
  type: "work",
  title: `Title of ${id}`,
  status: "ready",
  ...rest,
});
const ALL = { words: "", type: "", milestone: "", finished: true, blocked: false };
const mapOf = (...cards: Card[]) => new Map(cards.map((one) => [one.id, one]));

Deno.test("filterCards() shows the urgent ones first, then in the order of their numbers", () => {
  const cards = [
    card("WORK-10", { priority: "low" }),
    card("WORK-9", { priority: "low" }),
    card("WORK-11"),
    card("BUG-1", { priority: "critical" }),
  ];
  assert.deepEqual(filterCards(cards, ALL).map(({ id }) => id), [
    "BUG-1",
    "WORK-9",
    "WORK-10",
    "WORK-11",
  ]);
});

Deno.test("filterCards() takes every word of the search, wherever it stands", () => {
  const cards = [card("WORK-1", { title: "Query box" }), card("WORK-2", { title: "Box" })];
  const found = (words: string) => filterCards(cards, { ...ALL, words }).map(({ id }) => id);
  assert.deepEqual(found("BOX query"), ["WORK-1"]);
  assert.deepEqual(found("work-2"), ["WORK-2"]);
  assert.deepEqual(found("  "), ["WORK-1", "WORK-2"]);
});

Deno.test("filterCards() narrows by type, milestone, finished and blocked", () => {
  const cards = [
    card("v1", { type: "milestone" }),
    card("A", { milestone: "v1", finished: true }),
    card("B", { blockedBy: ["A"] }),
    card("C", { status: "blocked" }),
  ];
  const found = (filter: Partial<typeof ALL>) =>
    filterCards(cards, { ...ALL, ...filter }).map(({ id }) => id);
  assert.deepEqual(found({ type: "milestone" }), ["v1"]);
  assert.deepEqual(found({ milestone: "v1" }), ["A", "v1"]);
  assert.deepEqual(found({ milestone: "none" }), ["B", "C"]);
  assert.deepEqual(found({ finished: false }), ["B", "C", "v1"]);
  assert.deepEqual(found({ blocked: true }), ["B", "C"]);
});

Deno.test("a milestone is in its own lane, and what has none is in the last", () => {
  assert.equal(laneOf(card("v1", { type: "milestone" }), "milestone"), "v1");
  assert.equal(laneOf(card("A"), "milestone"), "none");
  assert.equal(laneOf(card("A"), "type"), "work");
  assert.deepEqual(sortNames(["none", "v0.10", "v0.9", "v0.9"]), ["v0.9", "v0.10", "none"]);
});

Deno.test("sortStatuses() puts unknown statuses before the finished ones", () => {
  assert.deepEqual(sortStatuses(["done", "odd", "in-progress", "draft", "done"]), [
    "draft",
    "in-progress",
    "odd",
    "done",
  ]);
});

Deno.test("a chain goes on to what is waited for, and ends in a cycle", () => {
  const cards = mapOf(
    card("A", { blockedBy: ["B", "C"] }),
    card("B", { blockedBy: ["D"] }),
    card("C"),
    card("D", { blockedBy: ["A"] }),
  );
  assert.deepEqual(chainOf(cards, "A"), ["B", "C", "D"]);
  assert.deepEqual(waitingFor(cards, "C"), ["A", "D", "B"]);
  assert.deepEqual(chainOf(cards, "nowhere"), []);
});
