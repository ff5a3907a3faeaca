import { Client as ClientV2 } from "test/client-v2";
import { StdioClientTransport as StdioV2 } from "test/client-v2/stdio";
import assert from "node:assert/strict";
import { createServer, defineTool } from "../../src/lib/mod.ts";
import { DOTTED_CLIENTS, nameStyle, seesDataAlone } from "../../src/mcp/clients.ts";
import { copyExample } from "../support/run.ts";
import { childEnvironment, README_PERMISSIONS, serverArgs, withServer } from "../support/server.ts";

const UNDERSCORE_PATTERN = /^[a-zA-Z0-9_-]{1,64}$/;
const DOTTED_PATTERN = /^[a-zA-Z0-9._-]{1,128}$/;

/** Every tool that there is: a plan, a site, documentation, and the Ralph workflow. */
const OPTIONS = {
  grants: [
    ...README_PERMISSIONS.slice(0, -2),
    "--allow-write=plan,specs,.gitignore",
    "--allow-run=git",
  ],
  args: ["--plugin", "ralph"],
};

/** What a client of the table calls itself: the name, or one that begins as the rule says. */
function exampleNames(rule: string): string[] {
  return rule.endsWith("*") ? [rule.slice(0, -1), rule.replace("*", "-mcp-client")] : [rule];
}

/** Clients that hand names to a provider as they are, that refuse dots, or that nobody knows. */
const OTHER_CLIENTS = [
  "claude-ai",
  "cursor-vscode",
  "github-copilot-developer",
  "langchain-mcp-adapters",
  "ai-sdk-mcp-client",
  "mcporter",
  "",
];

interface Listed {
  name: string;
  title?: string;
}

Deno.test("clients of the table get the dotted names, and titles for people", async (t) => {
  const cwd = copyExample("site-and-plan");
  for (const rule of DOTTED_CLIENTS) {
    for (const name of exampleNames(rule.name)) {
      await t.step(name, async () => {
        await withServer(cwd, async ({ client }) => {
          const { tools } = await client.listTools() as { tools: Listed[] };
          const names = tools.map((tool) => tool.name);
          assert.ok(names.includes("plan.next-id") && names.includes("refrakt.inspect"));
          for (const tool of tools) {
            assert.match(tool.name, DOTTED_PATTERN);
            assert.ok(`refrakt${tool.name}`.length < 60, tool.name);
            assert.notEqual(tool.title, tool.name);
          }
        }, { ...OPTIONS, client: name });
      });
    }
  }
});

Deno.test("every other client gets names with underscores, and titles with the dotted ones", async (t) => {
  const cwd = copyExample("site-and-plan");
  let dotted: string[] = [];
  await withServer(cwd, async ({ tools }) => {
    dotted = await tools();
  }, OPTIONS);
  assert.ok(dotted.length > 25);
  for (const name of OTHER_CLIENTS) {
    await t.step(name || "(no name)", async () => {
      await withServer(cwd, async ({ client, ok }) => {
        const { tools } = await client.listTools() as { tools: Listed[] };
        assert.equal(tools.length, dotted.length);
        for (const [index, tool] of tools.entries()) {
          assert.match(tool.name, UNDERSCORE_PATTERN);
          assert.ok(`refrakt${tool.name}`.length < 60, tool.name);
          assert.equal(tool.name, dotted[index]!.replace(/[.-]/g, "_"));
          if (dotted[index]!.includes(".")) assert.equal(tool.title, dotted[index]);
        }
        assert.ok(Array.isArray((await ok("plan_next")).items));
      }, { ...OPTIONS, client: name });
    });
  }
});

Deno.test("a client of the newer protocol is known by the name in its requests", async () => {
  for (const [name, wanted] of [["claude-code", "plan.next"], ["other", "plan_next"]] as const) {
    const transport = new StdioV2({
      command: Deno.execPath(),
      args: serverArgs(OPTIONS),
      cwd: copyExample("plan"),
      env: childEnvironment(),
      stderr: "ignore",
    });
    const client = new ClientV2(
      { name, version: "1.0.0" },
      { versionNegotiation: { mode: { pin: "2026-07-28" } } },
    );
    await client.connect(transport);
    try {
      const { tools } = await client.listTools();
      assert.ok(tools.some((tool) => tool.name === wanted), name);
    } finally {
      await client.close();
    }
  }
});

