/** Changes of lists, for clients of both eras. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { makeProject, SMALL_PLAN } from "../support/project.ts";
import { startRaw } from "../support/raw.ts";
import { inProcess } from "../support/in_process.ts";

const CONFIG = '{"contentDir":"content","theme":"@refrakt-md/lumina","target":"html"}';

/** The notifications of a client, and a function that waits for one. */
function notified(client: { fallbackNotificationHandler?: unknown }) {
  const methods: string[] = [];
  const waiting = new Map<string, () => void>();
  client.fallbackNotificationHandler = ({ method }: { method: string }) => {
    methods.push(method);
    waiting.get(method)?.();
    return Promise.resolve();
  };
  const next = (list: string) =>
    new Promise<void>((resolve) => waiting.set(`notifications/${list}/list_changed`, resolve));
  return { methods, next };
}

Deno.test("clients are notified of changes of lists they have requested, and of no others", async () => {
  const cwd = makeProject();
  await inProcess(cwd, async ({ client, ok, tools }) => {
    const { methods, next } = notified(client);
    assert.ok(!(await tools()).includes("plan_next"));
    const first = next("tools");
    await ok("plan_init");
    await first;
    assert.deepEqual(methods, ["notifications/tools/list_changed"]);
    assert.ok((await tools()).includes("plan_next"));
    assert.ok((await ok("refrakt_detect")).plan.fileCount > 0);
    await client.listPrompts();
    await client.listResources();
    const all = Promise.all(["tools", "prompts", "resources"].map(next));
    Deno.removeSync(join(cwd, "plan"), { recursive: true });
    // Each call starts a comparison.
    await ok("refrakt_version");
    await all;
    assert.ok(!(await tools()).includes("plan_next"));
    assert.equal(methods.length, 4);
  });
});

Deno.test("over stdio, requests to listen are notified of what they name, until cancelled", async () => {
  const cwd = makeProject(SMALL_PLAN);
  const name = (key: string) => `io.modelcontextprotocol/${key}`;
  const _meta = {
    [name("protocolVersion")]: "2026-07-28",
    [name("clientInfo")]: { name: "raw", version: "1" },
    [name("clientCapabilities")]: {},
  };
  const server = startRaw(cwd);
  const isChange = ({ method }: { method?: string }) => /list_changed/.test(method ?? "");
  const change = async (change: () => void) => {
    const before = server.messages.length;
    change();
    return Object(await server.next(isChange, before)).params._meta[name("subscriptionId")];
  };
  for (const list of ["tools", "prompts"]) await server.request(`${list}/list`, { _meta });
  for (const [id, notifications] of [["a", { toolsListChanged: true }], ["b", {}]] as const) {
    const before = server.messages.length;
    const params = { notifications, _meta };
    server.send({ jsonrpc: "2.0", id, method: "subscriptions/listen", params });
    await server.next(({ method }) => /acknowledged/.test(method ?? ""), before);
  }
  const config = join(cwd, "refrakt.config.json");
  assert.equal(await change(() => Deno.writeTextFileSync(config, CONFIG)), "a");
  assert.equal(await change(() => Deno.removeSync(config)), "a");
  assert.equal(server.messages.filter(isChange).length, 2);
  server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "a" } });
  assert.ok((await server.request("tools/list", { _meta })).result);
  Deno.writeTextFileSync(config, CONFIG);
  const { result } = await server.request("tools/call", {
    name: "refrakt_version",
    arguments: {},
    _meta,
  });
  assert.ok(result);
  assert.equal(await server.end(), 0);
  assert.equal(server.messages.filter(isChange).length, 2);
  assert.deepEqual(server.noise, []);
});
