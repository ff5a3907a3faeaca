import assert from "node:assert/strict";
import { burnUp, steps } from "../../../../plugins/board/view/burn_up.ts";

const LIVES = new Map([
  { id: "A", created: "2026-01-01", finished: "2026-01-11" },
  { id: "B", created: "2026-01-11" },
].map((life) => [life.id, life]));
const [A, B, NEW] = [{ id: "A", finished: true }, { id: "B" }, { id: "C", finished: true }];

Deno.test("burnUp() counts what there was and what was finished on each day of a change", () => {
  assert.deepEqual(burnUp([A, B], LIVES), [
    { date: "2026-01-01", all: 1, finished: 0 },
    { date: "2026-01-11", all: 2, finished: 1 },
  ]);
  assert.deepEqual(burnUp([A, B], LIVES, "2026-02-01").at(-1), {
    date: "2026-02-01",
    all: 2,
    finished: 1,
  });
});

Deno.test("burnUp() counts what git does not know yet on the last day", () => {
  assert.deepEqual(burnUp([A, NEW], LIVES).map(({ all, finished }) => [all, finished]), [
    [1, 0],
    [2, 2],
  ]);
  assert.deepEqual(burnUp([NEW], LIVES, "2026-02-01"), []);
});

Deno.test("steps() draws from day to day, upwards and in proportion", () => {
  const size = { width: 100, height: 10 };
  const days = burnUp([A, B], LIVES, "2026-01-21");
  assert.equal(
    steps(days, ({ all }) => all, size),
    "0.0,10.0 0.0,5.0 50.0,5.0 50.0,0.0 100.0,0.0 100.0,0.0",
  );
  assert.equal(
    steps(burnUp([B], LIVES), ({ all }) => all, size),
    "0.0,10.0 0.0,0.0 100,0.0",
    "one day is a line too",
  );
});
