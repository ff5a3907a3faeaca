import assert from "node:assert/strict";
import { Dice } from "../model/world.ts";
import { inOwnHome, origin, withClone } from "./origin.ts";

inOwnHome();

Deno.test("of two clones of a remote, one has each item, and no id is given twice", async () => {
  const { bare, clone } = origin(3);
  const dice = new Dice(20261123);
  const owners = ["ada", "bob"];
  await withClone(clone(), bare, (ada) =>
    withClone(clone(), bare, async (bob) => {
      /** Which of the clones has an item. */
      const holders = new Map<string, number>();
      const ids = new Set<string>();
      const claim = async (at: number, id: string, release = false) => {
        const args = { id, assignee: owners[at], ...release && { release } };
        const { isError } = await [ada, bob][at]!.call("plan_claim", args);
        return isError !== true;
      };
      for (let step = 0; step < 16; step++) {
        const id = `WORK-00${1 + dice.below(3)}`;
        const holder = holders.get(id);
        if (dice.isOneOf(4)) {
          const made = await Promise.all(
            [ada, bob].map(({ ok }) => ok("plan_create", { type: "bug", title: "At once" })),
          );
          for (const { id } of made) ids.add(id);
          assert.equal(ids.size % 2, 0, `an id is given twice: ${[...ids]}`);
        } else if (holder !== undefined && dice.isOneOf(2)) {
          assert.ok(await claim(holder, id, true), `${id} is released by its owner`);
          holders.delete(id);
        } else {
          const won = await Promise.all([claim(0, id), claim(1, id)]);
          const said = `${id} of ${holder === undefined ? "nobody" : owners[holder]}: ${won}`;
          if (holder === undefined) assert.equal(won.filter(Boolean).length, 1, said);
          else assert.deepEqual(won, [holder === 0, holder === 1], said);
          holders.set(id, won.indexOf(true));
        }
      }
    }));
});
