import assert from "node:assert/strict";
import { commitAll, makeProject, SMALL_PLAN } from "../support/project.ts";
import { initialized, startRaw } from "../support/raw.ts";

function project(): string {
  const cwd = makeProject(SMALL_PLAN);
  commitAll(cwd, "begin");
  return cwd;
}

Deno.test("stdout is JSON-RPC, one message a line, whatever comes in", async () => {
  const server = await initialized(project());
  server.write("this is no JSON\n");
  server.write("\n{}\n[]\nnull\n42\n");
  server.write('{"jsonrpc":"2.0","id":900,"method":"no/such"}\n');
  server.write('{"jsonrpc":"2.0","id":901,"method":"tools/call"}\n');
  server.write('{"jsonrpc":"2.0","id":902,"method":"tools/call","params":{"name":7}}\n');
  server.write('{"jsonrpc":"2.0","id":903,"method":"resources/read","params":{}}\n');
  const odd = { name: "plan.update", arguments: { id: "\u0000\uD800", status: ["x"] } };
  assert.ok((await server.request("tools/call", odd)).result?.["isError"]);
  const list = { name: "plan.next", arguments: [] };
  assert.ok(await server.request("tools/call", list));
  const next = await server.request("tools/call", { name: "plan.next", arguments: {} });
  assert.ok(!next.result?.["isError"]);
  assert.equal(await server.end(), 0);
  const ids = server.messages.map((message) => message.id);
  for (const id of [900, 901, 902, 903]) assert.ok(ids.includes(id), String(id));
  for (const message of server.messages) assert.equal(message.jsonrpc, "2.0");
  assert.deepEqual(server.noise, []);
});

Deno.test("requests that are under way are answered when the input ends, and the process exits with 0", async () => {
  const server = await initialized(project());
  const names = ["plan.status", "plan.history", "plan.next", "refrakt.detect", "plan.validate"];
  names.forEach((name, index) => {
    server.send({
      jsonrpc: "2.0",
      id: 1000 + index,
      method: "tools/call",
      params: { name, arguments: {} },
    });
  });
  assert.equal(await server.end(), 0);
  const answered = server.messages.filter((message) => Number(message.id) >= 1000);
  assert.deepEqual(answered.map((message) => message.id).sort(), [1000, 1001, 1002, 1003, 1004]);
  assert.ok(answered.every((message) => !message.result?.["isError"]));
  assert.deepEqual(server.noise, []);
});

Deno.test("it exits with 0 also when nothing was asked, or the last line is broken", async () => {
  const silent = startRaw(project());
  assert.equal(await silent.end(), 0);
  const broken = await initialized(project());
  broken.write('{"jsonrpc":"2.0","id":5,"meth');
  assert.equal(await broken.end(), 0);
  const subscribed = await initialized(project());
  await subscribed.request("resources/subscribe", { uri: "refrakt://plan/index" });
  assert.equal(await subscribed.end(), 0);
});
