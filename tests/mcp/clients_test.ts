import assert from "node:assert/strict";
import { DOTTED_CLIENTS } from "../../src/mcp/clients.ts";
import { SEE_DATA } from "../../src/tools/shape.ts";
import { checkText } from "../support/answers.ts";
import { copyExample } from "../support/run.ts";
import { type WithClient, withClients } from "../support/in_process.ts";
import { entity, makeProject } from "../support/project.ts";

const UNDERSCORE_PATTERN = /^[a-zA-Z0-9_-]{1,64}$/;

/** A project with every tool: a plan, a site, and the Ralph workflow. */
const EVERYTHING = { cwd: copyExample("site-and-plan"), plugins: ["ralph"] };

/** One that rejects dots, and one without a name. */
const OTHER_CLIENTS = ["cursor-vscode", "claude-code-like", ""];

Deno.test("each client gets valid names, and calls tools by any spelling", async (t) => {
  await withClients(EVERYTHING, async (connect) => {
    const listed = (name: string) =>
      connect(async (client) => (await client.listTools()).tools, { name });
    const dotted = (await listed("inspector-cli")).map(({ name }) => name);
    assert.ok(dotted.length > 25);
    // No two tools differ only in spelling.
    assert.equal(new Set(dotted.map((name) => name.replace(/[._-]/g, "_"))).size, dotted.length);

    for (const name of [...DOTTED_CLIENTS, "Claude-Code"]) {
      assert.deepEqual((await listed(name)).map((tool) => tool.name), dotted, name);
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
    await t.step("every spelling may be used", () =>
      connect(async (client) => {
        for (const tool of ["plan.next-id", "plan.next_id", "plan_next_id", "plan-next-id"]) {
          const { structuredContent } = await client.callTool({
            name: tool,
            arguments: { type: "work" },
          });
          assert.equal(Object(structuredContent).nextId, "WORK-004", tool);
        }
        for (const tool of ["refrakt_inspect_list", "ralph.status", "ralph-status"]) {
          assert.ok(!(await client.callTool({ name: tool, arguments: {} })).isError, tool);
        }
      }, { name: "claude-ai" }));
  });
});

Deno.test("toolNames overrides the client's spelling", () =>
  withClients(
    { cwd: copyExample("plan"), toolNames: "underscore" },
    (connect) =>
      connect(async (client) => {
        const { tools } = await client.listTools();
        assert.ok(tools.some(({ name }) => name === "plan_next"));
      }, { name: "claude-code" }),
  ));

Deno.test("a client's spelling changes names of tools in prompts and errors, and nothing else", async () => {
  const id = "WORK-001";
  const text = "Say plan.next and plan.list in the docs.";
  const cwd = makeProject({
    "refrakt.config.json": JSON.stringify({ plan: { dir: "docs/my.plan" } }),
    "docs/my.plan/work/plan.next-WORK-001.md": entity("work", { id, status: "ready" }, text, text),
  });
  const answers = (connect: WithClient, name: string, unknown: string) =>
    connect(async (client) => {
      const texts: string[] = [];
      const hear = (asked: Promise<unknown>) =>
        asked.catch((error) => error).then((answer) => texts.push(JSON.stringify(answer)));
      const prompt = (name: string, args: Record<string, string>) =>
        hear(client.getPrompt({ name, arguments: args }));
      await prompt("plan_work", { id });
      await prompt("plan_spec", { title: "Explain plan.next to readers" });
      await prompt("plan_work", { milestone: "v9" });
      await prompt("plan_work", { id: "W" });
      await hear(client.readResource({ uri: "refrakt://plan/work/WORK-9" }));
      for (
        const [name, args] of [
          ["plan.get", { id, fields: ["plan.list"] }],
          ["plan.update", { id, status: "plan.next" }],
          ["plan.undo", { token: "plan.list" }],
          ["plan.claim", { id: "docs/my.plan" }],
          [unknown, {}],
        ] as const
      ) await hear(client.callTool({ name, arguments: args }));
      return texts;
    }, { name });
  const [dotted, other] = await withClients({ cwd }, async (connect) => [
    await answers(connect, "claude-code", "plan.lst"),
    await answers(connect, "cursor-vscode", "plan_lst"),
  ]);
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
    for (const name of ["claude-code", "@langchain/mcp-adapters"]) {
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
