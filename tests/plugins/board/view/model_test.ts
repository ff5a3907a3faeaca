import assert from "node:assert/strict";
import { type Card, changesBetween, filterCards } from "../../../../plugins/board/view/model.ts";

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

Deno.test("changesBetween() returns changes with their authors", () => {
  const before = mapOf(
    card("WORK-1"),
    card("WORK-2"),
    card("WORK-3"),
    card("WORK-4"),
    card("WORK-6"),
  );
  const after = mapOf(
    card("WORK-1", { status: "in-progress", assignee: "ada" }),
    card("WORK-2", { assignee: "bob" }),
    card("WORK-3", { title: "Other" }),
    card("WORK-5"),
    card("WORK-6", { text: "1a2b3c" }),
  );
  assert.deepEqual([...changesBetween(before, after).values()], [
    "WORK-1: ready → in-progress (@ada)",
    "WORK-2: claimed by bob",
    "WORK-3: title",
    "WORK-5 is new",
    "WORK-6: text",
    "WORK-4 was removed",
  ]);
});
