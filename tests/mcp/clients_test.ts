import assert from "node:assert/strict";
import { DOTTED_CLIENTS, nameStyle } from "../../src/mcp/clients.ts";
import { SEE_DATA } from "../../src/tools/shape.ts";
import { checkText } from "../support/answers.ts";
import { copyExample } from "../support/run.ts";
import { withClients } from "../support/in_process.ts";
import { entity, makeProject } from "../support/project.ts";
import { withServer } from "../support/server.ts";

const UNDERSCORE_PATTERN = /^[a-zA-Z0-9_-]{1,64}$/;
const DOTTED_PATTERN = /^[a-zA-Z0-9._-]{1,128}$/;

/** A project with every tool: a plan, a site, and the Ralph workflow. */
const EVERYTHING = { cwd: copyExample("site-and-plan"), plugins: ["ralph"] };

/** One that rejects dots, and one without a name. */
const OTHER_CLIENTS = ["cursor-vscode", ""];

Deno.test("each client gets valid names, and calls tools by any spelling", async (t) => {
  await withClients(EVERYTHING, async (connect) => {
    const listed = (name: string) =>
      connect(async (client) => (await client.listTools()).tools, { name });
    const dotted = (await listed("inspector-cli")).map(({ name }) => name);
    assert.ok(dotted.length > 25);
    // No two tools differ only in spelling.
    assert.equal(new Set(dotted.map((name) => name.replace(/[._-]/g, "_"))).size, dotted.length);

    for (const name of DOTTED_CLIENTS) {
      await t.step(`${name}: dotted names, and titles for people`, async () => {
        const tools = await listed(name);
        const names = tools.map((tool) => tool.name);
        assert.ok(names.includes("plan.next") && names.includes("refrakt.render"));
        for (const tool of tools) {
          assert.match(tool.name, DOTTED_PATTERN);
          assert.ok(`refrakt${tool.name}`.length < 60, tool.name);
          assert.notEqual(tool.title, tool.name);
        }
      });
    }
    for (const name of OTHER_CLIENTS) {
      await t.step(`${name || "(no name)"}: underscores, and titles for people`, async () => {
        const tools = await listed(name);
        assert.equal(tools.length, dotted.length);
        for (const [index, tool] of tools.entries()) {
          assert.match(tool.name, UNDERSCORE_PATTERN);
          assert.ok(`refrakt${tool.name}`.length < 60, tool.name);
          assert.equal(tool.name, dotted[index]!.replace(/[.-]/g, "_"));
          assert.match(tool.title ?? "", /^[A-Z][a-z]+ .*[a-z]$/);
        }
      });
    }
    for (const name of ["claude-ai", "claude-code"]) {
      await t.step(`${name} may use every spelling`, () =>
        connect(async (client) => {
          // deno-lint-ignore no-explicit-any -- looked into freely
          const ok = async (tool: string, input = {}): Promise<any> => {
            const answer = await client.callTool({ name: tool, arguments: input });
            assert.ok(!answer.isError, `${tool}: ${JSON.stringify(answer.content)}`);
            return answer.structuredContent;
          };
          for (const tool of ["plan.next-id", "plan.next_id", "plan_next_id", "plan-next-id"]) {
            assert.equal((await ok(tool, { type: "work" })).nextId, "WORK-004", tool);
          }
          for (const tool of ["refrakt.inspect_list", "refrakt_inspect_list"]) {
            assert.ok((await ok(tool)).runes.length > 0, tool);
          }
          for (const tool of ["ralph_status", "ralph.status", "ralph-status"]) await ok(tool);
          assert.ok(Array.isArray((await ok("plan_next")).items));
        }, { name }));
    }
  });
});

Deno.test("--tool-names overrides the client's spelling", async () => {
  const cwd = copyExample("plan");
  await withServer(cwd, async ({ tools }) => {
    assert.ok((await tools()).includes("plan_next"));
  }, { client: "claude-code", args: ["--tool-names=underscore"] });
});

