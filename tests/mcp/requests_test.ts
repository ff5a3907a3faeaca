/** What a client sends that is wrong, and the answer that each gets. */

import assert from "node:assert/strict";
import { answerableId, messageProblem, paramsProblem } from "../../src/mcp/requests.ts";
import { initialized } from "../support/raw.ts";
import { makeProject, SMALL_PLAN } from "../support/project.ts";

Deno.test("messageProblem() tells requests, notifications and answers from everything else", () => {
  const fine = [
    { jsonrpc: "2.0", id: 1, method: "ping" },
    { jsonrpc: "2.0", id: "a", method: "ping", params: {} },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 1, result: {} },
    { jsonrpc: "2.0", id: null, error: { code: 1, message: "" } },
  ];
  for (const message of fine) assert.equal(messageProblem(message), undefined);
  const wrong = [
    null,
    1,
    "x",
    [],
    {},
    { jsonrpc: "1.0", id: 1, method: "ping" },
    { jsonrpc: "2.0", id: 1.5, method: "ping" },
    { jsonrpc: "2.0", id: null, method: "ping" },
    { jsonrpc: "2.0", id: {}, method: "ping" },
    { jsonrpc: "2.0", id: 1 },
    { jsonrpc: "2.0", id: 1, method: 7 },
    { jsonrpc: "2.0", id: 1, method: "ping", result: {} },
    { jsonrpc: "2.0", id: 1, method: "ping", params: { _meta: null } },
    { jsonrpc: "2.0", id: 1, method: "ping", params: { _meta: { progressToken: {} } } },
  ];
  for (const message of wrong) assert.equal(messageProblem(message)?.code, -32600);
  assert.equal(answerableId({ id: 1.5 }), 1.5);
  assert.equal(answerableId({ id: {} }), null);
});

Deno.test("paramsProblem() names the field and what is wrong, and is short", () => {
  assert.deepEqual(paramsProblem({ method: "tools/call", params: { name: 7 } }), {
    code: -32602,
    message: 'Invalid params: "name": expected string, received number',
  });
  const many = paramsProblem({ method: "completion/complete", params: { ref: 1, argument: 2 } });
  assert.ok(many!.message.length < 300 && !many!.message.includes("{"));
  assert.equal(paramsProblem({ method: "tools/list" }), undefined);
  assert.equal(paramsProblem({ method: "no/such", params: { a: 1 } }), undefined);
});

/** What is sent, and the code of the answer; `id` is that of the answer. */
const MALFORMED: [string, number, unknown][] = [
  ["this is no JSON", -32700, null],
  ['{"jsonrpc":"2.0","id":1}', -32600, 1],
  ['{"jsonrpc":"2.0","id":2,"method":"tools/list","params":"x"}', -32602, 2],
  ['{"jsonrpc":"2.0","id":3.5,"method":"tools/list"}', -32600, 3.5],
  ['{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":7}}', -32602, 4],
  ['{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{}}', -32602, 5],
  ['{"jsonrpc":"2.0","id":6,"method":"tools/list","params":{"cursor":"nonsense"}}', -32602, 6],
  [
    '{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"refrakt://no/such"}}',
    -32002,
    7,
  ],
  ['{"jsonrpc":"2.0","id":8,"method":"no/such"}', -32601, 8],
  ['{"jsonrpc":"2.0","id":9,"method":"prompts/get","params":{"name":"none"}}', -32602, 9],
  ['[{"jsonrpc":"2.0","id":10,"method":"ping"}]', -32600, null],
  ["[]", -32600, null],
  [
    '{"jsonrpc":"2.0","id":11,"method":"tools/list","params":{"_meta":' +
    '{"io.modelcontextprotocol/protocolVersion":"2030-01-01"}}}',
    -32022,
    11,
  ],
  [
    `{"jsonrpc":"2.0","id":12,"method":"ping","params":{"x":"${"x".repeat(11_000_000)}"}}`,
    -32600,
    12,
  ],
];

Deno.test("everything malformed gets an answer with a code and a short reason, and the session goes on", async (t) => {
  const server = await initialized(makeProject(SMALL_PLAN));
  for (const [line, code, id] of MALFORMED) {
    await t.step(line.slice(0, 70), async () => {
      const before = server.messages.length;
      server.write(`${line}\n`);
      const answer = await server.next((message) => message.error !== undefined, before);
      assert.deepEqual([answer.error?.code, answer.id], [code, id]);
      const { message } = answer.error!;
      assert.ok(message.length < 500 && !message.includes('"code"'), message);
    });
  }
  server.write('{"jsonrpc":"2.0","method":"notifications/nothing","params":"x"}\n');
  const { result } = await server.request("tools/call", { name: "plan.next", arguments: {} });
  assert.ok(!result?.["isError"]);
  assert.equal(await server.end(), 0);
  assert.deepEqual(server.noise, []);
});

Deno.test("requests whose form is wrong take the place of no others", async () => {
  const server = await initialized(makeProject(SMALL_PLAN));
  const wrong = [{ params: { _meta: 5 } }, { params: { _meta: { progressToken: {} } } }, { x: 1 }];
  // More than are worked on at a time.
  for (let id = 1000; id < 1200; id++) {
    server.send({ jsonrpc: "2.0", id, method: "ping", ...wrong[id % wrong.length] });
  }
  await server.request("ping", {});
  const codes = new Set(server.messages.map(({ error }) => error?.code));
  assert.ok(codes.has(-32600) && server.messages.length > 200, `${server.messages.length} answers`);
  await server.end();
});

Deno.test("a batch of 2025-03-26 gets one answer, with the notifications left out", async () => {
  const server = await initialized(makeProject(SMALL_PLAN), { protocolVersion: "2025-03-26" });
  server.write(
    '[{"jsonrpc":"2.0","id":901,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},' +
      '{"jsonrpc":"2.0","id":902,"method":"no/such"},{"jsonrpc":"2.0","id":903}]\n',
  );
  const batch = await server.next((message) => Array.isArray(message)) as unknown as {
    id: number;
    error?: { code: number };
  }[];
  await server.end();
  const codes = batch.map(({ id, error }) => [id, error?.code]).sort();
  assert.deepEqual(codes, [[901, undefined], [902, -32601], [903, -32600]]);
});