Deno.test("every spelling of a name is callable, whatever the client is shown", async (t) => {
  const cwd = copyExample("site-and-plan");
  for (const client of ["claude-ai", "claude-code"]) {
    await t.step(client, async () => {
      await withServer(cwd, async ({ ok, tools }) => {
        for (const name of ["plan.next-id", "plan.next_id", "plan_next_id", "plan-next-id"]) {
          assert.equal((await ok(name, { type: "work" })).nextId, "WORK-004", name);
        }
        for (const name of ["refrakt.inspect_list", "refrakt_inspect_list"]) {
          assert.ok((await ok(name)).runes.length > 0, name);
        }
        for (const name of ["ralph_status", "ralph.status", "ralph-status"]) await ok(name);
        // No two tools are the same when the difference is only in the spelling.
        const keys = (await tools()).map((name) => name.replace(/[._-]/g, "_"));
        assert.equal(new Set(keys).size, keys.length);
      }, { ...OPTIONS, client });
    });
  }
});

Deno.test("--tool-names decides, whatever the client is called", async () => {
  const cwd = copyExample("plan");
  for (
    const [client, style, wanted] of [
      ["claude-ai", "dotted", "plan.next-id"],
      ["claude-code", "underscore", "plan_next_id"],
    ] as const
  ) {
    await withServer(cwd, async ({ tools }) => {
      assert.ok((await tools()).includes(wanted));
    }, { client, args: [`--tool-names=${style}`] });
  }
});

Deno.test("nameStyle() knows names in any case, and no more than the table says", () => {
  assert.equal(nameStyle("Claude-Code"), "dotted");
  assert.equal(nameStyle("claude-code-like"), "underscore");
  assert.equal(nameStyle("Visual Studio Code - Insiders"), "dotted");
  assert.equal(nameStyle(undefined), "underscore");
  assert.equal(nameStyle("claude-ai", "dotted"), "dotted");
  assert.equal(nameStyle("claude-code", "underscore"), "underscore");
});

Deno.test("names that clash, or that clients cannot say, are reported and change nothing else", async () => {
  const tool = (name: string) =>
    defineTool({
      name,
      title: "Clash",
      description: "Has the name of another tool.",
      input: { type: "object" },
      run: () => ({ mine: true }),
    });
  const long = `team.${"x".repeat(50)}`;
  const server = await createServer({
    cwd: copyExample("plan"),
    contributors: [() => ({
      tools: [tool("plan_next-id"), tool("team.hello"), tool("no such name"), tool(long)],
    })],
  });
  const names = (await server.listTools()).map(({ name }) => name);
  assert.ok(names.includes("plan.next-id") && names.includes("team.hello"));
  assert.ok(!names.includes("plan_next-id") && !names.includes("no such name"));
  const { warnings } = await server.callTool("refrakt.detect") as {
    warnings: { code: string; message: string; hint: string }[];
  };
  assert.deepEqual(warnings.map(({ code }) => code).sort(), [
    "NAME_CLASH",
    "TOOL_NAME_INVALID",
    "TOOL_NAME_LONG",
  ]);
  assert.match(warnings.find(({ code }) => code === "NAME_CLASH")!.message, /plan_next-id/);
  const next = await server.callTool("plan_next_id", { type: "work" });
  assert.ok(next !== null && !("mine" in (next as object)));
});

Deno.test("seesDataAlone() knows the clients that hide the text beside structured content", () => {
  for (const name of ["claude-code", "Claude-Code", "codex-mcp-client"]) {
    assert.ok(seesDataAlone(name), name);
  }
  for (const name of [undefined, "", "cursor-vscode", "gemini-cli-mcp-client"]) {
    assert.ok(!seesDataAlone(name), name);
  }
});
