import assert from "node:assert/strict";
import { HOST_PAGE } from "../../src/cli/view_page.ts";
import { openWorkspace } from "../../src/host/open_workspace.ts";
import { HIDDEN } from "../support/hostile_text.ts";
import { planFile, writeFiles } from "../support/project.ts";
import { copyExample } from "../support/run.ts";
import { HOST, requestsTo, TOKEN } from "./view_requests.ts";

const VIEW = {
  view: { tool: "plan_board", steps: ["open"], tools: ["plan_get"] },
  document: "<p>view</p>",
  viewTools: [],
  input: {},
};

const cwd = copyExample("plan");
writeFiles(cwd, planFile("WORK-800", { status: "ready" }, "", "Odd\u202e\u3164"));
const workspace = openWorkspace({ cwd });
const request = requestsTo(VIEW, workspace);

const post = (body: unknown, headers: Record<string, string> = {}, path = "/call") =>
  request(path, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
  }, { "x-refrakt-secret": TOKEN, ...headers });

Deno.test("the page is the same for everybody, and its policy allows only its own origin", async () => {
  const response = await request("/");
  assert.equal(response.status, 200);
  const text = await response.text();
  assert.match(text, /sandbox="allow-scripts"/);
  assert.ok(!text.includes(TOKEN) && !text.includes(VIEW.document));
  assert.match(response.headers.get("content-security-policy")!, /connect-src 'self'/);
  assert.equal(response.headers.get("referrer-policy"), "no-referrer");
  assert.equal(response.headers.get("cache-control"), "no-store");
  const started = await (await post({}, {}, "/start")).json();
  const { project, ...others } = started;
  assert.match(project, /^refrakt-mcp-/);
  assert.deepEqual(others, {
    document: VIEW.document,
    tool: VIEW.view.tool,
    input: {},
    steps: ["open"],
  });
});

Deno.test("a wrong secret, host or origin is rejected", async () => {
  for (const secret of ["", TOKEN.slice(1), `${TOKEN}x`]) {
    const response = await post({}, { "x-refrakt-secret": secret }, "/start");
    assert.equal(response.status, 403, secret);
    assert.match(await response.text(), /open the link that was printed/);
    assert.equal((await post({}, { "x-refrakt-secret": secret })).status, 403, secret);
  }
  const cases = [
    { host: HOST.replace("127.0.0.1", "localhost") },
    { host: "127.0.0.1:80" },
    { origin: "https://example.com" },
    { origin: "null" },
  ] as Record<string, string>[];
  for (const headers of cases) {
    assert.equal((await request("/", {}, headers)).status, 403);
    assert.equal((await post({}, headers, "/start")).status, 403);
  }
  for (const path of ["/other", "/call/more", `/${TOKEN}/`]) {
    assert.equal((await post({}, {}, path)).status, 404, path);
  }
  assert.equal((await request("/call", {}, { "x-refrakt-secret": TOKEN })).status, 404);
});

Deno.test("the view's tools can be called, and their errors are returned", async () => {
  const good = await post({ name: "plan_get", arguments: { id: "WORK-002" } }, {
    origin: `http://${HOST}`,
  });
  assert.equal((await good.json()).structuredContent.id, "WORK-002");
  const missing = await (await post({ name: "plan_get", arguments: { id: "WORK-999" } })).json();
  assert.deepEqual([missing.isError, missing.errorCode], [true, "NOT_FOUND"]);
  const wrong = await (await post({ name: "plan_get", arguments: { nope: 1 } })).json();
  assert.deepEqual([wrong.isError, wrong.errorCode], [true, "INVALID_ARGS"]);
});

Deno.test("a view gets no hidden character, of files and of what it asks for itself", async () => {
  for (const id of ["WORK-800", "WORK-9\u202e\u{e0041}"]) {
    const text = await (await post({ name: "plan_get", arguments: { id } })).text();
    assert.match(text, /\\\\u202e/);
    assert.doesNotMatch(text, HIDDEN);
  }
});

Deno.test("other tools and invalid requests are rejected", async () => {
  for (const name of ["plan_create", "plan.getx", "__proto__", undefined, 1]) {
    assert.equal((await post({ name, arguments: {} })).status, 403, String(name));
  }
  assert.equal((await post("{")).status, 400);
  assert.equal((await post("null")).status, 403);
  assert.equal((await post({}, { "content-length": "2000000" })).status, 413);
});

Deno.test("the page that hosts a view is one valid script without anything of the project", () => {
  const [script, ...others] = [...HOST_PAGE.matchAll(/<script>\n([^]*?)<\/script>/g)];
  assert.equal(others.length, 0);
  new Function(script![1]!);
  assert.match(HOST_PAGE, /<iframe sandbox="allow-scripts"/);
  const [argsOf] = /const unicodeEscapes = [^]*?\n};/.exec(script![1]!)!;
  const run = new Function("location", "keepsIn", "input", `${argsOf} return argsOf();`);
  assert.deepEqual(run({ search: "?text=a%E2%80%AEb" }, "filter", {}), {
    filter: { text: "a\\u202eb" },
  });
});
