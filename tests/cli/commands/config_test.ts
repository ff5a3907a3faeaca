import { Client, StdioClientTransport } from "../../support/npm/client_v1.ts";
import assert from "node:assert/strict";
import { CLIENTS } from "../../../src/cli/client_configs.ts";
import { chooseDeno } from "../../../src/host/serve_command.ts";
import { makeProject, readTree, SMALL_PLAN } from "../../support/project.ts";
import { example, refrakt } from "../../support/run.ts";
import { childEnvironment, programOf, ROOT } from "../../support/server.ts";

type Launch = { command: string; args: string[] };

const NAMES = CLIENTS.map((client) => client.name);

/** The tables of a TOML file whose values are JSON on one line, as `config codex` prints it. */
function tablesIn(toml: string): Record<string, unknown> {
  const servers: Record<string, Record<string, unknown>> = {};
  for (const table of toml.split(/^(?=\[)/m)) {
    const [, name] = /^\[mcp_servers\.([\w-]+)\]$/m.exec(table)!;
    const pairs = [...table.matchAll(/^(\w+) = (.+)$/gm)];
    servers[name!] = Object.fromEntries(pairs.map(([, key, value]) => [key, JSON.parse(value!)]));
  }
  return { mcp_servers: servers };
}

function launchIn(client: string, snippet: string, wanted?: string): Launch {
  const file = client === "codex" ? tablesIn(snippet) : JSON.parse(snippet);
  // One list of servers, with one server unless its name is wanted.
  const [servers] = Object.values(file) as Record<string, Launch>[];
  const entries = Object.entries(servers!);
  const [name, entry] = entries.find(([name]) => name === wanted) ?? entries[0]!;
  assert.match(name, /^refrakt(-[a-z0-9_-]+)?$/);
  if (client === "vscode") assert.equal((entry as { type?: string }).type, "stdio");
  return { command: entry.command, args: entry.args };
}

/** The working directory in which a client starts its servers, and how it expands variables. */
function startOf(client: string, cwd: string): { cwd: string; fill: (text: string) => string } {
  const here = ["claude-code", "codex", "gemini-cli", "zed"].includes(client);
  return {
    cwd: here ? cwd : makeProject(),
    fill: (text) => text.replaceAll("${workspaceFolder}", () => cwd),
  };
}

Deno.test("each snippet has exactly the permissions that the project needs", async () => {
  const write = ["plan", "specs", ".gitignore"];
  const cases = [
    ...NAMES.map((name) => [name, "plan", ["--plugin", "ralph"], write] as const),
    ["claude-code", "site", [], ["plan"]] as const,
  ];
  for (const [client, project, flags, write] of cases) {
    const cwd = example(project);
    const { code, stdout, stderr } = await refrakt(cwd, ["config", client, ...flags]);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /put this into \S/);
    const { command, args } = launchIn(client, stdout);
    const deno = chooseDeno(false, CLIENTS.find(({ name }) => name === client)!.startsElsewhere);
    assert.deepEqual({ command, args: args.slice(0, deno.args.length) }, deno);
    const elsewhere = args.includes("--cwd");
    // Only clients that start servers outside the project get absolute paths.
    const isAbsolute = ["claude-desktop", "jetbrains", "cline", "windsurf"].includes(client);
    assert.equal(elsewhere && !args.includes("${workspaceFolder}"), isAbsolute, client);
    assert.equal(stdout.includes(cwd), isAbsolute, stdout);
    const paths = (list: readonly string[]) =>
      list.map((path) => !elsewhere ? path : path === "." ? cwd : `${cwd}/${path}`).join(",");
    const allowed = args.filter((arg) => /^--allow-/.test(arg)).map(startOf(client, cwd).fill);
    assert.deepEqual(allowed, [
      `--allow-read=${paths(["."])}`,
      `--allow-write=${paths(write)}`,
      "--allow-run=git",
    ]);
    for (const each of ["--no-config", "--no-prompt", "jsr:@refrakt/mcp@0.2"]) {
      assert.ok(args.includes(each), each);
    }
    assert.equal(args.includes("ralph"), flags.length > 0);
  }
});

Deno.test("each snippet starts the server in its client's working directory, with deno and npx", async (t) => {
  const cwd = example("plan");
  // Most clients start the same.
  for (const line of ["claude-desktop", "claude-code --npx"]) {
    const [name, ...flags] = line.split(" ");
    await t.step([name, ...flags].join(" "), async () => {
      const { stdout } = await refrakt(cwd, ["config", name!, ...flags]);
      const { cwd: start, fill } = startOf(name!, cwd);
      const { command, args } = launchIn(name!, stdout);
      const [program, from] = flags.length > 0
        ? [command, 0]
        : [Deno.execPath(), args.indexOf("run")];
      // The tested program replaces the published package; a checkout has its own config.
      const checkout: Readonly<Record<string, string>> = {
        "jsr:@refrakt/mcp@0.2": programOf(),
        ...programOf().startsWith(ROOT) ? { "--no-config": `--config=${ROOT}deno.json` } : {},
      };
      const launch = {
        command: program,
        args: args.slice(from).map((arg) => checkout[arg] ?? fill(arg)),
        cwd: start,
      };
      const env = childEnvironment();
      const transport = new StdioClientTransport({ ...launch, env, stderr: "ignore" });
      const client = new Client({ name: "test", version: "1.0.0" });
      await client.connect(transport);
      try {
        const { structuredContent } = await client.callTool({ name: "refrakt_detect" });
        // deno-lint-ignore no-explicit-any -- looked into freely
        const report = structuredContent as any;
        const { writePlan, writeProject, git } = report.permissions;
        assert.deepEqual([report.cwd, writePlan, writeProject, git], [cwd, true, false, true]);
        assert.ok(report.tools.includes("plan_next"));
      } finally {
        await client.close();
      }
    });
  }
});

