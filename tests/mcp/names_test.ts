/** The names of tools: one spelling in all that the server sends, any in what it gets. */

import assert from "node:assert/strict";
import { defineTool } from "../../src/lib/plugin.ts";
import { ERAS, withClients } from "../support/in_process.ts";
import { copyExample } from "../support/run.ts";

/** A project with every tool: a plan, a site, and the Ralph workflow. */
const EVERYTHING = { cwd: copyExample("site-and-plan"), plugins: ["ralph"] };

const OWN = {
  name: "team",
  tools: [defineTool({
    name: "team.say-hello",
    description: "Says hello.",
    input: { type: "object" },
    run: () => ({ said: "hello" }),
  })],
};

Deno.test("every client gets names that every model takes, and titles for people", () =>
  withClients({ ...EVERYTHING, plugins: ["ralph", OWN] }, async (connect) => {
    const listed = (name: string, era: typeof ERAS[number]) =>
      connect(async (client) => {
        const { tools } = await client.listTools();
        // A transport in this process does not drop what JSON does.
        return JSON.parse(JSON.stringify(tools)) as typeof tools;
      }, { name, era });
    const first = await listed("claude-code", "legacy");
    assert.ok(first.length > 25);
    for (const name of ["inspector-cli", "cursor-vscode", "@langchain/mcp-adapters", ""]) {
      for (const era of ERAS) assert.deepEqual(await listed(name, era), first, `${name} ${era}`);
    }
    for (const { name, title } of first) {
      assert.match(name, /^[a-z]+_[a-z_]+$/);
      assert.ok(`refrakt${name}`.length < 60, name);
      assert.match(title ?? "", /^[A-Z][a-z]+ .*[a-z]$/);
    }
  }));

Deno.test("calls accept dots, underscores and hyphens", () =>
  withClients({ ...EVERYTHING, plugins: ["ralph", OWN] }, (connect) =>
    connect(async (client) => {
      const call = async (name: string, args: Record<string, unknown> = {}) => {
        const answer = await client.callTool({ name, arguments: args });
        assert.ok(!answer.isError, name);
        return Object(answer.structuredContent);
      };
      for (const name of ["plan.next-id", "plan.next_id", "plan_next_id", "plan-next-id"]) {
        assert.equal((await call(name, { type: "work" })).nextId, "WORK-004", name);
      }
      for (const name of ["refrakt.inspect_list", "refrakt-inspect.list"]) await call(name);
      for (const name of ["ralph.status", "ralph-status", "docs.extract", "docs-extract"]) {
        const answer = await client.callTool({ name, arguments: {} });
        assert.notEqual(Object(answer).errorCode, "NOT_FOUND", name);
      }
      for (const name of ["team.say-hello", "team_say_hello"]) {
        assert.equal((await call(name)).said, "hello");
      }
      for (const name of ["plan_work", "plan.work", "plan-work"]) {
        const { messages } = await client.getPrompt({ name, arguments: { id: "WORK-002" } });
        assert.ok(messages.length > 0);
      }
    })));

Deno.test("toolNames: dotted changes the names in the list, and nothing else", async () => {
  const answers = (toolNames: "dotted" | "underscore") =>
    withClients({ ...EVERYTHING, toolNames }, (connect) =>
      connect(async (client) => {
        const { tools } = await client.listTools();
        const others = [
          client.getInstructions(),
          await client.callTool({ name: "plan.nxt", arguments: {} }),
          await client.callTool({ name: "plan.get", arguments: { id: "WORK-99" } }),
          await client.callTool({ name: "plan_next", arguments: { explain: true } }),
          await client.getPrompt({ name: "plan_work", arguments: { id: "WORK-002" } }),
        ];
        return { tools, others: JSON.stringify(others) };
      }));
  const [dotted, usual] = [await answers("dotted"), await answers("underscore")];
  assert.equal(dotted.others, usual.others);
  const names = dotted.tools.map(({ name }) => name);
  for (const name of ["plan.next", "refrakt.check", "ralph.start"]) assert.ok(names.includes(name));
  assert.deepEqual(
    dotted.tools.map((tool) => ({ ...tool, name: tool.name.replace(".", "_") })),
    usual.tools,
  );
});
