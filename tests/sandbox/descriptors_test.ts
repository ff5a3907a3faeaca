import assert from "node:assert/strict";
import type { Readable, Writable } from "node:stream";
import { runAsCall } from "../../src/sandbox/call.ts";
import { descriptorFunctions } from "../../src/sandbox/descriptors.ts";

const passed: unknown[][] = [];
const pass = (name: string) => (...args: unknown[]) => void passed.push([name, ...args]);
const NAMES = [
  "write",
  "writeSync",
  "read",
  "close",
  "closeSync",
  "createReadStream",
  "createWriteStream",
];
const functions = descriptorFunctions(Object.fromEntries(NAMES.map((name) => [name, pass(name)])));

Deno.test("other descriptors and files go to the original, the standard streams do not", async () => {
  functions["writeSync"]!(3, "x");
  functions["createWriteStream"]!("/dev/stdout-file");
  await runAsCall("/project", () => {
    functions["closeSync"]!(0);
    functions["createWriteStream"]!(null, { fd: 2 });
    functions["createReadStream"]!("/proc/self/fd/0");
  });
  assert.deepEqual(passed, [["writeSync", 3, "x"], [
    "createWriteStream",
    "/dev/stdout-file",
    undefined,
  ]]);
});

Deno.test("a function that the original lacks is not made up", () => {
  assert.equal(functions["readvSync"], undefined);
});

Deno.test("callbacks and streams answer as Node's do", async () => {
  const { stdout } = await runAsCall("/project", async () => {
    const written = await new Promise<unknown[]>((resolve) =>
      functions["write"]!(1, "é", (...args: unknown[]) => resolve(args))
    );
    assert.deepEqual(written.slice(0, 2), [null, 2]);
    const stream = functions["createWriteStream"]!("/dev/fd/1") as Writable;
    await new Promise<void>((resolve) => stream.end(" end", resolve));
    const input = functions["createReadStream"]!("/dev/stdin") as Readable;
    assert.deepEqual(await input.toArray(), []);
  });
  assert.equal(stdout, "é end");
});
