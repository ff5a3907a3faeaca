import assert from "node:assert/strict";
import { watchClosely, watchMemory, WORKER_MEMORY } from "../../src/sandbox/memory.ts";

const never = () => new Promise<number>(() => {});

/** Fills memory until it is ended, with pauses: Deno does not end a loop without one. */
const GREEDY = "const all = []; setInterval(() => all.push(new Uint8Array(1e7).fill(1)), 1);";

Deno.test("the Workers that work are told when there is too much memory, the others are left alone", async () => {
  const greedy = new Worker(`data:text/javascript,${GREEDY}`, { type: "module" });
  const told: string[] = [];
  const releases: (() => void)[] = [];
  await new Promise<void>((resolve) => {
    releases.push(
      watchMemory({ isBusy: () => false, held: never, onTooMuch: () => told.push("idle") }),
      watchMemory({
        isBusy: () => true,
        held: never,
        onTooMuch: () => {
          greedy.terminate();
          told.push("busy");
          resolve();
        },
      }),
    );
    watchClosely();
  });
  for (const release of releases) release();
  assert.deepEqual(told, ["busy"]);
  assert.ok(WORKER_MEMORY < 2 ** 30);
});
