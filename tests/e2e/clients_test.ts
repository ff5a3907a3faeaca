import assert from "node:assert/strict";
import { Client, StdioClientTransport } from "../support/npm/client_v2.ts";
import { commitAll, makeProject, SMALL_PLAN } from "../support/project.ts";
import { childEnvironment, serverArgs } from "../support/server.ts";

// All other tests with a process use the 1.x client.
Deno.test("the 2.x client works on a plan, in the newest era", async () => {
  const cwd = makeProject(SMALL_PLAN);
  commitAll(cwd, "begin");
  const transport = new StdioClientTransport({
    command: Deno.execPath(),
    args: serverArgs(),
    cwd,
    env: childEnvironment(),
    stderr: "ignore",
  });
  const client = new Client(
    { name: "test-client", version: "1.0.0" },
    { versionNegotiation: { mode: "auto" } },
  );
  const noise: Error[] = [];
  client.onerror = (error) => noise.push(error);
  await client.connect(transport);
  try {
    assert.ok((await client.listTools()).tools.length > 10);
    // deno-lint-ignore no-explicit-any -- looked into freely
    const call = (name: string, input = {}): Promise<any> =>
      client.callTool({ name, arguments: input });
    const { structuredContent: next } = await call("plan_next");
    assert.equal(next.items[0].id, "WORK-001");
    await call("plan_update", { id: "WORK-001", status: "done", check: "runs", resolve: "Done." });
    // Names in other spellings.
    assert.equal(
      (await call("plan_next_id", { type: "work" })).structuredContent.nextId,
      "WORK-003",
    );
    const wrong = await call("plan-update", { id: "WORK-001", status: "nope" });
    assert.deepEqual([wrong.isError, wrong.errorCode], [true, "VALIDATION_ERROR"]);
    const { contents: [read] } = await client.readResource({ uri: "refrakt://plan/work/WORK-001" });
    assert.match((read as { text: string }).text, /status="done"/);
    assert.deepEqual(noise, []);
  } finally {
    await client.close();
  }
});
