import assert from "node:assert/strict";
import {
  appendOutput,
  currentCall,
  ExitRequest,
  runAsCall,
  settleExit,
  withInterceptor,
} from "../../src/sandbox/call.ts";

Deno.test("calls that run side by side keep their output apart", async () => {
  const say = (word: string) =>
    runAsCall("/project", async () => {
      for (let index = 0; index < 3; index++) {
        appendOutput(currentCall()!, "stdout", word);
        await Promise.resolve();
      }
      return word;
    });
  const outcomes = await Promise.all([say("a"), say("b")]);
  assert.deepEqual(outcomes.map(({ value, stdout }) => [value, stdout]), [["a", "aaa"], [
    "b",
    "bbb",
  ]]);
  assert.equal(currentCall(), undefined);
});

Deno.test("an exit ends the call with its code, the first one, also where nobody awaits who asks for it", async () => {
  const exit = (code: number) => {
    const call = currentCall()!;
    call.exitCode ??= code;
    return new ExitRequest(call.exitCode, call);
  };
  const thrown = await runAsCall("/project", () => {
    appendOutput(currentCall()!, "stderr", "why");
    throw exit(3);
  });
  assert.deepEqual(thrown, {
    value: undefined,
    stdout: "",
    stderr: "why",
    exitCode: 3,
    printsAnswer: false,
  });
  const forgotten = await runAsCall("/project", () => {
    const request = exit(4);
    queueMicrotask(() => settleExit(request));
    return new Promise(() => {});
  });
  assert.equal(forgotten.exitCode, 4);
  assert.equal(settleExit(new ExitRequest(1, undefined)), false);
});

Deno.test("an exit code that was set counts for its call alone", async () => {
  const first = await runAsCall("/project", () => {
    Deno.exitCode = 7;
    return "done";
  });
  assert.deepEqual([first.value, first.exitCode], ["done", 7]);
  assert.equal((await runAsCall("/project", () => 1)).exitCode, undefined);
  assert.equal(Deno.exitCode, 0);
});

Deno.test("a call without end is left when its signal aborts, and belongs to nobody afterwards", async () => {
  const controller = new AbortController();
  let later: (() => unknown) | undefined;
  const call = runAsCall("/project", () => {
    later = () => currentCall();
    return new Promise(() => {});
  }, { signal: controller.signal });
  await Promise.resolve();
  controller.abort(new Error("Enough"));
  await assert.rejects(call, /Enough/);
  assert.equal(later?.(), undefined);
});

Deno.test("output without end is cut, and no error", async () => {
  const { stdout } = await runAsCall("/project", () => {
    for (let index = 0; index < 3; index++) {
      appendOutput(currentCall()!, "stdout", "x".repeat(600_000));
    }
  });
  assert.equal(stdout.length, 1_000_000);
});

Deno.test("an interceptor belongs to the work that it was given for", async () => {
  await runAsCall("/project", async () => {
    const interceptor = { write: () => null };
    await assert.rejects(withInterceptor(interceptor, () => {
      assert.equal(currentCall()?.interceptor, interceptor);
      throw new Error("Broken");
    }));
    assert.equal(currentCall()?.interceptor, undefined);
  });
  await assert.rejects(withInterceptor({}, () => 1), /needs a running call/);
});
