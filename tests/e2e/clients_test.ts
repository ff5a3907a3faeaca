import assert from "node:assert/strict";
import { Client, StdioClientTransport } from "../support/npm/client_v2.ts";
import { commitAll, makeProject, SMALL_PLAN } from "../support/project.ts";
import { childEnvironment, commandOf } from "../support/server.ts";

// All other tests with a process use the 1.x client.
Deno.test("the 2.x client works on a plan, in the newest era", async () => {
  const cwd = makeProject(SMALL_PLAN);
  commitAll(cwd, "begin");
  const transport = new StdioClientTransport({
    ...commandOf({}),
    ...{ cwd, env: childEnvironment(), stderr: "ignore" },
  });
  const info = { name: "test-client", version: "1.0.0" };
  const client = new Client(info, { versionNegotiation: { mode: "auto" } });
  const noise: Error[] = [];
  client.onerror = (error) => noise.push(error);
  await client.connect(transport);
  try {
    assert.ok((await client.listTools()).tools.length > 10);
    const args = { id: "WORK-001", status: "done", check: "runs", resolve: "Done." };
    assert.ok(!(await client.callTool({ name: "plan_update", arguments: args })).isError);
    const wrong = await client.callTool({
      name: "plan-update",
      arguments: { ...args, status: "x" },
    });
    assert.deepEqual([wrong.isError, wrong["errorCode"]], [true, "VALIDATION_ERROR"]);
    const { contents } = await client.readResource({ uri: "refrakt://plan/work/WORK-001" });
    assert.match(JSON.stringify(contents), /status=\\"done/);
    assert.deepEqual(noise, []);
  } finally {
    await client.close();
  }
});
