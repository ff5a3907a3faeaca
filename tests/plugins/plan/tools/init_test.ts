import assert from "node:assert/strict";
import { initCommand } from "../../../../plugins/plan/tools/init.ts";
import { runAsCall } from "../../../../src/sandbox/call.ts";
import { makeProject, readTree } from "../../../support/project.ts";
import { handlerContext, planPlugin } from "../../../support/plan.ts";

Deno.test("it makes a plan once, and an unknown argument is refused before anything is made", async () => {
  const cwd = makeProject();
  const command = initCommand(await planPlugin());
  const run = async (input: Record<string, unknown>) =>
    (await runAsCall(cwd, () => command.mcpHandler!(input, handlerContext(cwd)))).value as {
      dir: string;
      created: string[];
      alreadyEstablished: boolean;
    };
  const first = await run({});
  assert.deepEqual([first.dir, first.alreadyEstablished], ["plan", false]);
  const files = readTree(cwd);
  for (const path of first.created.filter((path) => path.endsWith(".md"))) {
    assert.ok(path in files, path);
  }
  assert.ok(
    Object.keys(files).every((path) => path.startsWith("plan/")),
    Object.keys(files).join(),
  );
  const second = await run({});
  assert.deepEqual([second.created, second.alreadyEstablished], [[], true]);
  assert.deepEqual(readTree(cwd), files);
  const schema = command.inputSchema as { safeParse(value: unknown): { success: boolean } };
  assert.ok(schema.safeParse({ dir: "plan" }).success);
  assert.ok(!schema.safeParse({ agents: "none" }).success);
});
