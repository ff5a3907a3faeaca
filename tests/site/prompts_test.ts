/** The prompts of a site have what a writer needs, with live data. */

import assert from "node:assert/strict";
import { openProject } from "../../src/project/project.ts";
import { sitePrompts } from "../../src/site/prompts.ts";
import type { PromptMessage } from "../../src/tools/prompt.ts";
import { callContext, errorOf } from "../support/calls.ts";
import { singleSite, twoSites } from "./projects.ts";
import { engine } from "./tools.ts";

const [write] = sitePrompts(engine) as [ReturnType<typeof sitePrompts>[0]];

Deno.test("rune_write gives the task, the reference, the example and what becomes of it", async () => {
  const context = callContext(openProject(singleSite()));
  const messages = await write.render(
    { rune: "callout", topic: "tides" },
    context,
  ) as PromptMessage[];
  assert.equal(messages.length, 3);
  assert.match(String(messages[0]!.content), /"hint" about: tides[\s\S]*refrakt\.render/);
  const { resource } = messages[1]!.content as { resource: { uri: string; text: string } };
  assert.equal(resource.uri, "refrakt://rune/hint");
  assert.match(resource.text, /caution/);
  assert.match(String(messages[2]!.content), /\{% hint type="note" %\}[\s\S]*section\.rf-hint/);
});

Deno.test("rune_write says where a package contradicts itself", async () => {
  const context = callContext(openProject(singleSite()));
  const messages = await write.render({ rune: "pricing" }, context) as PromptMessage[];
  assert.match(String(messages.at(-1)!.content), /does not fit what the rune declares/);
});

Deno.test("rune_write completes runes of the chosen site, and sites", async () => {
  const context = callContext(openProject(twoSites()));
  const of = async (
    argument: string,
    value: string,
    others = {},
  ) => [...await write.complete!(argument, value, context, others)];
  assert.deepEqual(await of("rune", "her", { site: "main" }), ["hero"]);
  assert.deepEqual(await of("rune", "her", { site: "blog" }), []);
  assert.deepEqual(await of("site", "b"), ["blog"]);
});

Deno.test("rune_write without a rune, or with one that does not exist, has a code", async () => {
  const context = callContext(openProject(singleSite()));
  const code = async (args: Record<string, string>) =>
    (await errorOf(Promise.resolve(write.render(args, context)))).code;
  assert.equal(await code({}), "INVALID_ARGS");
  assert.equal(await code({ rune: "hnt" }), "NOT_FOUND");
});
