import { Client, InMemoryTransport } from "../support/npm/client_v2.ts";
import assert from "node:assert/strict";
import { createServer } from "../../mod.ts";
import { defineTool } from "../../src/lib/plugin.ts";
import { makeProject } from "../support/project.ts";

/** A progress notification. */
interface Seen {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

Deno.test("a call sends progress after a second, even if its tool reports none", async () => {
  const report = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const server = await createServer({
    cwd: makeProject(),
    plugins: [{
      name: "team",
      tools: [defineTool({
        name: "team_slow",
        title: "Slow",
        description: "Waits.",
        input: {},
        run: async (_input, { progress }) => {
          await report.promise;
          for (const step of [0, 0, 1, 20]) progress({ progress: step, total: 20, message: "Own" });
          await end.promise;
          return { done: true };
        },
      })],
    }],
  });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(ours);
  const client = new Client({ name: "inspector-cli", version: "1.0.0" });
  await client.connect(theirs);

  const seen: Seen[] = [];
  const answer = await client.callTool({ name: "team_slow", arguments: {} }, {
    onprogress: (update: Seen) => {
      // The tool reports only after a message that it did not send, and ends only after its own.
      if (seen.push(update) === 1) report.resolve();
      if (update.progress === 20) end.resolve();
    },
  });
  assert.deepEqual(answer.structuredContent, { done: true });
  assert.equal(seen[0]!.message, "Still running");
  assert.ok(seen[0]!.progress < 1 && seen[0]!.total === undefined);
  const own = seen.filter(({ message }) => message === "Own");
  assert.equal(own.length, 4);
  assert.equal(own.at(-1)!.total, 20);
  for (const [index, { progress }] of seen.entries()) {
    assert.ok(index === 0 || progress > seen[index - 1]!.progress, `${index}: ${progress}`);
  }
  await client.close();
});
