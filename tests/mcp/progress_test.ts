import assert from "node:assert/strict";
import { defineTool } from "../../src/lib/plugin.ts";
import { withClient } from "../support/in_process.ts";

Deno.test("a call sends progress after a second, even if its tool reports none", async () => {
  const report = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const slow = defineTool({
    ...{ name: "team_slow", title: "Slow", description: "Waits.", input: {} },
    run: async (_input, { progress }) => {
      await report.promise;
      for (const step of [0, 0, 1, 20]) progress({ progress: step, total: 20, message: "Own" });
      await end.promise;
      return { done: true };
    },
  });
  await withClient({ tools: [slow] }, async (client) => {
    const seen: { progress: number; total?: number; message?: string }[] = [];
    const answer = await client.callTool({ name: "team_slow", arguments: {} }, {
      onprogress: (update: { progress: number }) => {
        // The tool reports only after a message that it did not send, and ends only after its own.
        if (seen.push(update) === 1) report.resolve();
        if (update.progress === 20) end.resolve();
      },
    });
    assert.deepEqual(answer.structuredContent, { done: true });
    const { message, progress, total } = seen[0]!;
    assert.deepEqual([message, progress < 1, total], ["Still running", true, undefined]);
    const ours = seen.filter(({ message }) => message === "Own");
    assert.deepEqual([ours.length, ours.at(-1)!.total], [4, 20]);
    const steps = seen.map(({ progress }) => progress);
    assert.deepEqual(steps, [...new Set(steps)].sort((a, b) => a - b), "each is more");
  });
});
