/** The program over HTTP: a real process, real clients, a real socket. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { Client as ClientV1 } from "../support/npm/client_v1.ts";
import { StreamableHTTPClientTransport as HttpV1 } from "../support/npm/client_v1.ts";
import { Client, StreamableHTTPClientTransport } from "../support/npm/client_v2.ts";
import { checkAnswers } from "../support/answers.ts";
import { withHttp } from "../support/http.ts";
import { makeProject, SMALL_PLAN } from "../support/project.ts";
import { refrakt } from "../support/run.ts";
import { hearing } from "../support/server.ts";

const TOKEN = "0123456789abcdef0123456789abcdef";

Deno.test("the program serves clients of both eras over HTTP, and others who send nothing", async (t) => {
  const cwd = makeProject(SMALL_PLAN);
  await withHttp(cwd, ["--http", "127.0.0.1:0"], async (url, pid) => {
    // The requests that do not arrive take ten seconds; others are served meanwhile.
    const open = () =>
      Deno.build.os === "linux" ? [...Deno.readDirSync(`/proc/${pid}/fd`)].length : 0;
    const head = ["POST /mcp HTTP/1.1", `Host: ${url.host}`, "Content-Length: 1000", ""];
    const halves = [
      ...Array<string[]>(97).fill([...head, "{"]),
      head.slice(0, 2),
      ["", ""],
      // Refused before its body is read.
      [...head.slice(0, 3), "Origin: https://evil.example", "", "{"],
    ];
    const opened = open();
    const ended = Promise.all(halves.map(async (lines) => {
      const socket = await Deno.connect({ hostname: "127.0.0.1", port: Number(url.port) });
      await socket.write(new TextEncoder().encode(lines.join("\r\n")));
      return (await new Response(socket.readable).text()).split("\r\n")[0];
    }));

    await t.step("a 1.x client calls tools", async () => {
      const client = new ClientV1({ name: "claude-code", version: "1.0.0" });
      await client.connect(new HttpV1(url) as never);
      const { tools } = await client.listTools();
      assert.ok(tools.some((tool: { name: string }) => tool.name === "plan_next"));
      const answer = await client.callTool({
        name: "plan_update",
        arguments: { id: "WORK-001", status: "in-progress" },
      });
      checkAnswers(tools, [{ name: "plan_update", answer: answer as never }]);
      await client.close();
    });

    await t.step("a 2.x client is notified of changes in the modern era", async () => {
      const client = new Client(
        { name: "test", version: "1.0.0" },
        { versionNegotiation: { mode: { pin: "2026-07-28" } } },
      );
      const heard = hearing(client);
      await client.connect(new StreamableHTTPClientTransport(url));
      const { tools } = await client.listTools();
      assert.ok(tools.some((tool) => tool.name === "plan_next"));
      const changed = heard("notifications/tools/list_changed");
      const listening = await client.listen({ toolsListChanged: true });
      Deno.writeTextFileSync(
        join(cwd, "refrakt.config.json"),
        '{"contentDir":"content","theme":"@refrakt-md/lumina","target":"html"}',
      );
      await changed;
      await listening.close();
      await client.close();
    });

    await t.step("requests that do not arrive cost nothing after ten seconds", async () => {
      const late = "HTTP/1.1 408 Request Timeout";
      assert.deepEqual(await ended, [...Array(99).fill(late), "HTTP/1.1 403 Forbidden"]);
      assert.ok(open() < opened + 20, `${opened} descriptors became ${open()}`);
    });
  });
});

Deno.test("with --token-file, clients must send the token; other addresses than loopback require it", async () => {
  const cwd = makeProject({ ...SMALL_PLAN, ".token": `${TOKEN}\n` });
  await withHttp(cwd, ["--http", "0.0.0.0:0", "--token-file", ".token"], async (url) => {
    const refused = await fetch(url, { method: "POST", body: "{}" });
    await refused.body?.cancel();
    assert.equal(refused.status, 401);
    const client = new Client({ name: "test", version: "1.0.0" });
    const headers = { authorization: `Bearer ${TOKEN}` };
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    assert.ok((await client.listTools()).tools.length > 5);
    await client.close();
    const elsewhere = await fetch(new URL("/", url), { headers });
    await elsewhere.body?.cancel();
    assert.equal(elsewhere.status, 404);
  });
});

Deno.test("missing requirements of HTTP are reported before serving", async () => {
  const cwd = makeProject({ ...SMALL_PLAN, "short.txt": "short" });
  const cases = [
    [["--http", "4711"], 1, /--allow-net=127\.0\.0\.1:4711/],
    [["--http", "0.0.0.0:4711"], 2, /needs --token-file/],
    [["--http", "4711", "--token-file", "short.txt"], 2, /16 characters/],
    [["--http", "4711", "--origin", "app.example"], 2, /Invalid value for --origin/],
  ] as const;
  for (const [args, code, said] of cases) {
    const run = await refrakt(cwd, args);
    assert.equal(run.code, code, `${args.join(" ")}: ${run.stderr}`);
    assert.match(run.stderr, said);
    assert.equal(run.stdout, "");
  }
});
