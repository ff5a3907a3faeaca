import assert from "node:assert/strict";
import { answerOf } from "../../src/sandbox/answer.ts";
import type { CallOutcome } from "../../src/sandbox/call.ts";
import { errorOf } from "../support/calls.ts";

const DONE: CallOutcome<unknown> = {
  value: undefined,
  stdout: "",
  stderr: "",
  exitCode: undefined,
  printsAnswer: false,
};

function answer(outcome: Partial<CallOutcome<unknown>>): { value: unknown; logged: string[] } {
  const logged: string[] = [];
  return { value: answerOf({ ...DONE, ...outcome }, (text) => logged.push(text)), logged };
}

Deno.test("what a command prints is its answer: data if it is JSON, else text", () => {
  const printed = (stdout: string) => answer({ stdout, stderr: "note\n", printsAnswer: true });
  assert.deepEqual(printed(' {"a":1}\n'), { value: { a: 1 }, logged: ["note"] });
  assert.deepEqual(printed("[1]").value, [1]);
  assert.equal(printed("[note] done\n").value, "[note] done");
  assert.equal(printed(" \n").value, undefined);
});

Deno.test("what is returned wins, and what is printed beside it goes to the log", () => {
  for (const printsAnswer of [true, false]) {
    assert.deepEqual(answer({ value: 1, stdout: "out", stderr: "err", printsAnswer }), {
      value: 1,
      logged: ["out", "err"],
    });
  }
  assert.deepEqual(answer({ stdout: "out" }), { value: undefined, logged: ["out"] });
});

Deno.test("an exit code is an error with what was said; 0 is none for a command, or beside a value", async () => {
  const failure = async (outcome: Partial<CallOutcome<unknown>>) => {
    const { code, message, data } = await errorOf(Promise.try(() => answer(outcome)));
    return [code, message, data];
  };
  assert.deepEqual(await failure({ exitCode: 2, stdout: "all", stderr: "Bad\n" }), [
    "TOOL_FAILED",
    "Bad",
    { exitCode: 2 },
  ]);
  const silent = await failure({ exitCode: 0 });
  assert.deepEqual(silent, ["TOOL_FAILED", "A package ended with exit code 0", { exitCode: 0 }]);
  assert.equal((await failure({ exitCode: 1, value: 1 }))[1], "A package ended with exit code 1");
  assert.equal(answer({ exitCode: 0, value: 1 }).value, 1);
  assert.equal(answer({ exitCode: 0, stdout: "fine", printsAnswer: true }).value, "fine");
});
