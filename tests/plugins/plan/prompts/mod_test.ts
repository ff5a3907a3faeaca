import assert from "node:assert/strict";
import { commitAll, makeProject, readTree } from "../../../support/project.ts";
import { inProcess } from "../../../support/in_process.ts";
import { type Asked } from "../../../support/server.ts";
import { WIDE_PLAN } from "../tools/plan.ts";

interface Block {
  type: string;
  text?: string;
  resource?: { uri: string; mimeType: string; text: string };
}

/** Returns the texts of a prompt's messages, and the URIs of embedded resources. */
async function get({ client }: Asked, name: string, args: Record<string, string> = {}) {
  const { messages } = await client.getPrompt({ name, arguments: args });
  const blocks: Block[] = messages.map(({ content }: { content: Block }) => content);
  return {
    texts: blocks.flatMap(({ text, resource }) => text ?? resource?.text ?? []).join("\n"),
    embedded: blocks.flatMap(({ resource }) => resource ?? []),
  };
}

Deno.test("the plan's prompts return live data in several messages", async (test) => {
  const cwd = makeProject(WIDE_PLAN);
  commitAll(cwd, "Begin");
  const before = readTree(cwd);
  await inProcess(cwd, async (session) => {
    const { client } = session;
    const complete = async (name: string, argument: string, value: string) =>
      (await client.complete({
        ref: { type: "ref/prompt", name },
        argument: { name: argument, value },
      })).completion.values;
    await test.step("each prompt returns messages, and invalid arguments are protocol errors", async () => {
      const { texts, embedded } = await get(session, "plan_work", { id: "WORK-002" });
      assert.deepEqual(embedded[0], {
        uri: "refrakt://plan/work/WORK-002",
        mimeType: "text/markdown",
        text: WIDE_PLAN["plan/work/WORK-002-render.md"]!,
      });
      assert.match(texts, /Latest changes:\n- \d{4}-\d\d-\d\d Ada: created \(ready\) \(Begin\)/);
      await assert.rejects(
        get(session, "plan_review", { milestone: "v3" }),
        (error: { code: number; data: { hint: string } }) =>
          error.code === -32602 && /v0\.9\.0, v1\.0\.0/.test(error.data.hint),
      );
    });
    await test.step("arguments have completions from the plan", async () => {
      assert.deepEqual(
        await complete("plan_work", "id", "work-00"),
        "WORK-001 WORK-002 WORK-004 WORK-005 WORK-003".split(" "),
      );
      assert.deepEqual(await complete("plan_review", "milestone", "v"), ["v1.0.0", "v0.9.0"]);
      assert.deepEqual(await complete("plan_standup", "since", "1"), ["1d", "14d"]);
    });
  });
  assert.deepEqual(readTree(cwd), before);
});
