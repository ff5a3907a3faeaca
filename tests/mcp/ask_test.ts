import assert from "node:assert/strict";
import { defineTool } from "../../src/tools/tool.ts";
import type { CallContext } from "../../src/tools/context.ts";
import { type Era, ERAS, withClient } from "../support/in_process.ts";

/** A tool that uses its context. */
const tool = (name: string, run: (context: CallContext) => unknown) =>
  defineTool({
    name: `team.${name}`,
    title: name,
    description: "For the test.",
    input: {},
    run: (_input, context) => run(context),
  });

const TOOLS = [
  tool("can", ({ ask, confirm }) => ({ ask: ask !== undefined, confirm: confirm !== undefined })),
  tool("twice", async ({ confirm }) => {
    const first = await confirm!("First?");
    return { first, second: await confirm!("Second?") };
  }),
];

/** The result of a call, and what the client was asked meanwhile. */
async function run(
  era: Era,
  name: string,
  answers?: Readonly<Record<string, Record<string, unknown>>>,
): Promise<{ result: unknown; asked: string[] }> {
  const asked: string[] = [];
  let result: unknown;
  await withClient({ tools: TOOLS }, async (client) => {
    result = (await client.callTool({ name: `team.${name}`, arguments: {} })).structuredContent;
  }, {
    era,
    capabilities: answers === undefined ? {} : { elicitation: {} },
    prepare: (client) => {
      if (answers === undefined) return;
      client.setRequestHandler("elicitation/create", ({ params }) => {
        asked.push(params.message);
        return answers[params.message] as never;
      });
    },
  });
  return { result, asked };
}

const accept = (confirm: boolean) => ({ action: "accept", content: { confirm } });

for (const era of ERAS) {
  Deno.test(`a call asks a client of the ${era} era if it can, once, and only accepting means yes`, async () => {
    assert.deepEqual((await run(era, "can", {})).result, { ask: true, confirm: true });
    assert.deepEqual((await run(era, "can")).result, { ask: era === "modern", confirm: false });
    const declined = { "First?": accept(true), "Second?": { action: "decline" } };
    const { result, asked } = await run(era, "twice", declined);
    assert.deepEqual([result, asked], [{ first: true, second: false }, ["First?", "Second?"]]);
    const unticked = { "First?": accept(false), "Second?": accept(true) };
    assert.deepEqual((await run(era, "twice", unticked)).result, { first: false, second: true });
  });
}
