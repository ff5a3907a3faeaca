import assert from "node:assert/strict";
import type { DiscoveredPlugin } from "../../src/tools/discovered_plugin.ts";
import { openProject } from "../../src/project/project.ts";
import { enterSandbox } from "../../src/sandbox/mod.ts";
import {
  contributionBeside,
  contributionOf,
  discoverAll,
  warmAll,
} from "../../src/workspace/plugins.ts";
import { makeProject, SMALL_PLAN } from "../support/project.ts";

const project = openProject(makeProject({ ...SMALL_PLAN, "specs/a/.ralph-state.json": "{}" }));
enterSandbox(project.cwd);

const { plugins, warnings } = await discoverAll(project, false, undefined).done;
const named = (namespace: string) =>
  plugins.find((plugin) => plugin.namespace === namespace) as DiscoveredPlugin;

Deno.test("the plan plugin is adapted, and the bundled one found where the project uses it", async () => {
  assert.deepEqual(warnings, []);
  assert.deepEqual(plugins.map(({ namespace, source }) => [namespace, source]), [
    ["plan", "default"],
    ["ralph", "bundled"],
  ]);
  // What is adapted has commands that the package does not declare.
  const get = ({ name }: { name: string }) => name === "get";
  assert.ok(named("plan").plugin.commands.some(get) && !named("plan").declared.some(get));
  const bare = openProject(makeProject());
  const namespaces = async (everything: boolean) =>
    (await discoverAll(bare, everything, undefined).done).plugins.map(({ namespace }) => namespace);
  assert.deepEqual(await namespaces(false), []);
  assert.ok((await namespaces(true)).includes("ralph"), "to answer for tools that are not listed");
});

Deno.test("what a tool needs to be listed follows from the plugin", () => {
  const { tools } = contributionOf(named("plan"));
  const listing = (name: string) => {
    const { listedWith, listedWithout } = tools!.find((tool) => tool.name === name)!;
    return [listedWith, listedWithout];
  };
  assert.deepEqual(listing("plan.next"), [["plan"], []]);
  assert.deepEqual(listing("plan.init"), [[], ["plan"]]);
  const ralph = contributionOf(named("ralph")).tools!;
  assert.ok(ralph.length > 0 && ralph.every(({ listedWith }) => listedWith.includes("ralph")));
});

Deno.test("a plugin that has arrived adds no tool that is on offer already", () => {
  const [first, ...rest] = contributionOf(named("plan")).tools!;
  const beside = contributionBeside(named("plan"), [{ tools: [first!] }]);
  assert.deepEqual(beside.tools!.map(({ name }) => name), rest.map(({ name }) => name));
});

Deno.test("each plugin that can is warmed for the project, one after the other", async () => {
  const told: unknown[] = [];
  const warming = (name: string): DiscoveredPlugin => ({
    ...named(name),
    warm: async (of) => {
      told.push(`${name} begins`, of);
      await Promise.resolve();
      told.push(`${name} is done`);
    },
  });
  const { warm: _none, ...cold } = named("ralph");
  await warmAll(project, [warming("plan"), cold, warming("ralph")]);
  assert.deepEqual(told, [
    "plan begins",
    project,
    "plan is done",
    "ralph begins",
    project,
    "ralph is done",
  ]);
});
