import assert from "node:assert/strict";
import { join } from "node:path";
import { commitAll, makeProject, SMALL_PLAN } from "../support/project.ts";
import { initialized } from "../support/raw.ts";
import { commandOf } from "../support/server.ts";

function project(): string {
  const cwd = makeProject(SMALL_PLAN);
  commitAll(cwd, "begin");
  return cwd;
}

Deno.test("requests that arrive with the end of the input are answered", async () => {
  const clientInfo = { name: "raw", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const lines = [
    { id: 1, method: "initialize", params },
    { method: "notifications/initialized" },
    { id: 2, method: "ping" },
  ].map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const cwd = project();
  Deno.writeTextFileSync(join(cwd, "input.jsonl"), lines.join(""));
  // The end of a file is read at once after its text, and that of a pipe a turn later.
  const { command, args } = commandOf({ prefix: ["sh", "-c", 'exec "$@" < input.jsonl', "sh"] });
  const { code, stdout } = await new Deno.Command(command, { args, cwd, stderr: "null" }).output();
  assert.equal(code, 0);
  const answered = new TextDecoder().decode(stdout).trimEnd().split("\n")
    .map((line) => JSON.parse(line)).filter(({ result }) => result !== undefined);
  assert.deepEqual(answered.map(({ id }) => id).sort(), [1, 2]);
});

Deno.test("malformed input gets an error with its id, the session continues, and its end answers what runs", async () => {
  const server = await initialized(project());
  const ask = async (method: string, params: Record<string, unknown>) =>
    (await server.request(method, params)).error;
  const cases = [
    ["tools/call", { name: 7 }, -32602],
    ["resources/read", {}, -32602],
    ["resources/read", { uri: "refrakt://no/such" }, -32002],
    ["no/such", {}, -32601],
  ] as const;
  for (const [method, params, code] of cases) {
    assert.equal((await ask(method, params))?.code, code, method);
  }
  const deep = "[".repeat(4_000_000);
  const lines = [
    ['{"jsonrpc":"2.0","id":70,"meth', null, -32700],
    ["\ufeffno JSON", null, -32700],
    ['{"jsonrpc":"2.0","id":71,"method":7}', 71, -32600],
    ['{"id":"a","method":"ping"}', "a", -32600],
    ['{"jsonrpc":"1.0","id":73,"method":"ping"}', 73, -32600],
    [
      '{"jsonrpc":"2.0","id":75,"method":"ping"}{"jsonrpc":"2.0","id":76,"method":"ping"}',
      null,
      -32700,
    ],
    [`["${"x".repeat(5_000_000)}"`, null, -32700],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', null, -32600],
    ['{"jsonrpc":"2.0","method":"notifications/nothing","params":"x"}', null, -32600],
    ['{"jsonrpc":"2.0","id":1,"result":7}', null, -32600],
    ['[{"jsonrpc":"2.0","id":72,"method":"ping"}]', null, -32600],
    [deep, null, -32600],
    [`{"id":1,"a":${"[".repeat(64)}${"]".repeat(64)}}`, null, -32600],
    [`"${"x".repeat(11_000_000)}"`, null, -32600],
  ] as const;
  for (const [line, id, code] of lines) {
    const from = server.messages.length;
    server.write(`\r\n${line}\r\n`);
    const { error } = await server.next((message) => message.id === id, from);
    assert.equal(error?.code, code, line.slice(0, 80));
  }
  const brackets = { id: "WORK-001", query: `"\\${"[{".repeat(200)}` };
  assert.ok((await server.request("tools/call", { name: "plan_get", arguments: brackets })).result);
  const odd = { name: "plan_update", arguments: { id: "\u0000\uD800", status: ["x"] } };
  assert.ok((await server.request("tools/call", odd)).result?.["isError"]);
  assert.ok((await server.request("tools/list", {})).result);
  assert.deepEqual(server.noise, []);
  // What takes a moment is answered when the input ends, also after half a line.
  for (let id = 1000; id < 1005; id++) {
    const params = { name: "plan_get", arguments: { id: "WORK-001" } };
    server.send({ jsonrpc: "2.0", id, method: "tools/call", params });
  }
  server.write('{"jsonrpc":"2.0","id":5,"meth');
  assert.equal(await server.end(), 0);
  const answered = server.messages.filter((message) => Number(message.id) >= 1000);
  assert.deepEqual(answered.map(({ id }) => id).sort(), [1000, 1001, 1002, 1003, 1004]);
  assert.ok(answered.every((message) => !message.result?.["isError"]));
  assert.deepEqual(server.noise, []);
});
