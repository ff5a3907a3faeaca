/** A project whose packages are not cached: its first lists, and a network that does not answer. */

import assert from "node:assert/strict";
import { makeProject, PLAN_TOOLS, SMALL_PLAN } from "../support/project.ts";
import { detected } from "../support/detected.ts";
import { inProcess } from "../support/in_process.ts";
import { startRegistry } from "../support/registry.ts";
import { childEnvironment, withServer } from "../support/server.ts";

const PROMPTS = ["release_notes", "review", "spec", "standup", "triage", "work"]
  .map((name) => `plan_${name}`);

const SITE = { contentDir: "content", plugins: ["@refrakt-md/marketing"] };

/** A registry that does not answer before it is told to. */
async function silentRegistry() {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const intercept = () => promise.then((response) => response.clone());
  const { env, stop } = await startRegistry([], { scope: "@refrakt-md", intercept });
  const answer = (text: string) => resolve(new Response(text));
  return {
    env,
    answer,
    [Symbol.asyncDispose]: async () => {
      answer("");
      await stop();
    },
  };
}

Deno.test("everything is listed if the registry never answers, and calls time out", async () => {
  await using registry = await silentRegistry();
  const cwd = makeProject({
    ...SMALL_PLAN,
    "refrakt.config.json": JSON.stringify({ plan: { dir: "plan" }, site: SITE }),
  });
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
    registry.answer("<html>Please sign in</html>");
    const answer = await call("refrakt_inspect", { rune: "hint" });
    assert.match(
      answer.content[0].text,
      /could not be downloaded: the registry's answer is not valid/,
    );
    assert.match(answer.hint!, /Check the network/);
  }, { args: ["--timeout", "1"], env: registry.env });
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

/** Sends every request to a proxy that does not exist. */
const OFFLINE = {
  ...childEnvironment(),
  ...Object.fromEntries(
    ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"]
      .map((name) => [name, "http://127.0.0.1:9"]),
  ),
  NO_PROXY: "",
  no_proxy: "",
};

Deno.test("cached packages work without a network", async (t) => {
  const cwd = makeProject(SMALL_PLAN);
  await inProcess(cwd, async ({ ok }) => void await ok("plan_next"));
  await withServer(cwd, async ({ ok, tools }) => {
    assert.equal((await ok("plan_next")).items.length, 1);
    assert.equal((await ok("plan_update", { id: "WORK-001", priority: "low" })).changed, 1);
    assert.ok((await tools()).includes("plan_next"));
  }, { env: OFFLINE });
  await t.step("and missing ones are reported, each although only one is asked for", async () => {
    const names = ["learning", "places", "business"].map((name) => `@refrakt-md/${name}`);
    const versions = Object.fromEntries(
      [...names, "@refrakt-md/plan"].map((name) => [name, "0.0.1"]),
    );
    const project = makeProject({
      ...SMALL_PLAN,
      "package.json": JSON.stringify({ dependencies: versions }),
      "refrakt.config.json": JSON.stringify({ plugins: names }),
    });
    await withServer(project, async ({ call, ok }) => {
      const { errorCode, hint } = await call("plan_next");
      assert.deepEqual([errorCode, hint !== undefined], ["PLUGIN_LOAD_FAILED", true]);
      const { warnings } = await detected(ok);
      const said = warnings.map(({ message }: { message: string }) => message).join("\n");
      for (const name of names) {
        assert.match(said, new RegExp(`${name} could not be downloaded: the registry cannot be r`));
      }
    }, { env: OFFLINE });
  });
  await t.step("and those that npm does not answer for are named within five seconds", async () => {
    await using registry = await silentRegistry();
    const plugins = '{ "plugins": ["@refrakt-md/learning"] }';
    const project = makeProject({ ...SMALL_PLAN, "refrakt.config.json": plugins });
    await withServer(project, async ({ call, stderr }) => {
      assert.equal((await call("plan_status")).errorCode, "PLUGIN_LOAD_FAILED");
      const sentences = [...stderr().matchAll(/^Waiting for npm: .* warm .*$/gm)].map(String);
      assert.equal(sentences.length, 1, stderr());
      for (const name of ["plan", "learning"]) {
        assert.ok(sentences[0]!.includes(`@refrakt-md/${name} 0.25.1`), sentences[0]);
      }
    }, { args: ["--timeout", "5"], env: registry.env });
  });
});
