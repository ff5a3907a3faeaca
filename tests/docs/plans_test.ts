import assert from "node:assert/strict";
import { join } from "node:path";
import { inProcess } from "../support/in_process.ts";
import { commitAll, writeFiles } from "../support/project.ts";
import { copyExample } from "../support/run.ts";
import { ROOT } from "../support/server.ts";

Deno.test("every call of docs/plans.md works on an example", () => {
  const page = Deno.readTextFileSync(join(ROOT, "docs/plans.md"));
  const calls = [...page.matchAll(/`(plan_\w+) (\{[^`]*\})`/g)];
  assert.ok(calls.length > 7);
  const cwd = copyExample("plan");
  commitAll(cwd, "Start");
  writeFiles(cwd, { "notes.md": "Another commit\n" });
  commitAll(cwd, "Go on");
  return inProcess(cwd, async ({ ok }) => {
    let undo = "";
    for (const [, tool = "", json = ""] of calls) {
      const answer = await ok(tool, JSON.parse(json.replace('"…"', JSON.stringify(undo))));
      undo = answer.undo ?? undo;
    }
  });
});
