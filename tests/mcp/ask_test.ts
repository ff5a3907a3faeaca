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

/** The user's answers, in order; a function may throw. */
type Answers = (message: string) => Record<string, unknown>;

async function run(
  era: Era,
  name: string,
  capabilities: Record<string, unknown>,
  answer: Answers = () => ({ action: "cancel" }),
): Promise<{ answer: Record<string, unknown>; asked: string[] }> {
  const asked: string[] = [];
  let given: unknown;
  await withClient({ tools: TOOLS }, async (client) => {
    const result = await client.callTool({ name: `team.${name}`, arguments: {} });
    given = result.structuredContent ?? result;
  }, {
    era,
    capabilities,
    prepare: (client) => {
      if ("elicitation" in capabilities) {
        client.setRequestHandler("elicitation/create", ({ params }) => {
          asked.push(params.message);
          return answer(params.message) as never;
        });
      }
    },
  });
  return { answer: given as Record<string, unknown>, asked };
}

const accept = (content: Record<string, unknown>) => ({ action: "accept", content });

for (const era of ERAS) {
  Deno.test(`a call requests input from a client of the ${era} era`, async (t) => {
    await t.step("only if the client supports it", async () => {
      assert.deepEqual((await run(era, "can", { elicitation: {} })).answer, {
        ask: true,
        confirm: true,
      });
      const { answer } = await run(era, "can", {});
      assert.deepEqual(answer, { ask: era === "modern", confirm: false });
    });
    await t.step("each question once, and only accepting means yes", async () => {
      const { answer, asked } = await run(
        era,
        "twice",
        { elicitation: {} },
        (message) => message === "First?" ? accept({ confirm: true }) : { action: "decline" },
      );
      assert.deepEqual(answer, { first: true, second: false });
      assert.deepEqual(asked, ["First?", "Second?"]);
      const unticked = await run(
        era,
        "twice",
        { elicitation: {} },
        () => accept({ confirm: false }),
      );
      assert.deepEqual(unticked.answer, { first: false, second: false });
    });
  });
}
