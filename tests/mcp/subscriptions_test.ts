import assert from "node:assert/strict";
import { join } from "node:path";
import { createSubscriptions, MOST_SUBSCRIPTIONS } from "../../src/mcp/subscriptions.ts";
import { type Look, lookAt } from "../../src/mcp/watch.ts";
import type { Workspace } from "../../src/tools/workspace.ts";
import { openWorkspace } from "../../src/workspace/mod.ts";
import { errorOf } from "../support/calls.ts";
import { entity, makeProject, SMALL_PLAN } from "../support/project.ts";
import { type Session, withServer } from "../support/server.ts";

/** Waits for the notification about a resource. */
function heard({ client }: Session): (uri: string) => Promise<void> {
  const waiting = new Map<string, () => void>();
  client.fallbackNotificationHandler = (note: { method: string; params?: unknown }) => {
    const key = note.method === "notifications/resources/updated"
      ? (note.params as { uri: string }).uri
      : note.method;
    waiting.get(key)?.();
    return Promise.resolve();
  };
  return (key) => new Promise<void>((resolve) => waiting.set(key, resolve));
}

Deno.test("an entity is followed when its file is renamed, and a rename alone updates the index", async () => {
  const cwd = makeProject(SMALL_PLAN);
  const [from, to] = ["first", "renamed"].map((slug) => join(cwd, `plan/work/WORK-001-${slug}.md`));
  await withServer(cwd, async (session) => {
    const updated = heard(session);
    const uri = "refrakt://plan/work/WORK-001";
    for (const each of [uri, "refrakt://plan/index"]) {
      await session.client.subscribeResource({ uri: each });
    }
    const both = Promise.all([updated(uri), updated("refrakt://plan/index")]);
    Deno.renameSync(from!, to!);
    await both;
    const again = updated(uri);
    Deno.writeTextFileSync(to!, Deno.readTextFileSync(to!) + "\nMore.\n");
    await again;
    assert.match(await session.read(uri), /More\./);
  });
});

Deno.test("what does not exist cannot be subscribed to, and the answer says what there is", async () => {
  await withServer(makeProject(SMALL_PLAN), async ({ client }) => {
    for (
      const uri of [
        "refrakt://nothing/here",
        "refrakt://plan/work/WORK-999",
        "refrakt://result/anything",
        "no uri",
      ]
    ) {
      await assert.rejects(
        client.subscribeResource({ uri }),
        (error: { code: number; data: { errorCode: string } }) =>
          [-32002, -32602].includes(error.code) &&
          ["NOT_FOUND", "INVALID_ARGS"].includes(error.data.errorCode),
        uri,
      );
    }
    await client.subscribeResource({ uri: "refrakt://plan/index" });
  });
});

Deno.test("there is a limit of subscriptions, and one look reads each thing once for all of them", async () => {
  const files = Object.fromEntries(
    Array.from({ length: MOST_SUBSCRIPTIONS + 1 }, (_, index) => [
      `plan/work/WORK-${index + 1}.md`,
      entity("work", { id: `WORK-${index + 1}`, status: "ready" }, "Title", ""),
    ]),
  );
  const workspace = openWorkspace({ cwd: makeProject(files) });
  let walks = 0;
  const counted: Workspace = {
    ...workspace,
    contentStamp: () => `${workspace.contentStamp()}${walks++}`.slice(0, -1),
  };
  const subscriptions = createSubscriptions(counted);
  await subscriptions.add("refrakt://plan/index");
  await subscriptions.add("refrakt://plan/status");
  await subscriptions.add("refrakt://detect");
  for (let index = 1; index <= MOST_SUBSCRIPTIONS - 3; index++) {
    await subscriptions.add(`refrakt://plan/work/WORK-${index}`);
  }
  const error = await errorOf(subscriptions.add(`refrakt://plan/work/WORK-${MOST_SUBSCRIPTIONS}`));
  assert.deepEqual([error.code, error.message], [
    "INVALID_ARGS",
    `There are ${MOST_SUBSCRIPTIONS} subscriptions`,
  ]);
  await subscriptions.add("refrakt://plan/index");
  subscriptions.remove("refrakt://detect");
  // Side by side only one of two gets the last place.
  const both = await Promise.allSettled(
    [0, 1].map((more) =>
      subscriptions.add(`refrakt://plan/work/WORK-${MOST_SUBSCRIPTIONS + more}`)
    ),
  );
  assert.equal(both.filter(({ status }) => status === "fulfilled").length, 1);
  walks = 0;
  const stats: string[] = [];
  const look = lookAt(counted);
  const watched: Look = { ...look, file: (path) => (stats.push(path), look.file(path)) };
  await subscriptions.changed(watched);
  assert.equal(walks, 1);
  assert.equal(new Set(stats).size, MOST_SUBSCRIPTIONS - 2);
});