Deno.test("config lists the known clients and suggests the nearest", async () => {
  const run = (...args: string[]) => refrakt(example("plan"), ["config", ...args]);
  const unknown = await run("claude-cod");
  assert.deepEqual([unknown.code, unknown.stdout], [2, ""]);
  assert.match(unknown.stderr, /Unknown client: "claude-cod"\nDid you mean "claude-code"/);
  const none = await run();
  assert.equal(none.code, 2);
  for (const name of NAMES) assert.ok(none.stderr.includes(name), name);
  assert.equal((await run("Claude Desktop")).code, 0);
});

Deno.test("config prints the client's own command and an install link", async () => {
  const cwd = example("plan");
  const answer = async (name: string) =>
    JSON.parse((await refrakt(cwd, ["config", name, "--json"])).stdout);
  const code = await answer("claude-code");
  assert.match(
    code.command,
    /^claude mcp add --scope project refrakt -- (?:npx -y deno@[\d.]+|deno) run --no-config .*jsr:@refrakt\/mcp@0\.2$/,
  );
  const cursor = new URL((await answer("cursor")).link);
  assert.equal(
    cursor.protocol + cursor.host + cursor.pathname,
    "cursor:anysphere.cursor-deeplink/mcp/install",
  );
  const launch = JSON.parse(atob(cursor.searchParams.get("config")!));
  assert.deepEqual(launch, launchIn("cursor", (await answer("cursor")).snippet));
  const vscode = await answer("vscode");
  const installed = JSON.parse(decodeURIComponent(vscode.link.replace("vscode:mcp/install?", "")));
  assert.deepEqual(installed, { name: "refrakt", ...launchIn("vscode", vscode.snippet) });
  assert.ok(vscode.command.startsWith("code --add-mcp '{"));
});

Deno.test("a plan beside a site that needs --trust has two servers, and setup says why", async () => {
  const site = { contentDir: "content", runes: { local: { tide: "./tide.js" } } };
  const cwd = makeProject({
    ...SMALL_PLAN,
    "refrakt.config.json": JSON.stringify({ site }),
    "tide.js": "export const transform = {};",
  });
  const run = async (...args: string[]) => {
    const { stdout, stderr } = await refrakt(cwd, args);
    return { stdout, said: (stdout + stderr).replaceAll(/\s+/g, " ") };
  };
  const { stdout, said } = await run("config", "claude-code");
  const last = (name?: string) => launchIn("claude-code", stdout, name).args.slice(-4).join(" ");
  assert.equal(last(), "--allow-run=git jsr:@refrakt/mcp@0.2 --tools plan,refrakt_query");
  const why = /The project needs --trust for local runes\. So there are two servers: /;
  assert.match(said, why);
  const trusting = launchIn("claude-code", stdout, "refrakt-site");
  assert.equal(last("refrakt-site"), "jsr:@refrakt/mcp@0.2 --trust --tools site");
  assert.ok(!trusting.args.some((arg) => /allow-(?:run|write)/.test(arg)), String(trusting.args));
  assert.match((await run("doctor")).said, /--allow-write=plan jsr:@refrakt\/mcp@0\.2 --trust /);
  const setup = (client: string, ...args: string[]) =>
    refrakt(cwd, ["setup", client, ...args], {
      grants: ["--no-prompt", "--allow-read=.", "--allow-write=.", "--allow-run=git"],
    });
  const before = readTree(cwd);
  assert.match((await setup("claude-code")).stdout, why);
  assert.deepEqual(readTree(cwd), before);
  for (const client of ["claude-code", "codex"]) {
    const { stdout } = await setup(client, "--yes");
    // The reason comes before what is written.
    assert.ok(stdout.search(why) < stdout.indexOf("create "), stdout);
    const written = readTree(cwd);
    await setup(client, "--yes");
    assert.deepEqual(readTree(cwd), written, "a later run changes nothing");
    if (client === "claude-code") {
      const { mcpServers } = JSON.parse(written[".mcp.json"]!);
      assert.deepEqual(Object.keys(mcpServers), ["refrakt", "refrakt-site"]);
      assert.match(written["AGENTS.md"]!, /servers `refrakt` and `refrakt-site`/);
    } else {
      const toml = written[".codex/config.toml"]!;
      assert.match(toml, /\[mcp_servers\.refrakt\][^]+\[mcp_servers\.refrakt-site\]/);
    }
    await setup(client, "--remove", "--yes");
    assert.deepEqual(readTree(cwd), before, client);
  }
});
