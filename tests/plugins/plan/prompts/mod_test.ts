import assert from "node:assert/strict";
import { join } from "node:path";
import { commitAll, makeProject, readTree } from "../../../support/project.ts";
import { type Session, withServer } from "../../../support/server.ts";
import { WIDE_PLAN } from "../tools/plan.ts";

interface Block {
  type: string;
  text?: string;
  resource?: { uri: string; mimeType: string; text: string };
}

/** The texts of a prompt's messages, and the addresses of what is embedded. */
async function get({ client }: Session, name: string, args: Record<string, string> = {}) {
  const { messages } = await client.getPrompt({ name, arguments: args });
  const blocks: Block[] = messages.map(({ content }: { content: Block }) => content);
  return {
    texts: blocks.flatMap(({ text }) => text ?? []).join("\n"),
    embedded: blocks.flatMap(({ resource }) => resource ?? []),
  };
}

Deno.test("the plan's prompts bring live data in several messages", async (test) => {
  const cwd = makeProject(WIDE_PLAN);
  commitAll(cwd, "Begin");
  const path = join(cwd, "plan/bugs/BUG-001-crash.md");
  Deno.writeTextFileSync(
    path,
    Deno.readTextFileSync(path).replace("confirmed", "fixed")
      .replace(
        "{% /bug %}",
        "## Resolution\n\nCompleted: 2026-01-09\n\nIt knows umlauts.\n\n{% /bug %}",
      ),
  );
  commitAll(cwd, "Fix the crash");
  const before = readTree(cwd);
  await withServer(cwd, async (session) => {
    const { client } = session;
    const complete = async (name: string, argument: string, value: string) =>
      (await client.complete({
        ref: { type: "ref/prompt", name },
        argument: { name: argument, value },
      })).completion.values;
    await test.step("each is listed with its arguments", async () => {
      const { prompts } = await client.listPrompts();
      assert.deepEqual(
        prompts.map((
          { name, arguments: args = [] }: { name: string; arguments?: { name: string }[] },
        ) => [name, ...args.map((one) => one.name)].join(" ")),
        [
          "plan_release_notes milestone since",
          "plan_review milestone",
          "plan_spec title",
          "plan_standup since",
          "plan_triage",
          "plan_work id milestone",
        ],
      );
    });
    await test.step("plan_work embeds the item and what it builds on, and tells its last changes", async () => {
      const { texts, embedded } = await get(session, "plan_work", { id: "WORK-002" });
      assert.deepEqual(embedded.map(({ uri }) => uri), [
        "refrakt://plan/work/WORK-002",
        "refrakt://plan/spec/SPEC-001",
        "refrakt://plan/work/WORK-001",
      ]);
      assert.equal(embedded[0]!.text, WIDE_PLAN["plan/work/WORK-002-render.md"]);
      assert.equal(embedded[0]!.mimeType, "text/markdown");
      assert.match(texts, /waits for what is not done \(1\):\n- WORK-001 \(ready\)/);
      assert.match(texts, /last changes:\n- \d{4}-\d\d-\d\d Ada: created \(ready\) \(Begin\)/);
    });
    await test.step("plan_work takes the next item, of a milestone too", async () => {
      for (const args of [{}, { milestone: "v1.0.0" }, { id: "v1.0.0" }]) {
        const { embedded } = await get(session, "plan_work", args as Record<string, string>);
        assert.equal(embedded[0]!.uri, "refrakt://plan/work/WORK-001");
      }
      for (const args of [{ id: "WORK-0002" }, { milestone: "v1" }, { milestone: "v0.9.0" }]) {
        await assert.rejects(get(session, "plan_work", args as unknown as Record<string, string>));
      }
    });
    await test.step("plan_triage lists what is new, blocked, unplanned or broken", async () => {
      const { texts } = await get(session, "plan_triage");
      assert.match(texts, /Without a milestone \(1\):\n- WORK-004 \(ready\) An idea of the spec/);
    });
    await test.step("plan_spec has the next id, the template and what is related, and writes nothing", async () => {
      const { texts, embedded } = await get(session, "plan_spec", {
        title: "Tables with a header",
      });
      assert.match(texts, /becomes SPEC-002/);
      assert.match(texts, /\{% spec id="SPEC-002"[^]*## Overview/);
      assert.deepEqual(embedded.map(({ uri }) => uri), ["refrakt://plan/spec/SPEC-001"]);
      await assert.rejects(get(session, "plan_spec", { title: " " }));
    });
    await test.step("plan_review shows a milestone by status, and what was closed too early", async () => {
      const { texts, embedded } = await get(session, "plan_review", { milestone: "v1.0.0" });
      assert.equal(embedded[0]!.uri, "refrakt://plan/milestone/v1.0.0");
      assert.match(texts, /ready \(2\):\n.*\n- WORK-002 \(ready\).*: waits for WORK-001/);
      const early = await get(session, "plan_review", { milestone: "v0.9.0" });
      assert.match(
        early.texts,
        /Done with open criteria \(1\):\n- WORK-003 \(done\) Theme: 1 open/,
      );
      await assert.rejects(
        get(session, "plan_review", { milestone: "v3" }),
        (error: { data: { hint: string } }) => /v0\.9\.0, v1\.0\.0/.test(error.data.hint),
      );
    });
    await test.step("plan_release_notes has what became done, with resolutions", async () => {
      const since = await get(session, "plan_release_notes", { since: "7d" });
      assert.match(since.texts, /Fixed \(1\):\n- BUG-001 \(fixed\).*: It knows umlauts\./);
      assert.ok(!since.texts.includes("WORK-003"));
      const milestone = await get(session, "plan_release_notes", { milestone: "v0.9.0" });
      assert.match(milestone.texts, /New \(1\):\n- WORK-003 \(done\) Theme: Done\./);
      await assert.rejects(get(session, "plan_release_notes", {}));
    });
    await test.step("plan_standup tells what was done, goes on and was created", async () => {
      const { texts } = await get(session, "plan_standup");
      assert.match(texts, /Done \(1\):\n- BUG-001/);
      assert.match(texts, /Going on \(1\):\n- WORK-005/);
      assert.match(texts, /Created \(11\)/);
    });
    await test.step("arguments are completed from the plan", async () => {
      assert.deepEqual(await complete("plan_work", "id", "work-00"), [
        "WORK-001",
        "WORK-002",
        "WORK-004",
        "WORK-005",
        "WORK-003",
      ]);
      assert.deepEqual(await complete("plan_review", "milestone", "v"), ["v1.0.0", "v0.9.0"]);
      assert.deepEqual(await complete("plan_standup", "since", "1"), ["1d", "14d"]);
    });
  });
  assert.deepEqual(readTree(cwd), before);
});
