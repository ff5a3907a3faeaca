import assert from "node:assert/strict";
import { join } from "node:path";
import { entity, makeProject, planFile, readTree, SMALL_PLAN } from "../../../support/project.ts";
import { inProcess } from "../../../support/in_process.ts";
import { WIDE_PLAN } from "./plan.ts";

Deno.test("plan_update of one of two equal criteria says that one is gone and one is new", async () => {
  const twice = "- [ ] Same\n- [ ] Same\n";
  await inProcess(makeProject(planFile("WORK-001", {}, twice)), async ({ ok }) => {
    const reword = { id: "WORK-001", criteria: { reword: { "1": "Other" } } };
    assert.deepEqual((await ok("plan_update", reword)).lines, [
      "WORK-001: 1 criterion removed, 1 criterion added",
    ]);
  });
});

Deno.test("plan_update rejects damaging values", async (test) => {
  const cwd = makeProject({
    ...SMALL_PLAN,
    "notes.md": "From a file: $& and `$1`.\n",
  });
  await inProcess(cwd, async ({ call }) => {
    await test.step("an invalid value is rejected with the valid ones of that type", async () => {
      const before = readTree(cwd);
      const cases = [
        [{ id: "WORK-001", status: "nope" }, /draft, ready, in-progress/],
        [{ id: "BUG-001", status: "done" }, /reported, confirmed/],
        [{ id: "BUG-001", severity: "trivial" }, /critical, major, minor, cosmetic/],
        [{ id: "WORK-001", attrs: { nonsense: "x" } }, /status, priority/],
      ] as const;
      for (const [input, valid] of cases) {
        const answer = await call("plan_update", input);
        assert.equal(answer.errorCode, "VALIDATION_ERROR");
        assert.match(answer.hint!, valid);
        assert.match(answer.content[0].text, valid);
        assert.deepEqual(answer._meta!["hint"], answer.hint);
      }
      assert.deepEqual(readTree(cwd), before);
    });
    await test.step("values that cannot be stored are rejected, and nothing is written", async () => {
      const before = readTree(cwd);
      const cases = [
        ['a"b', "a double quote"],
        ["a\\b", "a backslash"],
        ["a %} b", '"%}"'],
        ["a {% b", '"{%"'],
        [" a", "white space"],
        ["x".repeat(501), "longer than 500"],
      ] as const;
      for (const [value, reason] of cases) {
        for (const input of [{ assignee: value }, { attrs: { tags: value } }]) {
          const answer = await call("plan_update", { id: "WORK-001", ...input });
          assert.equal(answer.errorCode, "VALIDATION_ERROR", JSON.stringify(value));
          assert.match(answer.content[0].text, /Attribute "(assignee|tags)"/);
          assert.ok(answer.content[0].text.includes(reason), answer.content[0].text);
        }
      }
      for (
        const [input, code] of [
          [{ id: "WORK-001", attrs: { id: "WORK-100" } }, "VALIDATION_ERROR"],
          [{ id: "WORK-001", status: "" }, "VALIDATION_ERROR"],
          [{ id: "WORK-001", resolve: "" }, "INVALID_ARGS"],
          [{ id: "SPEC-001", resolve: "x" }, "VALIDATION_ERROR"],
          [{ id: "WORK-001", resolve: "x", resolveFile: "notes.md" }, "INVALID_ARGS"],
          [{ id: "WORK-001", resolveFile: "/etc/hostname" }, "PERMISSION_DENIED"],
          [{ id: "WORK-001", check: "It" }, "VALIDATION_ERROR"],
          [{ id: "WORK-001", dir: "..", status: "done" }, "PERMISSION_DENIED"],
          [{ status: "done" }, "INVALID_ARGS"],
          [{ id: "WORK-001", stauts: "done" }, "INVALID_ARGS"],
        ] as const
      ) {
        const answer = await call("plan_update", input);
        assert.equal(answer.errorCode, code, JSON.stringify([input, answer]));
        assert.ok(answer.isError && typeof answer.hint === "string" && answer.hint !== "");
      }
      assert.deepEqual(readTree(cwd), before);
    });
  });
  assert.deepEqual(Object.keys(readTree(cwd)).filter((path) => /tmp|cache/.test(path)), []);
});

