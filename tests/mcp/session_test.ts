import assert from "node:assert/strict";
import { defineTool, RefraktError } from "../../src/lib/plugin.ts";
import { errorMessage, requestError, resourceError } from "../../src/mcp/results.ts";
import { ERAS, inProcess, withClient, withClients } from "../support/in_process.ts";
import { makeProject, SMALL_PLAN } from "../support/project.ts";
import { runProcess } from "../support/process.ts";
import { copyExample } from "../support/run.ts";
import { ROOT } from "../support/server.ts";

Deno.test("lists have one page: cursors are rejected with a reason, in both eras", async () => {
  for (const era of ERAS) {
    await withClient({}, async (client) => {
      const cursor = { cursor: "next" };
      const lists = [client.listTools(cursor), client.listResources(cursor)];
      for (const list of lists) {
        await assert.rejects(list, { code: -32602, message: /"next" is unknown/ });
      }
    }, { era });
  }
});

Deno.test("results in the modern era say how long to cache them", async () => {
  await withClients({ cwd: copyExample("site-and-plan") }, async (connect) => {
    for (const era of ["modern", "legacy"] as const) {
      await connect(async (client) => {
        const isLoading = async () => Object(await client.listTools()).ttlMs === 0;
        // Until all packages are loaded, lists may change at any moment.
        while (await isLoading()) await new Promise((resolve) => setTimeout(resolve, 20));
        const answers = [
          await client.listTools(),
          await client.listPrompts(),
          await client.listResources(),
          await client.readResource({ uri: "ui://refrakt/plan-board" }),
          await client.readResource({ uri: "refrakt://plan/index" }),
        ];
        const kept = answers.map((answer) => (answer as { ttlMs?: number }).ttlMs);
        const none = kept.map(() => undefined);
        assert.deepEqual(kept, era === "modern" ? [1000, 1000, 1000, 3_600_000, 0] : none);
      }, { era });
    }
  });
});

Deno.test("a log entry is one line of JSON on stderr, for any message", async () => {
  const code = `import { logLine } from "${ROOT}src/mcp/session.ts";
    logLine("info", "debug", "a", "not wanted");
    logLine("info", "error", "a.b", "two\\nlines", { n: 1 });`;
  const { stdout, stderr } = await runProcess(Deno.execPath(), ["eval", "--ext=ts", code], ROOT);
  assert.equal(stdout, "");
  const { level, logger, data } = JSON.parse(stderr);
  assert.deepEqual([level, logger, data], ["error", "a.b", { message: "two\nlines", n: 1 }]);
});

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

Deno.test("clients get capabilities, instructions, and errors with the code of their era and the same data", async () => {
  const cwd = makeProject(SMALL_PLAN);
  await inProcess(cwd, async ({ client, readError }) => {
    assert.equal(client.getServerVersion()!.name, "refrakt");
    assert.deepEqual(
      Object.keys(client.getServerCapabilities()!).sort(),
      "completions extensions prompts resources tools".split(" "),
    );
    assert.match(client.getInstructions()!, /plan/);
    const uri = "refrakt://no/such";
    const { code, data } = await readError(uri);
    assert.deepEqual([code, data["errorCode"]], [-32002, "NOT_FOUND"]);
    const modern = { era: "modern", cwd } as const;
    await withClient({}, (client) =>
      assert.rejects(client.readResource({ uri }), {
        code: -32602,
        data: { uri, errorCode: "NOT_FOUND", hint: data["hint"] },
      }), modern);
  });
});

Deno.test("errors are bounded, even if they quote long input", () => {
  const long = "x".repeat(9_000_000);
  const error = new RefraktError("NOT_FOUND", long, { hint: long, data: { id: long } });
  const answers = [
    errorMessage(error),
    resourceError(error, long).data,
    resourceError(error, long).message,
    requestError(error).data,
    requestError(error).message,
  ];
  for (const answer of answers) assert.ok(JSON.stringify(answer).length < 50_000);
});
