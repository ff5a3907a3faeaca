import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { makeProject } from "../support/project.ts";
import { ROOT } from "../support/server.ts";

Deno.test("giveBackMemory() shrinks the heap without permissions and leaves no global function", () => {
  const memory = pathToFileURL(join(ROOT, "src/io/heap.ts")).href;
  const dir = makeProject({
    "main.ts": `
      import { runInNewContext } from "node:vm";
      import { giveBackMemory } from "${memory}";
      const kept: unknown[] = [];
      for (let round = 0; round < 40; round++) {
        const made = Array.from({ length: 20_000 }, (_, index) => ({ text: \`\${round} \${index}\` }));
        if (round % 20 === 0) kept.push(made);
      }
      const before = Deno.memoryUsage().heapTotal;
      await giveBackMemory();
      const after = Deno.memoryUsage().heapTotal;
      const left = ["gc" in globalThis, runInNewContext("typeof gc")];
      console.log(JSON.stringify({ before, after, left, kept: kept.length }));`,
  });
  const { stdout, stderr } = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", "--no-config", "--no-lock", join(dir, "main.ts")],
  }).outputSync();
  const [said, errors] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  const { before, after, left, kept } = JSON.parse(said || errors!);
  assert.ok(after < before - 16 * 1024 * 1024, `${before} → ${after}`);
  assert.deepEqual([left, kept], [[false, "undefined"], 2]);
});
