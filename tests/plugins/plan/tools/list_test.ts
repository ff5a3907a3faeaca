import assert from "node:assert/strict";
import { join } from "node:path";
import { inProcess } from "../../../support/in_process.ts";
import { makeProject, planFile } from "../../../support/project.ts";
import { WIDE_PLAN } from "./plan.ts";

const ids = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);

Deno.test("plan_list finds entities", async (test) => {
  const cwd = makeProject(WIDE_PLAN);
  await inProcess(cwd, async ({ ok, call }) => {
    await test.step("without filters it lists everything, by type and id", async () => {
      const all = await ok("plan_list");
      assert.equal(all.total, 11);
      assert.deepEqual(
        ids(all),
        ("SPEC-001 WORK-001 WORK-002 WORK-003 WORK-004 WORK-005 BUG-001 BUG-002 ADR-001 v0.9.0 " +
          "v1.0.0").split(" "),
      );
      assert.equal(all.nextCursor, undefined);
    });
    await test.step("a row is id, title, status, priority and ticked criteria", async () => {
      const { items } = await ok("plan_list", { type: "bug" });
      assert.deepEqual(items, [
        { id: "BUG-001", title: "It crashes on umlauts", status: "confirmed", rank: "major" },
        { id: "BUG-002", title: "A typo", status: "wontfix" },
      ]);
      const work = await ok("plan_list", { type: "work", limit: 1 });
      assert.equal(work.items[0].rank, "high 1/3");
      const named = await ok("plan_list", { type: "work", limit: 1, fields: ["priority"] });
      assert.deepEqual([named.items[0].priority, named.items[0].rank], ["high", "1/3"]);
    });
    await test.step("a search without hits names the nearest words, and what the filters hide", async () => {
      const note = async (input: Record<string, unknown>) => (await ok("plan_list", input)).note;
      assert.match(
        await note({ text: "lighthose" }),
        /^Nowhere: "lighthose", nearest: "lighthouse" in 1/,
      );
      assert.equal(await note({ text: "umlauts", type: "work" }), "1 without the other filters");
      assert.equal(await note({ text: "umlauts" }), undefined);
    });
    await test.step("each filter takes one value or several, and filters combine", async () => {
      const cases = [
        [{ type: ["spec", "decision"] }, ["SPEC-001", "ADR-001"]],
        [{ status: "ready" }, ["WORK-001", "WORK-002", "WORK-004"]],
        [{ status: "in-progress,confirmed" }, ["WORK-005", "BUG-001"]],
        [{ tag: "parser" }, ["WORK-001"]],
        [{ priority: ["critical", "high"] }, ["WORK-001", "WORK-002"]],
        [{ open: true, milestone: "none" }, ["SPEC-001", "WORK-004", "v1.0.0"]],
      ] as const;
      for (const [filter, wanted] of cases) {
        assert.deepEqual(ids(await ok("plan_list", filter)), wanted, JSON.stringify(filter));
      }
    });
    await test.step("fields add to a row, and empty ones are omitted", async () => {
      const fields = ["milestone", "priority", "criteria", "blockedBy", "path", "uri", "tags"];
      const { items } = await ok("plan_list", { type: "work", status: "ready", fields });
      assert.deepEqual(items[1], {
        id: "WORK-002",
        title: "Render the tables",
        status: "ready",
        milestone: "v1.0.0",
        priority: "critical",
        criteria: "0/1",
        blockedBy: ["WORK-001"],
        path: "plan/work/WORK-002-render.md",
        uri: "refrakt://plan/work/WORK-002",
        tags: ["core"],
      });
      assert.deepEqual(Object.keys(items[2]), ["id", "title", "status", "priority", "path", "uri"]);
    });
    await test.step("sort takes fields and uses the vocabulary's order", async () => {
      const order = async (sort: string) => ids(await ok("plan_list", { type: "work", sort }));
      assert.deepEqual((await order("priority")).slice(0, 2), ["WORK-002", "WORK-001"]);
      assert.deepEqual((await order("-priority")).slice(0, 2), ["WORK-003", "WORK-004"]);
      assert.deepEqual(
        await order("milestone,-id"),
        "WORK-003 WORK-005 WORK-002 WORK-001 WORK-004".split(" "),
      );
    });
    await test.step("the cursor leads from page to page", async () => {
      const first = await ok("plan_list", { limit: 4 });
      const second = await ok("plan_list", { limit: 4, cursor: first.nextCursor });
      const third = await ok("plan_list", { limit: 4, cursor: second.nextCursor });
      assert.deepEqual([...ids(first), ...ids(second), ...ids(third)], ids(await ok("plan_list")));
      assert.equal(third.nextCursor, undefined);
      assert.equal((await call("plan_list", { cursor: "x" })).errorCode, "INVALID_ARGS");
    });
    await test.step("text finds words and phrases, with the line and its text", async () => {
      const [body] = (await ok("plan_list", { text: "LIGHTHOUSE", fields: ["path"] })).items;
      assert.deepEqual([body.id, body.text], ["WORK-001", "Tables arrive as lighthouse reports."]);
      const source = Deno.readTextFileSync(join(cwd, body.path)).split("\n");
      assert.equal(source[body.line - 1], body.text);
      for (
        const [text, wanted] of [
          ["zürich", ["BUG-001"]],
          ["tables rows", ["SPEC-001", "WORK-002"]],
          ["tables nothingsuch", []],
          ['"as lighthouse" tables', ["WORK-001"]],
          ['"lighthouse as"', []],
          // Words begin where words of the text begin.
          ["lighthouse", ["WORK-001"]],
          ["house", []],
        ] as const
      ) assert.deepEqual(ids(await ok("plan_list", { text })), wanted, text);
      assert.deepEqual(ids(await ok("plan_list", { text: "tables", type: "spec" })), ["SPEC-001"]);
    });
    await test.step("an invalid value is an error with the valid and the nearest ones", async () => {
      const inputs = [
        [{ status: "redy" }, "VALIDATION_ERROR", /Did you mean "ready".*in-progress/],
        [{ status: "fixed", type: "work" }, "VALIDATION_ERROR", /draft, ready, in-progress/],
        [{ type: "wrk" }, "INVALID_ARGS", /"work".*spec, work, bug, decision, milestone/],
        [{ milestone: "v1.0" }, "NOT_FOUND", /"v1\.0\.0".*"v0\.9\.0", "v1\.0\.0"/],
        [{ tag: "corr" }, "NOT_FOUND", /"core"/],
        [{ fields: ["milestne"] }, "INVALID_ARGS", /"milestone"/],
        [{ text: "?!" }, "INVALID_ARGS", /words/],
        [{ milestones: "v1.0.0" }, "INVALID_ARGS", /milestone/],
      ] as const;
      for (const [input, code, hint] of inputs) {
        const answer = await call("plan_list", input);
        assert.equal(answer.errorCode, code, JSON.stringify(input));
        assert.match(answer.hint!, hint, JSON.stringify(input));
      }
    });
  });
});

Deno.test("a known value with a comma is one value, and an error for an unknown one is short", async () => {
  const numbers = Array.from({ length: 40 }, (_, at) => at);
  const cwd = makeProject({
    ...planFile("WORK-100", { assignee: "Lovelace, Ada" }),
    ...planFile("WORK-101", { assignee: "Grace" }),
    ...Object.assign({}, ...numbers.map((at) => planFile(`v${at}`, {}, "", "M"))),
  });
  await inProcess(cwd, async ({ ok, call }) => {
    const assigned = async (assignee: string) =>
      ids(await ok("plan_list", { type: "work", assignee }));
    assert.deepEqual(await assigned("Lovelace, Ada"), ["WORK-100"]);
    const { errorCode, hint, content } = await call("plan_list", { milestone: "x".repeat(400) });
    assert.equal(errorCode, "NOT_FOUND");
    assert.match(hint!, /The milestones are "v0", .* and 10 more\.$/);
    assert.ok(hint!.length < 400 && content[0].text.length < 600, content[0].text);
  });
});
