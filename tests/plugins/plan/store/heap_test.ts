import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { makeProject } from "../../../support/project.ts";
import { ROOT } from "../../../support/server.ts";

Deno.test("giveBackMemory() shrinks the heap without any permission, and leaves no function behind", () => {
  const memory = pathToFileURL(join(ROOT, "plugins/plan/store/heap.ts")).href;
  const dir = makeProject({
    "main.ts": `
      import { runInNewContext } from "node:vm";
      import { giveBackMemory, giveBackWhenIdle } from "${memory}";
      const kept: unknown[] = [];
      for (let round = 0; round < 40; round++) {
        const made = Array.from({ length: 20_000 }, (_, index) => ({ text: \`\${round} \${index}\` }));
        if (round % 20 === 0) kept.push(made);
      }
      const before = Deno.memoryUsage().heapTotal;
      await giveBackMemory();
      const after = Deno.memoryUsage().heapTotal;
      await giveBackMemory();
      const again = Array.from({ length: 600_000 }, (_, index) => ({ text: \`\${index}\` })).length;
      const grown = Deno.memoryUsage().heapTotal;
      giveBackWhenIdle();
      await new Promise((resolve) => setTimeout(resolve, 2500));
      const idle = Deno.memoryUsage().heapTotal;
      const left = ["gc" in globalThis, runInNewContext("typeof gc")];
      await Deno.stdout.write(new TextEncoder().encode(
        JSON.stringify({ before, after, grown, idle, left, kept: kept.length + again }),
      ));`,
  });
  const { stdout, stderr } = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", "--no-config", "--no-lock", join(dir, "main.ts")],
  }).outputSync();
  const said = new TextDecoder();
  const { before, after, grown, idle, left, kept } = JSON.parse(
    said.decode(stdout) || said.decode(stderr),
  );
  assert.ok(after < before - 16 * 1024 * 1024, `${before} → ${after}`);
  assert.ok(idle < grown - 16 * 1024 * 1024, `${grown} → ${idle}`);
  assert.deepEqual([left, kept], [[false, "undefined"], 600_002]);
});
