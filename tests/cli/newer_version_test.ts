import assert from "node:assert/strict";
import { newerVersion } from "../../src/cli/newer_version.ts";
import { VERSION } from "../../src/version.ts";
import { forgetPort } from "../support/jsr.ts";

/** What a registry with these versions lets this version know. */
async function knownWith(versions: Record<string, unknown>): Promise<string | undefined> {
  // Deno caches modules by URL, and ports are reused.
  const base = `/${crypto.randomUUID()}/@refrakt/mcp/`;
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    ({ url }) =>
      new URL(url).pathname === `${base}meta.json`
        ? Response.json({ versions })
        : new Response("not found", { status: 404 }),
  );
  const { port } = server.addr;
  const known = await newerVersion(`http://127.0.0.1:${port}${base}${VERSION}/src/bundle/a.js`);
  await forgetPort(port);
  return known;
}

Deno.test("a newer version is known from the list that Deno has, unless it was withdrawn", async () => {
  const [own, newest] = [{ [VERSION]: {} }, { "99.2.0": {} }];
  assert.equal(await knownWith(own), undefined);
  assert.equal(await knownWith({ ...own, "0.0.9": {} }), undefined);
  assert.equal(await knownWith({ ...own, ...newest, "99.10.0": {} }), "99.10.0");
  const rest = { "99.10.0": { yanked: true }, "100.0.0-beta.1": {} };
  assert.equal(await knownWith({ ...own, ...newest, ...rest }), "99.2.0");
  assert.equal(await knownWith({}), undefined);
});

Deno.test("a checkout and a broken list know no newer version", async () => {
  assert.equal(await newerVersion(), undefined);
  assert.equal(await newerVersion("http://127.0.0.1:1/@refrakt/mcp/0.2.0/src/a.js"), undefined);
});
