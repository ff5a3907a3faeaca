import { Client, InMemoryTransport } from "../support/npm/client_v2.ts";
import assert from "node:assert/strict";
import { createServer, detect, discoverPlugins } from "../../mod.ts";
import { defineTool, type Plugin } from "../../src/lib/plugin.ts";
import { errorOf } from "../support/calls.ts";
import { makeProject, planFile, SMALL_PLAN } from "../support/project.ts";
import { runProcess } from "../support/process.ts";
import { copyExample } from "../support/run.ts";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { programOf, README_PERMISSIONS, ROOT, withServer } from "../support/server.ts";

const greet = defineTool({
  ...{ name: "team_greet", title: "Greet", description: "Says hello." },
  input: {
    type: "object",
    properties: { name: { type: "string" } },
    required: ["name"],
    additionalProperties: false,
  },
  run: ({ name }, { project }) => ({
    greeting: `Hello, ${name}`,
    plan: project.plan?.dir ?? null,
  }),
});

const greeter: Plugin = {
  name: "team",
  tools: [greet],
  resources: [{
    uri: "team://motto",
    name: "motto",
    title: "Motto",
    description: "What the team believes.",
    mimeType: "text/plain",
    read: () => ({ text: "Ship it" }),
  }],
};

/** The module that the programs of these tests embed. */
const LIBRARY = pathToFileURL(programOf()).href;

