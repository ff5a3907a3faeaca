/** Subscriptions and list changes, for clients of both eras. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { MOST_SUBSCRIPTIONS } from "../../src/mcp/follower.ts";
import { entity, makeProject, SMALL_PLAN } from "../support/project.ts";
import { startRaw } from "../support/raw.ts";
import { inProcess } from "../support/in_process.ts";
import { hearing } from "../support/server.ts";

const WORK = "refrakt://plan/work/WORK-001";
const INDEX = "refrakt://plan/index";
const STATUS = "refrakt://plan/status";
const CONFIG = '{"contentDir":"content","theme":"@refrakt-md/lumina","target":"html"}';

Deno.test("subscriptions follow renamed files, and a rename updates the index", async () => {
  const cwd = makeProject(SMALL_PLAN);
  const [from, to] = ["first", "renamed"].map((slug) => join(cwd, `plan/work/WORK-001-${slug}.md`));
  await inProcess(cwd, async (session) => {
    const updated = hearing(session.client);
    for (const uri of [WORK, INDEX, STATUS]) await session.client.subscribeResource({ uri });
    const both = Promise.all([updated(WORK), updated(INDEX)]);
    Deno.renameSync(from!, to!);
    // Each call starts a comparison.
    await session.ok("refrakt.version");
    await both;
    const changed = Promise.all([updated(WORK), updated(STATUS)]);
    await session.ok("plan.update", { id: "WORK-001", status: "in-progress" });
    await changed;
    const again = updated(WORK);
    Deno.writeTextFileSync(to!, Deno.readTextFileSync(to!) + "\nMore.\n");
    await session.ok("refrakt.version");
    await again;
    assert.match(await session.read(WORK), /More\./);
  });
});

Deno.test("subscribing to a missing resource fails, and the error lists valid ones", async () => {
  const uris = ["refrakt://nothing/here", "refrakt://plan/work/WORK-999", "no uri"];
  const cwd = makeProject(SMALL_PLAN);
  await inProcess(cwd, async ({ client }) => {
    for (const uri of uris) {
      await assert.rejects(
        client.subscribeResource({ uri }),
        (error: { code: number; data: { errorCode: string } }) =>
          [-32002, -32602].includes(error.code) &&
          ["NOT_FOUND", "INVALID_ARGS"].includes(error.data.errorCode),
        uri,
      );
    }
    await client.subscribeResource({ uri: INDEX });
    // A failed subscription is forgotten: the entity may be created later.
    const text = entity("work", { id: "WORK-999" }, "Late", "");
    Deno.writeTextFileSync(join(cwd, "plan/work/WORK-999-late.md"), text);
    await client.subscribeResource({ uri: uris[1]! });
  });
});

Deno.test("subscriptions are limited, and unsubscribing makes room", async () => {
  const files = Object.fromEntries(
    Array.from({ length: MOST_SUBSCRIPTIONS + 1 }, (_, index) => [
      `plan/work/WORK-${index + 1}.md`,
      entity("work", { id: `WORK-${index + 1}`, status: "ready" }, "Title", ""),
    ]),
  );
  await inProcess(makeProject(files), async ({ client }) => {
    const subscribe = (number: number) =>
      client.subscribeResource({ uri: `refrakt://plan/work/WORK-${number}` });
    for (let number = 1; number <= MOST_SUBSCRIPTIONS; number++) await subscribe(number);
    await subscribe(1);
    await assert.rejects(subscribe(MOST_SUBSCRIPTIONS + 1), /limit of 200 subscriptions/);
    await client.unsubscribeResource({ uri: "refrakt://plan/work/WORK-7" });
    await subscribe(MOST_SUBSCRIPTIONS + 1);
  });
});

Deno.test("clients are notified of changes of lists they have requested, and of no others", async () => {
  const cwd = makeProject(SMALL_PLAN);
  await inProcess(cwd, async (session) => {
    const told: string[] = [];
    session.client.fallbackNotificationHandler = ({ method }: { method: string }) => {
      told.push(method);
      return Promise.resolve();
    };
    Deno.writeTextFileSync(join(cwd, "refrakt.config.json"), CONFIG);
    // Each call starts a comparison.
    await session.ok("refrakt.version");
    await session.ok("refrakt.version");
    assert.deepEqual(told, []);
    assert.ok((await session.tools()).includes("refrakt.render"));
    const changed = hearing(session.client);
    const both = Promise.all(
      ["tools", "prompts"].map((list) => changed(`notifications/${list}/list_changed`)),
    );
    await session.client.listPrompts();
    Deno.removeSync(join(cwd, "refrakt.config.json"));
    await both;
    assert.ok(!(await session.tools()).includes("refrakt.render"));
  });
});

Deno.test("listening requests are notified once per change of what they list, until cancelled", async () => {
  const cwd = makeProject(SMALL_PLAN);
  const name = (key: string) => `io.modelcontextprotocol/${key}`;
  const _meta = {
    [name("protocolVersion")]: "2026-07-28",
    [name("clientInfo")]: { name: "raw", version: "1" },
    [name("clientCapabilities")]: {},
  };
  const server = startRaw(cwd);
  const listen = async (id: string, notifications: Record<string, unknown>) => {
    const before = server.messages.length;
    const params = { notifications, _meta };
    server.send({ jsonrpc: "2.0", id, method: "subscriptions/listen", params });
    await server.next(({ method }) => /acknowledged/.test(method ?? ""), before);
  };
  const notes = (method: string) =>
    server.messages.filter((message) => message.method === `notifications/${method}`);
  await listen("first", { resourceSubscriptions: [INDEX, "refrakt://no/such"] });
  await listen("second", { resourceSubscriptions: [INDEX], toolsListChanged: true });
  const call = (id: string) =>
    server.request("tools/call", {
      name: "plan.update",
      arguments: { id, status: "blocked" },
      _meta,
    });
  await call("WORK-001");
  await server.next(({ method }) => method === "notifications/resources/updated");
  await call("WORK-001");
  assert.equal(notes("resources/updated").length, 2);
  const cancel = (requestId: string) =>
    server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
  cancel("second");
  const before = server.messages.length;
  await call("WORK-002");
  await server.next(({ method }) => method === "notifications/resources/updated", before);
  await call("WORK-002");
  assert.equal(notes("resources/updated").length, 3);
  assert.equal(await server.end(), 0);
  assert.deepEqual(server.noise, []);
});
