import assert from "node:assert/strict";
import { join } from "node:path";
import { inProcess } from "../../../support/in_process.ts";
import { makeProject, planFile } from "../../../support/project.ts";
import { fullPlan, PLAN_BUNDLE, realPlan } from "../../../support/real_plan.ts";
import { WIDE_PLAN } from "./plan.ts";
import { itemsOf } from "../../../support/rows.ts";

const ids = (answer: unknown) => itemsOf(answer).map(({ id }) => id);

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
    await test.step("a row is id, title, status, rank, milestone and what blocks it", async () => {
      const items = itemsOf(await ok("plan_list", { type: "bug" }));
      assert.deepEqual(items, [
        {
          id: "BUG-001",
          title: "It crashes on umlauts",
          status: "confirmed",
          rank: "major",
          milestone: "v1.0.0",
        },
        { id: "BUG-002", title: "A typo", status: "wontfix" },
      ]);
      const work = await ok("plan_list", { type: "work", limit: 1 });
      assert.equal(itemsOf(work)[0].rank, "high 1/3");
      const named = await ok("plan_list", { type: "work", limit: 1, fields: ["priority"] });
      const [first] = itemsOf(named);
      assert.deepEqual([first.priority, first.rank], ["high", "1/3"]);
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
      const items = itemsOf(await ok("plan_list", { type: "work", status: "ready", fields }));
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
      const names = Object.keys(items[2]).sort().join(" ");
      assert.equal(names, "id path priority status title uri");
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
      const [body] = itemsOf(await ok("plan_list", { text: "LIGHTHOUSE", fields: ["path"] }));
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
        [{ status: [] }, "INVALID_ARGS", /status \(array\)/],
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

Deno.test("plan_list names columns once, and once what is equal in all rows", async (test) => {
  const depends = (...ids: string[]) =>
    `## Dependencies\n\n${ids.map((id) => `- {% ref "${id}" /%}\n`).join("")}`;
  const cwd = makeProject({
    ...planFile("WORK-001", { status: "ready", priority: "high", milestone: "v1" }, depends()),
    ...planFile("WORK-002", { status: "ready", milestone: "v1" }, depends("WORK-001", "WORK-004")),
    ...planFile("WORK-003", { status: "ready", milestone: "v1" }, depends("WORK-002")),
    ...planFile("WORK-004", { status: "done", milestone: "v1" }),
    ...planFile("WORK-005", { status: "draft" }, depends("WORK-005", "WORK-003")),
    ...planFile("v1", { status: "active" }, "", "First"),
  });
  await inProcess(cwd, async ({ ok, call }) => {
    await test.step("empty cells at the end of a row are left out", async () => {
      const { columns, rows, same } = await ok("plan_list", { status: "ready" });
      assert.deepEqual(columns, ["id", "title", "blockedBy", "rank"]);
      assert.deepEqual(same, { status: "ready", milestone: "v1" });
      assert.deepEqual(rows, [
        ["WORK-001", "Item WORK-001", null, "high"],
        ["WORK-002", "Item WORK-002", ["WORK-001"]],
        ["WORK-003", "Item WORK-003", ["WORK-002"]],
      ]);
    });
    await test.step("a single row has all its cells, and no row has columns", async () => {
      const { columns, rows, same } = await ok("plan_list", { status: "done" });
      assert.deepEqual([columns, same], [["id", "title", "status", "milestone"], undefined]);
      assert.deepEqual(rows, [["WORK-004", "Item WORK-004", "done", "v1"]]);
      const nothing = await ok("plan_list", { status: "blocked" });
      assert.deepEqual([nothing.total, nothing.columns, nothing.rows], [0, [], []]);
    });
    await test.step("blocks lists what others wait for, also through others, most first", async () => {
      const counted = async (input: Record<string, unknown>) =>
        itemsOf(await ok("plan_list", input)).map(({ id, blocks }) => [id, blocks]);
      assert.deepEqual(await counted({ blocks: true }), [
        ["WORK-001", 3],
        ["WORK-002", 2],
        ["WORK-003", 1],
      ]);
      assert.deepEqual(await counted({ blocks: true, sort: "blocks", limit: 1 }), [[
        "WORK-003",
        1,
      ]]);
      const others = await counted({ blocks: false, type: "work" });
      assert.deepEqual(others.map(([id]) => id), ["WORK-004", "WORK-005"]);
      const { blocks } = await ok("plan_get", { id: "WORK-001", fields: ["blocks"] });
      assert.equal(blocks, 3);
      assert.match((await call("plan_list", { sort: "block" })).hint!, /blocks/);
    });
  });
});

Deno.test("fifty rows take 3,600 characters, on the real plan and with titles of any length", async () => {
  const long = "A title that says all of it and more than anybody reads in a list ";
  const made = makeProject(Object.assign(
    {},
    ...Array.from({ length: 60 }, (_, at) =>
      planFile(
        `WORK-${100 + at}`,
        { status: ["ready", "draft"][at % 2]!, priority: "medium", milestone: `v0.${at % 9}.0` },
        at % 3 === 0 ? "- [ ] One\n- [x] Two\n" : "",
        long.repeat(1 + at % 4) + at,
      )),
  ));
  const inputs = [{}, { open: true }, { type: "work" }, { status: "done" }]
    .concat({ type: "work", open: true, sort: "-modified" } as object, { sort: "-id" } as object);
  for (const cwd of [PLAN_BUNDLE === undefined ? realPlan() : fullPlan(), made]) {
    await inProcess(cwd, async ({ call, ok }) => {
      for (const input of inputs) {
        const { content, structuredContent } = await call("plan_list", input);
        // deno-lint-ignore no-explicit-any -- an answer as a client sees it
        const { total, rows } = structuredContent as any;
        const about = `${JSON.stringify(input)}: ${content[0].text.length}`;
        assert.equal(rows.length, Math.min(total, 50), about);
        assert.ok(content[0].text.length <= 3600, about);
      }
      const names = new Set<string>();
      for (const input of inputs) {
        const { columns, same = {} } = await ok("plan_list", input);
        for (const name of [...columns, ...Object.keys(same)]) names.add(name);
      }
      const usual = "blockedBy id milestone rank status title";
      assert.equal([...names].sort().join(" ").replace(/^id /, "blockedBy id "), usual);
      const [shortened] = itemsOf(await ok("plan_list", { sort: "-id", type: "work" }));
      const [whole] = itemsOf(
        await ok("plan_list", { sort: "-id", type: "work", fields: ["title"] }),
      );
      assert.ok(whole.title.startsWith(shortened.title.replace(/…$/, "")), shortened.title);
    });
  }
});

Deno.test("a found line is never cut inside a character", async () => {
  // Marks, joined emoji and characters of two units, on both sides of the word, at every distance.
  const parts = ["😀", "e\u0301", "👩‍💻", "𝒳"];
  const cwd = makeProject(Object.assign(
    {},
    ...parts.flatMap((part, at) =>
      Array.from({ length: 5 }, (_, shift) => {
        const side = part.repeat(60);
        return planFile(
          `WORK-${100 + 10 * at + shift}`,
          { status: "ready" },
          `${side}${"x".repeat(shift)} needle ${"x".repeat(shift)}${side}\n`,
        );
      })
    ),
  ));
  await inProcess(cwd, async ({ ok }) => {
    const items = itemsOf(await ok("plan_list", { text: "needle", limit: 50 }));
    assert.equal(items.length, 20);
    for (const { id, text } of items) {
      const part = parts[Math.floor((Number(id.slice(5)) - 100) / 10)]!;
      const sides = text.replace(/^…|…$/g, "").split(/x* needle x*/);
      assert.equal(sides.length, 2, text);
      for (const side of sides) assert.equal(side.replaceAll(part, ""), "", `${id}: ${text}`);
    }
  });
});