Deno.test("nameStyle() matches names in any case, and only those in the table", () => {
  assert.equal(nameStyle("Claude-Code"), "dotted");
  assert.equal(nameStyle("claude-code-like"), "underscore");
  assert.equal(nameStyle("Visual Studio Code - Insiders"), "underscore");
  assert.equal(nameStyle(undefined), "underscore");
});

Deno.test("a client's spelling changes names of tools in prompts and errors, and nothing else", async () => {
  const id = "WORK-001";
  const text = "Say plan.next and plan.list in the docs.";
  const cwd = makeProject({
    "refrakt.config.json": JSON.stringify({ plan: { dir: "docs/my.plan" } }),
    "docs/my.plan/work/plan.next-WORK-001.md": entity("work", { id, status: "ready" }, text, text),
  });
  const asked = async (client: string, unknown: string) => {
    const texts: string[] = [];
    await withServer(cwd, async ({ client, call, readError }) => {
      const { messages } = await client.getPrompt({ name: "plan_work", arguments: { id } });
      texts.push(JSON.stringify(messages));
      const title = "Explain plan.next to readers";
      const spec = await client.getPrompt({ name: "plan_spec", arguments: { title } });
      texts.push(JSON.stringify(spec.messages));
      const failed = (name: string, args: Record<string, string>) =>
        client.getPrompt({ name, arguments: args }).then(
          () => "",
          (error: unknown) => JSON.stringify(error),
        );
      texts.push(
        await failed("plan_work", { milestone: "v9" }),
        await failed("plan_work", { id: "W" }),
      );
      texts.push(JSON.stringify(await readError("refrakt://plan/work/WORK-9")));
      for (
        const [name, args] of [
          ["plan.get", { id, fields: ["plan.list"] }],
          ["plan.update", { id, status: "plan.next" }],
          ["plan.undo", { token: "plan.list" }],
          ["plan.claim", { id: "docs/my.plan" }],
          [unknown, {}],
        ] as const
      ) texts.push(JSON.stringify(await call(name, args)));
    }, { client });
    return texts;
  };
  const [dotted, other] = [
    await asked("claude-code", "plan.lst"),
    await asked("cursor-vscode", "plan_lst"),
  ];
  const dots = (text: string) => text.replace(/plan_(?=[a-z]+\b)/g, "plan.");
  // What the project and the caller have written stays.
  const theirs =
    /Say plan\.next and plan\.list in the docs|Explain plan\.next to readers|docs\/my\.plan/g;
  for (const [at, text] of other.entries()) {
    assert.equal(dots(text), dots(dotted[at]!));
    assert.deepEqual(text.match(theirs), dotted[at]!.match(theirs));
    assert.doesNotMatch(
      text.replace(theirs, ""),
      /(?<!")plan\.(next|get|list|claim|update|create)\b/,
    );
  }
  const all = other.join("\n");
  for (const wanted of ["plan_claim", "plan_create", "plan_list lists", "plan_get"]) {
    assert.ok(all.includes(wanted), wanted);
  }
  for (const [at, kept] of [[0, text], [1, "Explain plan.next to readers"]] as const) {
    assert.ok(other[at]!.includes(kept), kept);
  }
});

Deno.test("the text repeats the data, except for a client that shows both", async () => {
  await withClients(EVERYTHING, async (connect) => {
    for (const name of ["claude-code", "vscode", "mcp", "@langchain/mcp-adapters"]) {
      await connect(async (client) => {
        const calls = [["plan.list", {}], ["refrakt.query", { sql: "SELECT id FROM entities" }], [
          "ralph_help",
          {},
        ]] as const;
        for (const [tool, input] of calls) {
          const answer = await client.callTool({ name: tool, arguments: input });
          const [block] = answer.content as { text: string }[];
          const [text, data] = [block!.text, answer.structuredContent];
          const isShort = text === SEE_DATA;
          assert.equal(isShort, name === "@langchain/mcp-adapters", `${name} ${tool}`);
          if (!isShort) checkText(tool.replaceAll(".", "_"), text, data);
        }
      }, { name });
    }
  });
});
