/** Resources answer what their tools answer. */

import assert from "node:assert/strict";
import { siteContributor } from "../../src/site/mod.ts";
import { openProject } from "../../src/project/project.ts";
import type { Resource } from "../../src/tools/resource.ts";
import { callContext, callTool, plain } from "../support/calls.ts";
import { twoSites } from "./projects.ts";
import { contractsTool, engine, inspectTool, referenceTool } from "./tools.ts";

async function resource(dir: string, name: string): Promise<Resource> {
  const { resources } = await siteContributor(engine)(openProject(dir));
  return resources!.find((entry) => entry.name === name)!;
}

async function read(dir: string, name: string, params: Record<string, string>) {
  const body = await (await resource(dir, name)).read(params, callContext(openProject(dir)));
  return plain((body as { data: unknown }).data);
}

Deno.test("every resource equals its tool", async () => {
  const dir = twoSites();
  const site = "blog";
  assert.deepEqual(
    await read(dir, "contracts", { site }),
    await callTool(dir, contractsTool, { site }),
  );
  assert.deepEqual(
    await read(dir, "reference", { site }),
    await callTool(dir, referenceTool, { site }),
  );
  assert.deepEqual(
    await read(dir, "rune", { name: "work", site, status: "done" }),
    await callTool(dir, inspectTool, { rune: "work", site, attributes: { status: "done" } }),
  );
});

Deno.test("rune names and sites are completed", async () => {
  const dir = twoSites();
  const context = callContext(openProject(dir));
  const rune = await resource(dir, "rune");
  assert.deepEqual(await rune.complete!("name", "her", context, {}), ["hero"]);
  assert.ok((await rune.complete!("name", "wor", context, {})).includes("work"));
  assert.deepEqual(await rune.complete!("name", "wor", context, { site: "main" }), []);
  assert.deepEqual(await rune.complete!("site", "b", context, {}), ["blog"]);
  assert.deepEqual(await (await resource(dir, "contracts")).complete!("site", "", context, {}), [
    "main",
    "blog",
  ]);
});
