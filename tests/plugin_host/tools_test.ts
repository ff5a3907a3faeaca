import assert from "node:assert/strict";
import { isLongRunning, pluginContribution, toolNameOf } from "../../src/plugin_host/tools.ts";
import type { DiscoveredPlugin } from "../../src/tools/discovered_plugin.ts";
import { openProject } from "../../src/project/project.ts";
import type { CliPluginCommand } from "../../src/tools/plugin.ts";
import { callContext, errorOf } from "../support/calls.ts";
import { makeProject, SMALL_PLAN } from "../support/project.ts";

const command = (name: string, more: Partial<CliPluginCommand> = {}): CliPluginCommand => ({
  name,
  description: `Does ${name}.`,
  mcpHandler: () => ({ ran: name }),
  ...more,
});

const plugin = (namespace: string, ...commands: CliPluginCommand[]): DiscoveredPlugin => ({
  namespace,
  packageName: `@made-up/${namespace}`,
  packageVersion: "1.0.0",
  versionFrom: "package.json",
  source: "config",
  declared: [],
  plugin: { namespace, commands },
});

Deno.test("each command becomes a tool, those that never end a command of the shell", () => {
  const found = plugin(
    "plan",
    command("next-id"),
    command("serve"),
    command("watch", { longRunning: true }),
    command("named", { toolName: "plan_own", title: "Its own" }),
  );
  const { tools, shellOnly, resources, prompts } = pluginContribution(found);
  assert.deepEqual(tools!.map(({ name, title }) => [name, title]), [
    ["plan.next-id", "Plan next id"],
    ["plan_own", "Its own"],
  ]);
  assert.deepEqual(shellOnly, ["plan.serve", "plan.watch"]);
  assert.deepEqual([resources, prompts], [[], []]);
  // The names are those of the installed plan plugin; another one's `serve` may be quick.
  assert.ok(!isLongRunning(plugin("other").plugin, command("serve")));
  assert.equal(toolNameOf(found.plugin, command("x", { toolName: "y.z" })), "y.z");
});

Deno.test("what a tool needs of the project is asked for each command", () => {
  const asked: string[][] = [];
  const { tools } = pluginContribution(plugin("made", command("a"), command("b")), (...of) => {
    asked.push(of);
    return of[1] === "a" ? { listedWith: ["plan"] } : {};
  });
  assert.deepEqual(asked, [["made", "a"], ["made", "b"]]);
  assert.deepEqual(tools!.map(({ listedWith }) => listedWith), [["plan"], []]);
});

Deno.test("a handler is told of the project, and can ask only where the client can answer", async () => {
  const project = openProject(makeProject(SMALL_PLAN));
  let told: Record<string, unknown> = {};
  const { tools } = pluginContribution(plugin(
    "made",
    command("tell", {
      mcpHandler: (input, context) => {
        told = { ...context, input };
        return { told: true };
      },
    }),
    command("fail", {
      mcpHandler: () => {
        throw Object.assign(new Error("Gone"), { errorCode: "NOT_FOUND" });
      },
    }),
  ));
  const [fail, tell] = ["made.fail", "made.tell"].map((name) =>
    tools!.find((tool) => tool.name === name)!
  );
  const context = callContext(project);
  assert.deepEqual(await tell!.run({ a: 1 }, context), { told: true });
  assert.deepEqual([told["cwd"], told["planDir"], told["input"], told["signal"]], [
    project.cwd,
    project.planDir,
    { a: 1 },
    context.signal,
  ]);
  assert.ok(!("confirm" in told));
  const confirm = () => Promise.resolve(true);
  await tell!.run({}, { ...context, confirm });
  assert.equal(told["confirm"], confirm);
  assert.equal((await errorOf(Promise.resolve(fail!.run({}, context)))).code, "NOT_FOUND");
});