Deno.test("calls tools and reads resources without a client", async () => {
  const server = await createServer({ cwd: copyExample("plan") });
  const first = await server.callTool("plan_next", { count: 1 }) as { items: unknown[] };
  assert.equal(first.items.length, 1);
  assert.deepEqual(await server.callTool("plan_next", { count: 1 }), first);
  assert.match(await server.readResource("refrakt://plan/work/WORK-001"), /^\{% work /);
  assert.equal(JSON.parse(await server.readResource("refrakt://detect")).plan.fileCount, 8);
  const tools = await server.listTools();
  const next = tools.find((tool) => tool.name === "plan_next")!;
  assert.equal(next.inputSchema["type"], "object");
  assert.ok(next.title && next.description);
  assert.equal(server.project().plan?.dir, "plan");
});

Deno.test("errors have the same code and hint as for clients", async () => {
  const server = await createServer({ cwd: copyExample("plan") });
  const cases: [() => Promise<unknown>, string][] = [
    [() => server.callTool("plan.nxt"), "NOT_FOUND"],
    [() => server.callTool("refrakt_inspect", { rune: "hint" }), "SITE_CONFIG_MISSING"],
    [() => server.readResource("refrakt://plan/work/WORK-999"), "NOT_FOUND"],
    [() => createServer({ cwd: "no/such/directory" }), "NOT_FOUND"],
  ];
  for (const [work, wanted] of cases) {
    const { code, hint } = await errorOf(work());
    assert.deepEqual([code, hint !== undefined], [wanted, true]);
  }
});

Deno.test("includes tools and resources of the embedding program", async () => {
  const server = await createServer({ cwd: copyExample("plan"), plugins: [greeter] });
  const greeted = await server.callTool("team_greet", { name: "Ada" });
  assert.deepEqual(greeted, { greeting: "Hello, Ada", plan: "plan" });
  const typed: { greeting: string; plan: string | null } = await server.callTool(greet, {
    name: "Ada",
  });
  assert.deepEqual(typed, greeted);
  // @ts-expect-error: the name is required
  assert.equal((await errorOf(server.callTool(greet, {}))).code, "INVALID_ARGS");
  // @ts-expect-error: a name is a text
  assert.equal((await errorOf(server.callTool(greet, { name: [] }))).code, "INVALID_ARGS");
  const declared = { name: "team_echo", description: "Echo", input: { type: "object" } } as const;
  const echo = defineTool({ ...declared, run: (input) => ({ input }) });
  const other = await createServer({ plugins: [{ name: "echo", tools: [echo] }] });
  assert.deepEqual(await other.callTool("team_echo", { a: 1 }), { input: { a: 1 } });
  const { title } = (await other.listTools()).find(({ name }) => name === "team_echo")!;
  assert.equal(title, "Team echo");
  assert.equal(await server.readResource("team://motto"), "Ship it");
  const report = await server.callTool("refrakt_detect") as { tools: string[] };
  assert.ok(report.tools.includes("team_greet"));
});

Deno.test("lists, reads and renders what a client would get, with a name and instructions of its own", async () => {
  const prompts = [{
    name: "team_hello",
    title: "Hello",
    description: "Says hello.",
    arguments: [{ name: "name", description: "Whom", required: true }],
    render: ({ name }: Record<string, string>) => `Hello, ${name}`,
  }];
  const named = { name: "team", instructions: "Greet first." };
  const plugins = [{ ...greeter, prompts }];
  const server = await createServer({ cwd: copyExample("plan"), ...named, plugins });
  assert.ok((await server.listTools()).some(({ name }) => name === "team_greet"));
  const uris = (await server.listResources()).map(({ uri }) => uri);
  for (const uri of ["team://motto", "refrakt://prime", "refrakt://plan/{type}/{id}"]) {
    assert.ok(uris.includes(uri), `${uri} of ${uris}`);
  }
  const listed = await server.listPrompts();
  assert.deepEqual(listed.find(({ name }) => name === "team_hello")?.arguments?.length, 1);
  assert.ok(listed.some(({ name }) => name === "plan_work"));
  assert.deepEqual(await server.getPrompt("team_hello", { name: "Ada" }), [
    { role: "user", content: "Hello, Ada" },
  ]);
  assert.equal((await errorOf(server.getPrompt("team_hallo"))).code, "NOT_FOUND");
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(ours);
  const client = new Client({ name: "embed-test", version: "1.0.0" });
  await client.connect(theirs);
  assert.equal(client.getServerVersion()?.name, "team");
  assert.match(client.getInstructions()!, /^Greet first\.\n\nThis project: plan\//);
  await client.close();
});

Deno.test("a wrong return value is an error that names the tool, the field and what was expected", async () => {
  const results: Record<string, [() => unknown, RegExp]> = {
    wrong: [() => ({ n: "x" }), /breaks its output schema: "n": must be a number, got "x"$/],
    big: [() => ({ n: 1, a: [{ b: 2n }] }), /is malformed: "a.0.b": must be JSON, got a bigint$/],
    itself: [() => within({ n: 1 }), /is malformed: "a": .* an object that contains itself$/],
    block: [() => ({ content: [{ type: "image", data: "" }] }), /"content.0": "mimeType" is /],
  };
  const within = (value: Record<string, unknown>) => Object.assign(value, { a: value });
  const output = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
  const declared = { title: "", description: "" };
  const server = await createServer({
    cwd: copyExample("plan"),
    plugins: [{
      name: "team",
      tools: Object.entries(results).map(([name, [run]]) =>
        defineTool({ ...declared, name: `team_${name}`, input: { type: "object" }, output, run })
      ),
    }],
  });
  for (const [name, [, problem]] of Object.entries(results)) {
    const { code, message } = await errorOf(server.callTool(`team_${name}`));
    assert.equal(code, "TOOL_FAILED");
    assert.match(message, new RegExp(`^The result of team_${name} `));
    assert.match(message, problem);
  }
});

Deno.test("serves stdio with one line", async () => {
  const cwd = makeProject({
    "server.ts": `import { createServer } from "${ROOT}mod.ts";
const server = await createServer({ name: "mine" });
await server.serveStdio();
`,
  });
  await withServer(cwd, async ({ client, tools }) => {
    assert.equal(client.getServerVersion()?.name, "mine");
    assert.ok((await tools()).includes("refrakt_detect"));
  }, {
    entry: `../${basename(cwd)}/server.ts`,
    grants: [`--config=${ROOT}deno.json`, "--no-check", ...README_PERMISSIONS],
  });
});

Deno.test("several servers for different directories run in one process", async () => {
  const letters = ["A", "B"];
  const item = (letter: string) => planFile("WORK-003", { status: "ready" }, "", `In ${letter}`);
  const dirs = letters.map((letter) => makeProject({ ...SMALL_PLAN, ...item(letter) }));
  const servers = await Promise.all(dirs.map((cwd) => createServer({ cwd })));
  const found = await Promise.all(
    servers.map((server) => server.callTool("plan_get", { id: "WORK-003" })),
  );
  assert.deepEqual(found.map((each) => Object(each).title), ["In A", "In B"]);
  await Promise.all(
    servers.map((server, at) =>
      server.callTool("plan_update", { id: "WORK-003", assignee: letters[at] })
    ),
  );
  for (const [at, cwd] of dirs.entries()) {
    const text = Deno.readTextFileSync(`${cwd}/plan/work/WORK-003.md`);
    assert.ok(text.includes(`assignee="${letters[at]}"`), text);
  }
});

Deno.test("detect() and discoverPlugins() report what a directory has", async () => {
  const cwd = copyExample("site-and-plan");
  const report = await detect({ cwd, plugins: ["ralph"] });
  assert.equal(report.plan?.fileCount, 7);
  assert.deepEqual(report.site?.sites, ["main"]);
  assert.ok(report.tools.includes("ralph_start"));
  const plugins = await discoverPlugins({ cwd });
  assert.deepEqual(plugins.map((plugin) => plugin.namespace), ["docs", "plan"]);
  const fields = ["commands", "namespace", "packageName", "packageVersion", "source"];
  for (const plugin of plugins) assert.deepEqual(Object.keys(plugin).sort(), fields);
  const next = plugins[1]!.commands.find(({ name }) => name === "next");
  assert.equal(typeof next?.handler, "function");
  assert.ok(next?.inputSchema !== undefined);
});

/** Runs a program that does what its first argument says. */
async function runHost(...args: string[]) {
  const command = ["run", "-A", "--no-check", `${ROOT}tests/lib/host_program.ts`, ...args];
  const { code, stdout, stderr } = await runProcess(Deno.execPath(), command, ROOT, "typed\n");
  return { code, stdout, stderr: stripVTControlCharacters(stderr) };
}

Deno.test("the embedding program keeps its streams, its environment, its globals, and ends as without a server", async () => {
  const cwd = copyExample("plan");
  const ways = {
    "uses its streams": 7,
    rejects: 1,
    "handles its own": 0,
    "is terminated": 143,
    "handles a signal": 3,
  };
  for (const [how, code] of Object.entries(ways)) {
    const alone = await runHost(how);
    assert.equal(alone.code, code, how);
    if (code === 7) assert.match(alone.stdout, /typed/);
    assert.deepEqual(await runHost(how, cwd, LIBRARY), alone, how);
  }
});
