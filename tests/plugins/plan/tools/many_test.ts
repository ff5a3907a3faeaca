/** Changes of many things: how many calls and characters they cost an agent. */

import assert from "node:assert/strict";
import { MANY } from "../../../../bench/agent_jobs.ts";
import { inProcess } from "../../../support/in_process.ts";
import { planOfMany } from "../../../support/plan_of_many.ts";

/** The most calls and characters of each job, typed ones included. */
const MOST = [[2, 1500], [1, 1500], [2, 2500]];

Deno.test("a name in 50 entities, five changes and a deletion taken back cost few calls and characters", async () => {
  await inProcess(planOfMany(), async ({ ok }) => {
    for (const [at, [asks, ...calls]] of MANY.entries()) {
      let characters = 0;
      for (const [name, input] of calls) {
        const answer = await ok(name, input);
        characters += JSON.stringify([input, answer]).length;
      }
      const [mostCalls = 0, mostCharacters = 0] = MOST[at]!;
      assert.ok(
        calls.length <= mostCalls && characters <= mostCharacters,
        `${asks}: ${characters}`,
      );
    }
    const { total } = await ok("plan_list", { milestone: "v1.1.0" });
    assert.equal(total, 50);
    const { items } = await ok("plan_get", { ids: ["WORK-099", "WORK-058"] });
    assert.deepEqual(items[1].dependencies.map(({ id }: { id: string }) => id), ["WORK-099"]);
  });
});
