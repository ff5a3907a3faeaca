import assert from "node:assert/strict";
import process from "node:process";
import { openProject } from "../../src/project/project.ts";
import { runCommand } from "../../src/plugin_host/run_command.ts";
import { answerOf } from "../../src/sandbox/answer.ts";
import { currentCall, runAsCall } from "../../src/sandbox/call.ts";
import { enterSandbox } from "../../src/sandbox/mod.ts";
import { callContext, errorOf } from "../support/calls.ts";
import { makeProject } from "../support/project.ts";

const PROJECT = openProject(makeProject());
enterSandbox(PROJECT.cwd);
const CONTEXT = { ...callContext(PROJECT), cwd: PROJECT.cwd, planDir: null };

type Command = Parameters<typeof runCommand>[0];
const print = (text: string) => void process.stdout.write(text);
const run = async (command: Command, input = {}) =>
  answerOf(
    await runAsCall(PROJECT.cwd, () => runCommand(command, input, CONTEXT as never)),
    () => {},
  );

Deno.test("the structured handler is preferred, and what it printed is the answer where it returned none", async () => {
  const handler = () => assert.fail("not this one");
  assert.deepEqual(
    await run({ handler, mcpHandler: (input: unknown) => ({ got: input }) }, { a: 1 }),
    { got: { a: 1 } },
  );
  assert.deepEqual(await run({ mcpHandler: () => print('{"b":2}') }), { b: 2 });
  assert.equal(await run({ mcpHandler: () => {} }), undefined);
});

Deno.test("a handler for the command line gets words, and its output is the answer", async () => {
  assert.equal(
    await run({ handler: (args: string[]) => print(args.join("|")) }, {
      args: ["a b", "--c"],
    }),
    "a b|--c",
  );
});

Deno.test("a command is a part of the call that it was made in: its output is taken once", async () => {
  await runAsCall(PROJECT.cwd, async () => {
    const around = currentCall();
    assert.equal(await runCommand({ mcpHandler: currentCall }, {}, CONTEXT as never), around);
  });
});

Deno.test("an exit code is an error with what was said, and an exit with 0 is none", async () => {
  const failing = await errorOf(run({
    handler: () => {
      process.stderr.write("No such id");
      process.exit(2);
    },
  }));
  assert.deepEqual([failing.code, failing.message, failing.data], ["TOOL_FAILED", "No such id", {
    exitCode: 2,
  }]);
  const answer = await run({
    handler: () => {
      print("fine");
      process.exit(0);
    },
  });
  assert.equal(answer, "fine");
});

Deno.test("an error with one of our codes keeps it, and no other word becomes a code", async () => {
  const throwing = (errorCode: string) => () => {
    throw Object.assign(new Error("Bad"), { errorCode, hint: "Do better" });
  };
  const error = await errorOf(run({ mcpHandler: throwing("CONFLICT") }));
  assert.deepEqual([error.code, error.hint], ["CONFLICT", "Do better"]);
  for (const code of ["constructor", "__proto__", "MADE_UP"]) {
    await assert.rejects(
      run({ mcpHandler: throwing(code) }),
      (error) => (error as { code?: unknown }).code === undefined,
    );
  }
  await assert.rejects(run({}), { code: "TOOL_FAILED" });
});
