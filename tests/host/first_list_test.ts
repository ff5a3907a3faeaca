/** The first lists of a project with a plan whose plugin is not cached. */

import assert from "node:assert/strict";
import { makeProject, PLAN_TOOLS, SMALL_PLAN } from "../support/project.ts";
import { startRegistry } from "../support/registry.ts";
import { withServer } from "../support/server.ts";

const PROMPTS = ["release_notes", "review", "spec", "standup", "triage", "work"]
  .map((name) => `plan_${name}`);

const SITE = { contentDir: "content", plugins: ["@refrakt-md/marketing"] };

Deno.test("everything is listed if the registry never answers, and calls time out", async () => {
  const never = Promise.withResolvers<Response>();
  const intercept = () => never.promise.then((response) => response.clone());
  const registry = await startRegistry([], { scope: "@refrakt-md", intercept });
  const cwd = makeProject({
    ...SMALL_PLAN,
    "refrakt.config.json": JSON.stringify({ plan: { dir: "plan" }, site: SITE }),
  });
  try {
    await withServer(cwd, async ({ client, tools, call, ok }) => {
      // The registry answers when these are there.
      const listed = await tools();
      const prompts = (await client.listPrompts()).prompts as { name: string }[];
      const ofPlan = (names: string[]) => names.filter((name) => name.startsWith("plan"));
      assert.deepEqual(ofPlan(listed), PLAN_TOOLS);
      assert.ok(listed.includes("refrakt_render"));
      assert.deepEqual(ofPlan(prompts.map(({ name }) => name)), PROMPTS);
      // Reading needs only the table of versions.
      assert.equal((await ok("plan_get", { id: "WORK-001" })).status, "ready");
      assert.ok((await ok("plan_list")).total > 0);
      const status = await call("plan_status");
      assert.equal(status.errorCode, "PLUGIN_LOAD_FAILED");
      assert.ok(status.hint);
      // Listed tools stay listed.
      assert.deepEqual(ofPlan(await tools()), PLAN_TOOLS);
      const { sites } = await ok("refrakt_detect");
      for (const { name, problem } of sites[0].packages) {
        assert.equal(problem, `${name} had not loaded after 1 s`);
      }
      const late = await call("refrakt_inspect", { rune: "hint" });
      assert.equal(late.errorCode, "PLUGIN_LOAD_FAILED");
      assert.match(late.content[0].text, /@refrakt-md\/\S+ had not loaded after 1 s/);
      assert.match(late.hint!, /--timeout/);
      never.resolve(new Response("<html>Please sign in</html>"));
      const answer = await call("refrakt_inspect", { rune: "hint" });
      assert.match(
        answer.content[0].text,
        /could not be downloaded: the registry's answer is not valid/,
      );
      assert.match(answer.hint!, /Check the network/);
    }, { args: ["--timeout", "1"], env: registry.env });
  } finally {
    never.resolve(new Response(""));
    await registry.stop();
  }
});

Deno.test("calls, prompts, resources and completions wait for the plan plugin, and the lists stay", async () => {
  const changes: string[] = [];
  await withServer(makeProject(SMALL_PLAN), async ({ client, read, call }) => {
    const first = await client.listTools();
    const [prompts, templates] = [await client.listPrompts(), await client.listResourceTemplates()];
    assert.match(JSON.stringify(first), /critical\W+high\W+medium\W+low/);
    const [prompt, text, completion, update, nextId] = await Promise.all([
      client.getPrompt({ name: "plan_work", arguments: { id: "WORK-001" } }),
      read("refrakt://plan/work/WORK-001"),
      client.complete({
        ref: { type: "ref/resource", uri: "refrakt://plan/{type}/{id}" },
        argument: { name: "id", value: "WORK" },
      }),
      call("plan_update", { id: "WORK-001", status: "finished" }),
      call("plan_next_id", { type: "epic" }),
    ]);
    assert.match(JSON.stringify(prompt), /First item/);
    assert.match(text, /First item/);
    assert.ok(completion.completion.values.includes("WORK-001"));
    assert.equal(update.errorCode, "VALIDATION_ERROR");
    assert.match(update.content[0].text, /Valid: draft, ready/);
    assert.equal(nextId.errorCode, "INVALID_ARGS");
    assert.match(nextId.content[0].text, /"work", "bug"/);
    assert.deepEqual(await client.listTools(), first);
    assert.deepEqual(await client.listPrompts(), prompts);
    assert.deepEqual(await client.listResourceTemplates(), templates);
    assert.deepEqual(changes, []);
  }, {
    prepare: (client) => {
      client.fallbackNotificationHandler = ({ method }: { method: string }) =>
        Promise.resolve(void changes.push(method));
    },
  });
});
