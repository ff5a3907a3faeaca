import assert from "node:assert/strict";
import { SEE_DATA } from "../../src/tools/shape.ts";
import { checkText } from "../support/answers.ts";
import { copyExample } from "../support/run.ts";
import { withClients } from "../support/in_process.ts";

/** A project with every tool: a plan, a site, and the Ralph workflow. */
const EVERYTHING = { cwd: copyExample("site-and-plan"), plugins: ["ralph"] };

Deno.test("every client gets valid names, and calls tools by any spelling", async (t) => {
  await withClients(EVERYTHING, async (connect) => {
    for (const name of ["claude-code", "inspector-cli", "cursor-vscode", ""]) {
      await t.step(`${name || "(no name)"}: underscores, and titles for people`, async () => {
        const { tools } = await connect((client) => client.listTools(), { name });
        assert.ok(tools.length > 25);
        for (const tool of tools) {
          assert.match(tool.name, /^[a-z][a-z0-9_]{0,50}$/);
          assert.match(tool.title ?? "", /^[A-Z][a-z]+ .*[a-z]$/);
        }
        assert.equal(new Set(tools.map((tool) => tool.name)).size, tools.length);
      });
    }
    await t.step("every spelling may be used", () =>
      connect(async (client) => {
        for (const tool of ["plan_next_id", "plan.next-id", "plan.next_id", "plan-next-id"]) {
          const { structuredContent } = await client.callTool({
            name: tool,
            arguments: { type: "work" },
          });
          assert.equal(Object(structuredContent).nextId, "WORK-004", tool);
        }
        for (const tool of ["refrakt.inspect_list", "ralph.status", "ralph-status"]) {
          assert.ok(!(await client.callTool({ name: tool, arguments: {} })).isError, tool);
        }
      }, { name: "claude-ai" }));
  });
});

Deno.test("toolNames: dotted changes the names in the list", () =>
  withClients(
    { cwd: copyExample("plan"), toolNames: "dotted" },
    (connect) =>
      connect(async (client) => {
        const { tools } = await client.listTools();
        assert.ok(tools.some(({ name }) => name === "plan.next_id" || name === "plan.next"));
        assert.ok(!tools.some(({ name }) => name === "plan_next"));
      }),
  ));

Deno.test("the text repeats the data, except for a client that shows both", async () => {
  await withClients(EVERYTHING, async (connect) => {
    for (const name of ["claude-code", "@langchain/mcp-adapters"]) {
      await connect(async (client) => {
        const calls = [["plan_list", {}], ["refrakt_query", { sql: "SELECT id FROM entities" }], [
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
