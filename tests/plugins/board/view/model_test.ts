import assert from "node:assert/strict";
import {
  ALL,
  type Card,
  chainOf,
  changesBetween,
  choicesOf,
  columnsOf,
  defaultSettings,
  filterCards,
  laneOf,
  NONE,
  progressOf,
  type Settings,
  sortNames,
  sortStatuses,
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

Deno.test("filterCards() takes every word of the text, and every filter", () => {
  const cards = mapOf(
    card("WORK-1", { title: "Query box", assignee: "ada", tags: ["ui", "css"], milestone: "v1" }),
    card("WORK-2", { title: "Box", priority: "high", status: "blocked" }),
    card("SPEC-1", { type: "spec" }),
    card("v1", { type: "milestone" }),
  );
  const found = (settings: Settings) => idsOf(filterCards(cards, settings)).sort();
  assert.deepEqual(found({ text: "BOX query" }), ["WORK-1"]);
  assert.deepEqual(found({ type: "work" }), ["WORK-1", "WORK-2"]);
  assert.deepEqual(found({ assignee: "ada" }), ["WORK-1"]);
  assert.deepEqual(found({ assignee: NONE, type: "work" }), ["WORK-2"]);
  assert.deepEqual(found({ tag: "css" }), ["WORK-1"]);
  assert.deepEqual(found({ priority: "high" }), ["WORK-2"]);
  assert.deepEqual(found({ milestone: "v1" }), ["WORK-1", "v1"]);
  assert.deepEqual(found({ blocked: "yes" }), ["WORK-2"]);
  assert.equal(found({ type: ALL }).length, 4);
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
  assert.deepEqual([type, milestone], ["work", "v2"]);
  const specs = defaultSettings(mapOf(card("SPEC-1", { type: "spec" })));
  assert.deepEqual([specs.type, specs.milestone], [ALL, ALL]);
  const finished = defaultSettings(mapOf(
    card("v1", { type: "milestone", status: "active" }),
    card("WORK-1", { milestone: "v1", status: "done", finished: true }),
  ));
  assert.deepEqual([finished.type, finished.milestone], ["work", ALL]);
});

Deno.test("columnsOf() follows the lifecycle, and folds what is finished or not started", () => {
  const statuses = ["draft", "done", "ready", "review", "in-progress", "blocked", "pending"];
  const cards = [
    card("WORK-1"),
    card("WORK-2", { status: "draft" }),
    card("WORK-3", { status: "done", finished: true }),
  ];
  const columns = columnsOf(cards, statuses, "");
  assert.deepEqual(columns.map(({ status, count, folded }) => [status, count, folded]), [
    ["draft", 1, false],
    ["pending", 0, true],
    ["ready", 1, false],
    ["in-progress", 0, false],
    ["review", 0, false],
    ["blocked", 0, false],
    ["done", 1, true],
  ]);
  const toggled = columnsOf(cards, statuses, "done,ready");
  assert.deepEqual(toggled.filter(({ folded }) => folded).map(({ status }) => status), [
    "pending",
    "ready",
  ]);
});

Deno.test("sortStatuses() puts finished ones last, and unknown ones before them", () => {
  assert.deepEqual(sortStatuses(["done", "qa", "ready", "draft"]), [
    "draft",
    "ready",
    "qa",
    "done",
  ]);
});

Deno.test("choicesOf() counts what is open", () => {
  const cards = mapOf(
    card("WORK-1", { assignee: "ada" }),
    card("WORK-2", { assignee: "ada", finished: true }),
    card("WORK-3", { priority: "high" }),
  );
  assert.deepEqual(choicesOf(cards, "assignee"), [["ada", 1], [NONE, 1]]);
  assert.deepEqual(choicesOf(cards, "priority"), [["high", 1], [NONE, 1]]);
});

Deno.test("progressOf() counts work and bugs of a milestone", () => {
  const cards = mapOf(
    card("WORK-1", { milestone: "v1", finished: true }),
    card("BUG-1", { milestone: "v1", type: "bug" }),
    card("SPEC-1", { milestone: "v1", type: "spec" }),
  );
  assert.deepEqual([...progressOf(cards)], [["v1", { done: 1, all: 2 }]]);
});

Deno.test("laneOf() puts a milestone into its own lane", () => {
  assert.equal(laneOf(card("v1", { type: "milestone" }), "milestone"), "v1");
  assert.equal(laneOf(card("WORK-1"), "milestone"), NONE);
  assert.equal(laneOf(card("WORK-1", { assignee: "ada" }), "assignee"), "ada");
  assert.equal(laneOf(card("WORK-1"), ""), "");
});

Deno.test("sortNames() counts, and puts none last", () => {
  assert.deepEqual(sortNames(["v0.10.0", NONE, "v0.9.0", "v0.9.0"]), ["v0.9.0", "v0.10.0", NONE]);
});

Deno.test("chainOf() follows a chain once, in circles too", () => {
  const cards = mapOf(
    card("WORK-1", { blockedBy: ["WORK-3"] }),
    card("WORK-2", { blockedBy: ["WORK-1"] }),
    card("WORK-3", { blockedBy: ["WORK-2"] }),
    card("WORK-4"),
  );
  assert.deepEqual(chainOf(cards, "WORK-2"), ["WORK-1", "WORK-3"]);
  assert.deepEqual(chainOf(cards, "WORK-4"), []);
});

Deno.test("changesBetween() says who did what", () => {
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
