import { Client } from "test/client-v1";
import { StdioClientTransport } from "test/client-v1/stdio";
import assert from "node:assert/strict";
import { CLIENTS } from "../../src/cli/clients.ts";
import { makeProject } from "../support/project.ts";
import { copyExample, refrakt } from "../support/run.ts";
import { childEnvironment, ROOT } from "../support/server.ts";

interface Launch {
  command: string;
  args: string[];
}

const NAMES = CLIENTS.map((client) => client.name);

/** What a client takes from the snippet, by the format that it reads. */
function launchIn(client: string, snippet: string): Launch {
  if (client === "codex") return parseToml(snippet);
  const parsed = JSON.parse(snippet);
  if (client === "vscode") {
    const { type, ...launch } = parsed.servers.refrakt;
    assert.equal(type, "stdio");
    return launch;
  }
  return parsed.mcpServers.refrakt;
}

/** The little of TOML that the snippet is written in. */
function parseToml(text: string): Launch {
  const match = /^\[mcp_servers\.refrakt\]\ncommand = (".*")\nargs = \[\n([^]*)\]\n$/.exec(text);
  assert.ok(match !== null, text);
  const args = match[2]!.trim().split("\n").map((line) =>
    JSON.parse(line.trim().replace(/,$/, ""))
  );
  return { command: JSON.parse(match[1]!), args };
}

/** Where a client starts its servers, and what it puts in for its variables. */
function startOf(client: string, cwd: string): { cwd: string; fill: (text: string) => string } {
  const here = client === "claude-code" || client === "gemini-cli";
  return {
    cwd: here ? cwd : makeProject(),
    fill: (text) => text.replaceAll("${workspaceFolder}", cwd),
  };
}

Deno.test("config knows seven clients", () => {
  assert.deepEqual(NAMES, [
    "claude-desktop",
    "claude-code",
    "cursor",
    "vscode",
    "codex",
    "gemini-cli",
    "windsurf",
  ]);
});

Deno.test("each snippet gives exactly the grants that the project needs", async (t) => {
  const projects: [string, string, string[], string[], string[]][] = [
    ["a plan", copyExample("plan"), [], ["plan"], ["git"]],
    ["a site", copyExample("site"), [], [], []],
    ["a plan with Ralph", copyExample("plan"), ["--plugin", "ralph"], [
      "plan",
      "specs",
      ".gitignore",
    ], ["git"]],
  ];
  for (const [name, cwd, flags, write, run] of projects) {
    for (const client of NAMES) {
      await t.step(`${client}, ${name}`, async () => {
        const { code, stdout, stderr } = await refrakt(cwd, ["config", client, ...flags]);
        assert.equal(code, 0, stderr);
        assert.match(stderr, /put this into \S/);
        const { fill } = startOf(client, cwd);
        const { command, args } = launchIn(client, stdout);
        assert.equal(command, "deno");
        const elsewhere = args.includes("--cwd");
        const grants = args.filter((arg) => arg.startsWith("--allow-")).map(fill);
        const paths = (list: string[]) =>
          list.map((path) => !elsewhere ? path : path === "." ? cwd : `${cwd}/${path}`).join(",");
        assert.deepEqual(grants, [
          `--allow-read=${paths(["."])}`,
          ...(write.length === 0 ? [] : [`--allow-write=${paths(write)}`]),
          ...(run.length === 0 ? [] : [`--allow-run=${run.join(",")}`]),
        ]);
        assert.ok(args.includes("--no-config") && args.includes("--no-prompt"));
        assert.ok(args.includes("jsr:@refrakt/mcp"));
        assert.equal(args.includes("ralph"), flags.length > 0);
      });
    }
  }
});

Deno.test("each snippet starts the server where its client would", async (t) => {
  const cwd = copyExample("plan");
  for (const name of NAMES) {
    await t.step(name, async () => {
      const { stdout } = await refrakt(cwd, ["config", name]);
      const { cwd: start, fill } = startOf(name, cwd);
      const { args } = launchIn(name, stdout);
      const transport = new StdioClientTransport({
        command: Deno.execPath(),
        // The checkout in the place of the published package; it has a config of its own.
        args: args.map(fill).map((arg) =>
          arg === "jsr:@refrakt/mcp"
            ? `${ROOT}mod.ts`
            : arg === "--no-config"
            ? `--config=${ROOT}deno.json`
            : arg
        ),
        cwd: start,
        env: childEnvironment(),
        stderr: "ignore",
      });
      const client = new Client({ name: "test", version: "1.0.0" });
      await client.connect(transport);
      try {
        const { structuredContent } = await client.callTool({ name: "refrakt.detect" });
        const report = structuredContent as {
          cwd: string;
          permissions: Record<string, boolean>;
          tools: string[];
        };
        assert.equal(report.cwd, cwd);
        assert.deepEqual(report.permissions, {
          read: true,
          writePlan: true,
          writeSpecs: false,
          writeProject: false,
          git: true,
        });
        assert.ok(report.tools.includes("plan.next"));
      } finally {
        await client.close();
      }
    });
  }
});

Deno.test("config gives the snippet with what belongs to it as JSON", async () => {
  const { stdout } = await refrakt(copyExample("plan"), ["config", "cursor", "--json"]);
  const { client, file, note, snippet } = JSON.parse(stdout);
  assert.equal(client, "cursor");
  assert.ok(file && note);
  assert.ok(JSON.parse(snippet).mcpServers.refrakt);
});

Deno.test("config names the clients that it knows, and the nearest", async () => {
  const cwd = copyExample("plan");
  const unknown = await refrakt(cwd, ["config", "claude-cod"]);
  assert.equal(unknown.code, 2);
  assert.equal(unknown.stdout, "");
  assert.match(unknown.stderr, /does not know "claude-cod"\nDid you mean "claude-code"/);
  const none = await refrakt(cwd, ["config"]);
  assert.equal(none.code, 2);
  for (const name of NAMES) assert.ok(none.stderr.includes(name), name);
  const loose = await refrakt(cwd, ["config", "Claude Desktop"]);
  assert.equal(loose.code, 0, loose.stderr);
});
