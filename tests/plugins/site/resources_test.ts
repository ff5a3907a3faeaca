/** The resources and prompts of a site. */

import assert from "node:assert/strict";
import { openProject } from "../../../src/host/open_project.ts";
import { siteResources } from "../../../plugins/site/resources.ts";
import { sitePrompts } from "../../../plugins/site/prompts.ts";
import type { PromptMessage } from "../../../src/plugin/prompt.ts";
import type { Resource } from "../../../src/plugin/resource.ts";
import { callContext } from "../../support/calls.ts";
import { singleSite, twoSites } from "./projects.ts";

function resource(name: string): Resource {
  return siteResources.find((entry) => entry.name === name)!;
}

const write = sitePrompts[0]!;

Deno.test("rune names and sites have completions", async () => {
  const dir = twoSites();
  const context = callContext(openProject(dir));
  const rune = resource("rune");
  assert.deepEqual(await rune.complete!("name", "her", context, {}), ["hero"]);
  assert.ok((await rune.complete!("name", "wor", context, {})).includes("work"));
  assert.deepEqual(await rune.complete!("name", "wor", context, { site: "main" }), []);
  assert.deepEqual(await rune.complete!("site", "b", context, {}), ["blog"]);
  assert.deepEqual(await resource("contracts").complete!("site", "", context, {}), [
    "main",
    "blog",
  ]);
});

Deno.test("rune_write returns the task, the reference, the example and its output", async () => {
  const context = callContext(openProject(singleSite()));
  const messages = await write.render(
    { rune: "callout", topic: "tides" },
    context,
  ) as PromptMessage[];
  assert.equal(messages.length, 3);
  assert.match(String(messages[0]!.content), /"hint" about: tides[\s\S]*refrakt_render/);
  const { resource } = messages[1]!.content as { resource: { uri: string; text: string } };
  assert.equal(resource.uri, "refrakt://rune/hint");
  assert.match(resource.text, /caution/);
  assert.match(String(messages[2]!.content), /\{% hint type="note" %\}[\s\S]*section\.rf-hint/);
});

Deno.test("rune_write shows an example that works, and says what is wrong with the package's", async () => {
  const context = callContext(openProject(singleSite()));
  const messages = await write.render({ rune: "pricing" }, context) as PromptMessage[];
  assert.match(String(messages.at(-1)!.content), /^Corrected by @refrakt\/mcp/);
  assert.match(String(messages[2]!.content), /featured=true[\s\S]*Its output/);
});
