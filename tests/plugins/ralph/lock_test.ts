import assert from "node:assert/strict";
import { inLab, putSpec, stateOf } from "./support.ts";

Deno.test("a lock file that is a link makes nothing, and a pipe is not waited for", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "research" });
    const lock = `${lab.cwd}/specs/.ralph-state.json.lock`;
    Deno.symlinkSync("../made-by-link", lock);
    await lab.fail("ralph_start", "FILE_OPERATION_FAILED", { name: "b" });
    assert.ok(!lab.exists("made-by-link"));
    Deno.removeSync(lock);
    new Deno.Command("mkfifo", { args: [lock] }).outputSync();
    const error = await lab.fail("ralph_start", "FILE_OPERATION_FAILED", { name: "b" });
    assert.match(error.message, /no plain file/);
    assert.match((await lab.call("ralph_status"))["todo"], /ralph_research/);
  }));

Deno.test("calls that come together each see what the one before wrote", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "execution" }, "- [ ] 1.1 A\n");
    const all = await Promise.all(
      Array.from({ length: 5 }, () => lab.call("ralph_implement", { max_iterations: 9 })),
    );
    assert.deepEqual(all.map((data) => data["task"].attempt).sort(), [1, 2, 3, 4, 5]);
    assert.equal(stateOf(lab, "auth")["revision"], 5);
  }));
