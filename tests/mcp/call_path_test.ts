import assert from "node:assert/strict";
import { z } from "zod";
import { defineTool } from "../../src/tools/tool.ts";
import { withClient } from "../support/in_process.ts";

Deno.test("from a request to the tool there are at most five calls, and one more in the plan", async () => {
  const where = defineTool({
    name: "team.where",
    title: "Show the calls",
    description: "Returns the calls that lead to it.",
    input: z.strictObject({}),
    run: () => {
      const before = Error.stackTraceLimit;
      Error.stackTraceLimit = 100;
      const { stack = "" } = new Error();
      Error.stackTraceLimit = before;
      return { calls: stack.split("\n").filter((line) => line.includes("/src/")) };
    },
  });
  await withClient({ tools: [where] }, async (client) => {
    const answer = await client.callTool({ name: "team.where", arguments: {} });
    const { calls } = answer.structuredContent as { calls: string[] };
    // The handler of the request comes first; the tool itself is in this file.
    assert.ok(calls.length >= 3 && calls.length <= 5, calls.join("\n"));
  });
});
