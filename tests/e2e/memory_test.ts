/** Memory that stays in use after hostile calls: what the server keeps of them is bounded. */

import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { inProcess } from "../support/in_process.ts";
import { copyExample } from "../support/run.ts";

/** Calls of each kind: enough for more than 30 MB if all of them were kept. */
const CALLS = 36;
/** What they may add to the heap, in megabytes: rests of results, 8 million characters. */
const MOST_MB = 20;

const CALLS_OF: readonly ((round: string) => [tool: string, input: Record<string, unknown>])[] = [
  // Long answers, whose rest is kept for refrakt_more.
  (id) => ["refrakt_render", { source: `${id} ${"word ".repeat(100_000)}`, format: "text" }],
  // Names that packages are looked up by.
  (id) => ["refrakt_inspect", { rune: "hint", theme: `${id}${"x".repeat(200_000)}` }],
  (id) => ["refrakt_inspect", { rune: "hint", theme: `@made-up/x${id}` }],
  (id) => ["refrakt_package_validate", { package: `${id}${"y".repeat(200_000)}` }],
  (id) => ["refrakt_inspect_audit", { css: `${id}${"z".repeat(2000)}.css` }],
  (id) => ["refrakt_check", { path: `content/${id}.md` }],
  (id) => ["plan_list", { text: `${id}${"t".repeat(50_000)}` }],
  (id) => ["plan_get", { ids: [`WORK-${id}`, "W".repeat(50_000)] }],
  (id) => ["plan_history", { id: `SPEC-${id}` }],
];

Deno.test("what a server keeps of three hundred hostile calls takes at most 20 MB", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const heap = () => {
    collect();
    return Deno.memoryUsage().heapUsed / 1024 / 1024;
  };
  await inProcess(copyExample("site-and-plan"), async ({ client }) => {
    const send = async (calls: number, round: number) => {
      for (let index = 0; index < calls; index++) {
        for (const call of CALLS_OF) {
          const [name, input] = call(`${round}-${index}`);
          await client.callTool({ name, arguments: input });
        }
      }
    };
    await send(3, 0);
    const before = heap();
    await send(CALLS, 1);
    const added = heap() - before;
    assert.ok(added < MOST_MB, `${added.toFixed(1)} MB are kept`);
  });
});
