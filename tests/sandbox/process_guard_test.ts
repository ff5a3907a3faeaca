import assert from "node:assert/strict";
import process from "node:process";
import { runAsCall } from "../../src/sandbox/call.ts";
import { guardProcess, refuse } from "../../src/sandbox/process_guard.ts";
import { runProcess } from "../support/process.ts";

guardProcess();
guardProcess();

/** Runs code of a plugin. */
const inCall = <Value>(work: () => Value | Promise<Value>) => runAsCall("/project", work);

Deno.test("an exit of a plugin is an exit of its call, by every way", async () => {
  const ways: [() => void, number][] = [
    [() => process.exit(3), 3],
    [() => process.exit(), 0],
    [() => process.abort(), 134],
    [() => Deno.exit(5), 5],
    [() => globalThis.close(), 0],
  ];
  for (const [way, code] of ways) assert.equal((await inCall(way)).exitCode, code, String(way));
  const later = await inCall(() => new Promise(() => setTimeout(() => process.exit(6), 1)));
  assert.equal(later.exitCode, 6, "also from a timer");
  const first = await inCall(() => {
    try {
      process.exit(4);
    } catch {
      process.exit(5);
    }
  });
  assert.equal(first.exitCode, 4);
});

Deno.test("what a plugin sets in the environment is seen by plugins alone", async () => {
  await inCall(() => {
    process.env["MADE_UP"] = "yes";
    assert.equal(process.env["MADE_UP"], "yes");
    assert.ok("MADE_UP" in process.env);
  });
  assert.equal(Deno.env.get("MADE_UP"), undefined);
  assert.equal(process.env["MADE_UP"], undefined, "the program around it sees its own");
  process.env["OWN"] = "set";
  assert.equal(Deno.env.get("OWN"), "set");
  delete process.env["OWN"];
  assert.equal(Deno.env.get("OWN"), undefined);
});

Deno.test("a plugin sends no signal, starts no Worker, and hears of no error of others", async () => {
  const refused = { code: "PERMISSION_DENIED" };
  for (const kill of [process.kill, Deno.kill] as ((pid: number, signal: "SIGTERM") => void)[]) {
    await assert.rejects(inCall(() => kill(Deno.pid, "SIGTERM")), refused);
  }
  await assert.rejects(
    inCall(() => new Worker("data:text/javascript,", { type: "module" })),
    refused,
  );
  await assert.rejects(inCall(() => refuse("do this")), {
    ...refused,
    message: "The sandbox does not let plugins do this",
  });
  refuse("do this");
  const heard = () => {};
  await inCall(() => {
    process.on("uncaughtException", heard);
    process.on("exit", heard);
  });
  assert.deepEqual(process.listeners("uncaughtException"), []);
  assert.deepEqual(process.listeners("exit"), [heard]);
  process.off("exit", heard);
  process.on("uncaughtException", heard);
  assert.deepEqual(process.listeners("uncaughtException"), [heard], "the program's own handlers");
  process.off("uncaughtException", heard);
});

Deno.test("an error that nobody caught is told, and the process goes on", async () => {
  const url = new URL("../../src/sandbox/process_guard.ts", import.meta.url).href;
  const { code, stdout, stderr } = await runProcess(
    Deno.execPath(),
    [
      "eval",
      "--no-config",
      "--ext=ts",
      `import { guardProcess } from ${JSON.stringify(url)};
       guardProcess();
       setTimeout(() => { throw new Error("thrown"); }, 1);
       Promise.reject(new Error("rejected"));
       await new Promise((resolve) => setTimeout(resolve, 50));
       console.log("standing");`,
    ],
    Deno.cwd(),
  );
  assert.deepEqual([code, stdout], [0, "standing\n"]);
  assert.match(stderr, /Unhandled rejection in a plugin: Error: rejected/);
  assert.match(stderr, /Uncaught error in a plugin: Error: thrown/);
});
