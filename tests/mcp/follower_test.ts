/** What a client follows; each comparison is started by the test, not by the timer. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { createFollower } from "../../src/mcp/follower.ts";
import { openWorkspace } from "../../src/workspace/mod.ts";
import { makeProject, SMALL_PLAN } from "../support/project.ts";

Deno.test("a change during a comparison is notified by the next one", async () => {
  const uri = "refrakt://plan/work/WORK-001";
  const cwd = makeProject(SMALL_PLAN);
  const path = join(cwd, "plan/work/WORK-001-first.md");
  const change = () => Deno.writeTextFileSync(path, `${Deno.readTextFileSync(path)}More.\n`);
  const { setInterval } = globalThis;
  const follower = createFollower(openWorkspace({ cwd }));
  try {
    Reflect.set(globalThis, "setInterval", () => 0);
    await follower.subscribe(uri);
    await new Promise<void>((resolve) => {
      let count = 0;
      const unexpected = () => assert.fail("Only the resource changes");
      follower.notifyBy({
        toolsChanged: unexpected,
        resourcesChanged: unexpected,
        promptsChanged: unexpected,
        resourceUpdated: () => {
          count++;
          if (count === 2) return resolve();
          // The running comparison has read the file.
          change();
          follower.check();
        },
      });
      change();
      follower.check();
    });
  } finally {
    Reflect.set(globalThis, "setInterval", setInterval);
    follower.stop();
  }
});
