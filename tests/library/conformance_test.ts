import assert from "node:assert/strict";
import { join } from "node:path";
import { type Contributor, createServer, defineTool, RefraktError } from "../../mod.ts";
import { LAB } from "../support/lab.ts";
import { runProcess } from "../support/process.ts";
import { copyExample } from "../support/run.ts";

/** The official suite; it speaks HTTP, and asks for tools, resources and prompts of certain names. */
const SUITE = "@modelcontextprotocol/conformance";
const VERSION = "0.1.16";

/** Scenarios about what this server's tools, resources and prompts cannot be: they are text and data. */
const NOT_OFFERED = [
  "tools-call-image",
  "tools-call-audio",
  "tools-call-embedded-resource",
  "tools-call-mixed-content",
  "tools-call-sampling",
  "tools-call-elicitation",
  "elicitation-sep1034-defaults",
  "elicitation-sep1330-enums",
  "resources-read-binary",
  "prompts-get-embedded-resource",
  "prompts-get-with-image",
];

const NOTHING = { type: "object", additionalProperties: false };

function tool(name: string, run: Parameters<typeof defineTool>[0]["run"]) {
  return defineTool({ name, title: name, description: "For the suite.", input: NOTHING, run });
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

/** What the suite asks for, made with the public API. */
const forTheSuite: Contributor = () => ({
  tools: [
    tool("test_simple_text", () => "This is a simple text response for testing."),
    tool("test_error_handling", () => {
      throw new RefraktError("TOOL_FAILED", "This tool intentionally returns an error for testing");
    }),
    tool("test_tool_with_logging", async (_input, context) => {
      for (const step of ["started", "processing", "completed"]) {
        context.log("info", `Tool execution ${step}`);
        await pause();
      }
      return "Done";
    }),
    tool("test_tool_with_progress", async (_input, context) => {
      for (const progress of [0, 50, 100]) {
        context.progress({ progress, total: 100 });
        await pause();
      }
      return "Done";
    }),
  ],
  resources: [
    {
      uri: "test://static-text",
      name: "static-text",
      title: "Static text",
      description: "For the suite.",
      mimeType: "text/plain",
      read: () => ({ text: "This is the content of the static text resource." }),
    },
    {
      uri: "test://template/{id}/data",
      name: "template",
      title: "Template",
      description: "For the suite.",
      mimeType: "application/json",
      read: ({ id }) => ({ data: { id, templateTest: true, data: `Data for ID: ${id}` } }),
    },
  ],
  prompts: [
    {
      name: "test_simple_prompt",
      title: "Simple prompt",
      description: "For the suite.",
      render: () => "This is a simple prompt for testing.",
    },
    {
      name: "test_prompt_with_arguments",
      title: "Prompt with arguments",
      description: "For the suite.",
      arguments: [
        { name: "arg1", description: "First", required: true },
        { name: "arg2", description: "Second", required: true },
      ],
      render: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
    },
  ],
});

/** Installs the suite once, and keeps it; gives its program, or `undefined` without a registry. */
async function suite(): Promise<{ dir: string; program: string } | undefined> {
  const dir = join(LAB, "conformance");
  const program = join(dir, "node_modules", SUITE, "dist/index.js");
  try {
    await Deno.stat(program);
  } catch {
    await Deno.mkdir(dir, { recursive: true });
    await Deno.writeTextFile(
      join(dir, "package.json"),
      JSON.stringify({ private: true, dependencies: { [SUITE]: VERSION } }),
    );
    const flags = ["--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"];
    const { code } = await runProcess("npm", ["install", ...flags], dir);
    if (code !== 0) return undefined;
  }
  return { dir, program };
}

Deno.test("the server passes the official conformance suite, as far as it is about what it offers", async (t) => {
  const installed = await suite();
  if (installed === undefined) {
    await t.step({ name: "(it cannot be installed here)", ignore: true, fn: () => {} });
    return;
  }
  const server = await createServer({
    cwd: copyExample("site-and-plan"),
    contributors: [forTheSuite],
  });
  const http = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, server.fetch);
  try {
    const { stdout } = await runProcess(Deno.execPath(), [
      "run",
      "-A",
      "--node-modules-dir=manual",
      installed.program,
      "server",
      "--url",
      `http://127.0.0.1:${http.addr.port}/mcp`,
    ], installed.dir);
    const results = [...stdout.matchAll(/^(✓|✗) ([\w-]+): (\d+) passed, (\d+) failed/gm)];
    assert.ok(results.length >= 30, stdout.slice(-2000));
    const failed = results.filter(([, mark]) => mark === "✗").map(([, , name]) => name!);
    const summary = stdout.slice(stdout.indexOf("=== SUMMARY"));
    assert.deepEqual(failed.filter((name) => !NOT_OFFERED.includes(name)), [], summary);
  } finally {
    await http.shutdown();
  }
});

Deno.test("requests for another host are refused, because a page of the web may have sent them", async () => {
  const cwd = copyExample("plan");
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "test", version: "1.0.0" },
    },
  });
  const ask = (fetch: (request: Request) => Promise<Response>, headers: Record<string, string>) =>
    fetch(
      new Request("http://127.0.0.1:8080/mcp", {
        method: "POST",
        body,
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headers,
        },
      }),
    ).then(async (response) => {
      await response.body?.cancel();
      return response.status;
    });
  const local = await createServer({ cwd });
  assert.equal(await ask(local.fetch, {}), 200);
  assert.equal(await ask(local.fetch, { host: "localhost:8080" }), 200);
  assert.equal(await ask(local.fetch, { origin: "http://localhost:3000" }), 200);
  assert.equal(await ask(local.fetch, { host: "evil.example:8080" }), 403);
  assert.equal(await ask(local.fetch, { origin: "https://evil.example" }), 403);
  const named = await createServer({ cwd, allowedHosts: ["mcp.example"] });
  assert.equal(await ask(named.fetch, { host: "mcp.example" }), 200);
  assert.equal(await ask(named.fetch, { host: "localhost" }), 403);
});
