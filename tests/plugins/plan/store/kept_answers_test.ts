import assert from "node:assert/strict";
import { KeptAnswers } from "../../../../plugins/plan/store/kept_answers.ts";

Deno.test("an answer is made once, a failure each time, and arguments from outside fill no memory", async () => {
  const answers = new KeptAnswers();
  let made = 0;
  const make = () => Promise.resolve(++made);
  assert.deepEqual([await answers.get("a", make), await answers.get("a", make)], [1, 1]);
  assert.equal(await answers.get("b", make), 2);
  const failing = () => answers.get("c", () => Promise.reject(new Error(`failed ${++made}`)));
  await assert.rejects(failing, /failed 3/);
  await assert.rejects(failing, /failed 4/);
  for (let index = 0; index < 100; index++) await answers.get(`other ${index}`, make);
  assert.equal(await answers.get("a", make), 105);
});
