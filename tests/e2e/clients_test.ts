import assert from "node:assert/strict";
import { Client, StdioClientTransport } from "../support/npm/client_v2.ts";
import { commitAll, makeProject, SMALL_PLAN } from "../support/project.ts";
import { childEnvironment, serverArgs } from "../support/server.ts";

/** A complete session; all other tests with a process use the 1.x client. */
async function work(
  call: (name: string, input?: Record<string, unknown>) => Promise<Record<string, unknown>>,
  read: (uri: string) => Promise<string>,
): Promise<void> {
  const data = async (name: string, input = {}) =>
    // deno-lint-ignore no-explicit-any -- looked into freely
    (await call(name, input))["structuredContent"] as any;
  assert.equal((await data("refrakt.detect")).plan.fileCount, 6);
  assert.equal((await data("plan.next")).items[0].id, "WORK-001");
  await data("plan.update", { id: "WORK-001", status: "done", check: "runs", resolve: "Done." });
  assert.equal((await data("plan.create", { type: "bug", title: "New" })).id, "BUG-002");
  assert.equal((await data("plan_next_id", { type: "work" })).nextId, "WORK-003");
  assert.equal((await data("plan-next-id", { type: "bug" })).nextId, "BUG-003");
  assert.equal((await data("plan.status")).counts.work.byStatus.done, 1);
  assert.ok((await data("plan.validate")).scanned >= 7);
  assert.equal((await data("plan.history", { id: "WORK-001" })).events[0].kind, "created");
  assert.equal((await data("plan.migrate", { subcommand: "filenames" })).mode, "dry-run");
  assert.equal((await data("plan.init")).alreadyEstablished, true);
  const wrong = await call("plan.update", { id: "WORK-001", status: "nope" });
  assert.deepEqual([wrong["isError"], wrong["errorCode"]], [true, "VALIDATION_ERROR"]);
  assert.match(String(wrong["hint"]), /draft, ready/);
  assert.match(await read("refrakt://plan/work/WORK-001"), /status="done"/);
  assert.equal(JSON.parse(await read("refrakt://plan/index")).entities.length, 7);
  assert.equal(JSON.parse(await read("refrakt://detect")).plan.dir, "plan");
}

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
    await work(
      (name, input) => client.callTool({ name, arguments: input ?? {} }) as never,
      async (uri) => ((await client.readResource({ uri })).contents[0] as { text: string }).text,
    );
    assert.deepEqual(noise, []);
  } finally {
    await client.close();
  }
});