Deno.test("plan_update changes criteria, sections and the title in one call", async (test) => {
  const cwd = makeProject(WIDE_PLAN);
  const path = "plan/work/WORK-001-parser.md";
  await inProcess(cwd, async ({ ok }) => {
    await test.step("title, sections and criteria change together", async () => {
      const { lines, openCriteria, path: shown } = await ok("plan_update", {
        id: "WORK-001",
        title: "Parse every table",
        sections: { Approach: "A generator.", "Edge Cases": "Empty tables." },
        append: { References: '- {% ref "ADR-001" /%}' },
        check: "It is fast",
        criteria: { add: ["It is documented"], remove: ["It renders"] },
        status: "in-progress",
      });
      assert.equal(shown, path);
      assert.equal(openCriteria, 1);
      assert.match(
        lines.join("|"),
        /^WORK-001: ready → in-progress, 1 .*ticked.*, text \+\d+ −\d+$/,
      );
      const item = await ok("plan_get", { id: "WORK-001" });
      assert.equal(item.title, "Parse every table");
      assert.deepEqual(
        item.criteria.map((
          { text, checked = false }: { text: string; checked?: boolean },
        ) => [text, checked]),
        [["It parses", true], ["It is fast", true], ["It is documented", false]],
      );
      assert.deepEqual(
        Object.keys(item.sections),
        ["description", "Approach", "Edge Cases", "References", "Dependencies"],
      );
      assert.equal(item.sections.Approach, "A generator.");
      assert.equal(item.references.length, 2);
    });
    await test.step("done with open criteria and an unknown milestone are warnings", async () => {
      const done = await ok("plan_update", { id: "WORK-001", status: "done", milestone: "v7" });
      assert.equal(done.openCriteria, 1);
      assert.deepEqual(done.warnings, [
        "done with 1 open criterion",
        "done without a resolution",
        'The plan has no milestone "v7"',
      ]);
      const finished = await ok("plan_update", { id: "WORK-001", check: "all", resolve: "Done." });
      assert.equal(finished.warnings, undefined);
    });
  });
});

Deno.test("criteria have the numbers of plan_get, whatever the call appends before them", async () => {
  const text = "## Done when\n- [ ] 404\n- [x] It is fast\n\n## Blocked by\nNothing.\n";
  const cwd = makeProject({
    "plan/work/WORK-001-a.md": entity("work", { id: "WORK-001", status: "ready" }, "A", text),
  });
  await inProcess(cwd, async ({ ok }) => {
    const append = { dependencies: "- [ ] Another one" };
    await ok("plan_update", { id: "WORK-001", check: 1, append });
    const { criteria } = await ok("plan_get", { id: "WORK-001" });
    assert.deepEqual(
      criteria.flatMap((one: { text: string; checked?: true }) => one.checked ? one.text : []),
      ["404", "It is fast"],
    );
  });
});

Deno.test("an update with the values that are already there lists no change, and writes nothing", async () => {
  const text = "## Approach\n\nDo it.\n\n## Acceptance Criteria\n\n- [x] One\n- [ ] Two\n\n" +
    '## Dependencies\n\n- {% ref "WORK-002" /%}\n';
  const cwd = makeProject({
    ...planFile("WORK-001", { status: "ready", priority: "high", assignee: "ada" }, text),
    ...planFile("WORK-002", { status: "ready" }),
  });
  const files = readTree(join(cwd, "plan"));
  await inProcess(cwd, async ({ ok }) => {
    const title = "Item WORK-001";
    for (
      const same of [
        { status: "ready", priority: "high", assignee: "ada" },
        { milestone: "", attrs: { tags: "" } },
        { title, sections: { Approach: "Do it." } },
        { dependsOn: ["WORK-002"], uncheck: ["2"], criteria: { reword: { "1": "One" } } },
      ]
    ) {
      const { changed, lines } = await ok("plan_update", { id: "WORK-001", ...same });
      assert.deepEqual([changed, lines], [0, ["WORK-001: unchanged"]], JSON.stringify(same));
    }
    const several = await ok("plan_update", { ids: ["WORK-001", "WORK-002"], status: "ready" });
    assert.deepEqual(several.changed, 0);
    const one = await ok("plan_update", { id: "WORK-001", status: "ready", priority: "low" });
    assert.deepEqual(one.lines, ["WORK-001: priority high → low"]);
    await ok("plan_update", { id: "WORK-001", priority: "high" });
  });
  assert.deepEqual(readTree(join(cwd, "plan")), files);
});
