import assert from "node:assert/strict";
import { inLab, putSpec, stateOf } from "../support.ts";

Deno.test("ralph_tasks describes the chosen workflow and granularity, or leaves the choice", () =>
  inLab(async (lab) => {
    const cases: [Record<string, unknown>, RegExp][] = [
      [{}, /If the goal is to fix a bug:[\s\S]*reproduce first[\s\S]*proof first[\s\S]*10 to 25/],
      [{ workflow: "bugfix" }, /### Agent[\s\S]*reproduce first(?![\s\S]*proof first)/],
      [{ workflow: "tdd", granularity: "fine" }, /test first[\s\S]*40 to 60/],
      [{ workflow: "poc", granularity: "coarse" }, /proof first[\s\S]*10 to 20 tasks/],
    ];
    for (const [args, pattern] of cases) {
      const { name } = await lab.call("ralph_start", { goal: "Add search", ...args });
      putSpec(lab, name, { ...stateOf(lab, name), phase: "tasks" });
      assert.match(await lab.text("ralph_tasks"), pattern);
    }
  }));
