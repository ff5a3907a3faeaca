import assert from "node:assert/strict";
import { runAsCall } from "../../src/sandbox/call.ts";
import { guardDeno } from "../../src/sandbox/guarded_deno.ts";
import { makeProject, readTree } from "../support/project.ts";

Deno.test("Deno's own functions check every path, and programs run outside of calls alone", async () => {
  const root = makeProject({ "a.md": "a" });
  guardDeno((path) => {
    if (String(path).includes("out")) throw new Error("It leads out");
  });
  assert.equal(Deno.readTextFileSync(`${root}/a.md`), "a");
  assert.throws(() => Deno.readTextFileSync(`${root}/out/a.md`), /leads out/);
  assert.throws(() => Deno.copyFileSync(`${root}/a.md`, `${root}/out.md`), /leads out/);
  assert.throws(() => Deno.removeSync(new URL(`file://${root}/out/a.md`)), /leads out/);
  await assert.rejects(Deno.writeTextFile(`${root}/out.md`, "x"), /leads out/);
  assert.deepEqual(Object.keys(readTree(root)), ["a.md"]);
  // The folder of a link counts, not where it leads.
  Deno.symlinkSync("/nowhere", `${root}/out`);
  Deno.removeSync(`${root}/out`);
  const run = () => new Deno.Command("git", { args: ["--version"] }).outputSync().code;
  assert.equal(run(), 0);
  await assert.rejects(runAsCall(root, run), { code: "PERMISSION_DENIED" });
});
