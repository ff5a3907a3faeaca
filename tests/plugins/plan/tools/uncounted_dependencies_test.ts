import assert from "node:assert/strict";
import { join } from "node:path";
import { makeProject, planFile } from "../../../support/project.ts";
import { inProcess } from "../../../support/in_process.ts";
import { itemsOf } from "../../../support/rows.ts";

const HEADING = "## Dependencies\n\n";
const ref = (id: string) => `- {% ref "${id}" /%}\n`;

interface Problem {
  source: string;
  target: string;
  message: string;
  fix?: { tool: string; arguments: Record<string, unknown> };
}

Deno.test("a dependency that is no reference is named, with the reference to write", async (test) => {
  const ready = { status: "ready" };
  const cwd = makeProject({
    ...planFile("WORK-001", ready),
    ...planFile("WORK-002", ready, `${HEADING}- WORK-001\n`),
    ...planFile("WORK-003", ready, `${HEADING}- [The first](../work/WORK-001-first.md)\n`),
    ...planFile("WORK-004", ready, `## Blocked by\n\n- [WORK-001](WORK-001.md), and work-002\n`),
    ...planFile(
      "WORK-005",
      ready,
      `${HEADING}${ref("WORK-001")}- WORK-001 as above, UTF-8, v1.0.0\n`,
    ),
    ...planFile(
      "WORK-006",
      ready,
      `${HEADING}<!-- WORK-001 -->\n\n\`\`\`\nWORK-001\n\`\`\`\nWORK-006\n`,
    ),
    ...planFile("WORK-007", ready, `${HEADING}None.\n\n## References\n\n- WORK-001\n`),
    ...planFile("WORK-008", { status: "done" }, `${HEADING}- WORK-001\n`),
    ...planFile("WORK-009", ready, `## Requires\n\n- WORK-001\n\n## Notes\n\n${ref("WORK-001")}`),
    ...planFile("BUG-001", { status: "confirmed" }, `${HEADING}- WORK-001\n`),
  });
  await inProcess(cwd, async ({ ok }) => {
    const problems = async (): Promise<Problem[]> =>
      (await ok("plan_validate", { type: "uncounted-dependency", detail: "full" })).issues;
    await test.step("plan_validate names each", async () => {
      const issues = await problems();
      assert.deepEqual(issues.map(({ source, target }) => `${source} ${target}`).sort(), [
        "BUG-001 WORK-001",
        "WORK-002 WORK-001",
        "WORK-003 WORK-001",
        "WORK-004 WORK-001",
        "WORK-004 WORK-002",
        "WORK-009 WORK-001",
      ]);
      for (const { message, target } of issues) {
        assert.ok(message.includes(`{% ref "${target}" /%}`), message);
      }
      const text = Deno.readTextFileSync(join(cwd, "plan/work/WORK-002.md"));
      const line = text.split("\n").indexOf("- WORK-001") + 1;
      const [message] = issues.flatMap((issue) => issue.source === "WORK-002" ? issue.message : []);
      assert.match(message!, new RegExp(`^WORK-001 in line ${line} blocks nothing`));
    });
    await test.step("its correction makes it count", async () => {
      const { fix } = (await problems()).find(({ source }) => source === "WORK-002")!;
      const { warnings } = await ok(fix!.tool, fix!.arguments);
      assert.equal(warnings, undefined);
      const items = itemsOf(await ok("plan_list", { text: "WORK-002", fields: ["blockedBy"] }));
      assert.deepEqual(items[0].blockedBy, ["WORK-001"]);
      assert.ok((await problems()).every(({ source }) => source !== "WORK-002"));
    });
    await test.step("each write warns", async () => {
      const warning = /^WORK-001 in line \d+ blocks nothing.*write {% ref "WORK-001" \/%}$/;
      const { warnings } = await ok("plan_update", {
        id: "WORK-007",
        sections: { Dependencies: "- WORK-001" },
      });
      assert.match(warnings[0], warning);
      const other = await ok("plan_update", { id: "WORK-007", priority: "low" });
      assert.equal(other.warnings, undefined);
      const created = await ok("plan_create", {
        type: "work",
        title: "New",
        attrs: { milestone: "v9" },
        sections: { Dependencies: "- WORK-001" },
      });
      assert.equal(created.warnings[0], 'The plan has no milestone "v9"');
      assert.match(created.warnings[1], warning);
      const several = await ok("plan_create", {
        items: [
          { key: "m", type: "milestone", title: "Eight", id: "v8.0.0" },
          { key: "a", type: "work", title: "A", attrs: { milestone: "v8.0.0" } },
          { key: "b", type: "work", title: "B", attrs: { milestone: "v7" } },
          { key: "c", type: "work", title: "C", attrs: { milestone: "V8.0.0" } },
          { key: "d", type: "work", title: "D", attrs: { source: "work-001, SPEC-900" } },
        ],
      });
      assert.deepEqual(several.items.map(({ warnings }: { warnings?: string[] }) => warnings), [
        undefined,
        undefined,
        ['The plan has no milestone "v7"'],
        ['The plan has no milestone "V8.0.0". Did you mean "v8.0.0"?'],
        [
          'The plan has no entity "work-001". Did you mean "WORK-001" or "WORK-002" or "WORK-003"?',
          'The plan has no entity "SPEC-900"',
        ],
      ]);
    });
  });
});

Deno.test("what an item blocks and that does not list it is named, until it does", async () => {
  const ready = { status: "ready" };
  const blocks = (...lines: string[]) => `${HEADING}None.\n\n## Blocks\n\n${lines.join("")}`;
  const cwd = makeProject({
    ...planFile("WORK-001", ready, blocks(ref("WORK-002"), "- WORK-003\n", ref("WORK-004"))),
    ...planFile("WORK-002", ready),
    ...planFile("WORK-003", ready, HEADING + ref("WORK-001")),
    ...planFile("WORK-004", { status: "done" }),
    ...planFile("WORK-005", { status: "done" }, blocks(ref("WORK-002"))),
  });
  await inProcess(cwd, async ({ ok }) => {
    const problems = async (): Promise<Problem[]> =>
      (await ok("plan_validate", { type: "uncounted-dependency", detail: "full" })).issues;
    const [{ source, target, message, fix }, ...more] = await problems() as [Problem];
    assert.deepEqual([source, target, more], ["WORK-001", "WORK-002", []]);
    assert.match(message, /^WORK-002 in line \d+ does not wait for WORK-001, /);
    const { warnings } = await ok("plan_update", { id: "WORK-001", append: { Blocks: "Soon." } });
    assert.deepEqual(warnings, [message]);
    await ok(fix!.tool, fix!.arguments);
    assert.deepEqual(await problems(), []);
    const { ahead } = await ok("plan_next", { ahead: 2 });
    const { after } = ahead.find(({ id }: { id: string }) => id === "WORK-002");
    assert.deepEqual(after, ["WORK-001"]);
  });
});

Deno.test("a cycle that exists does not forbid the edit that ends it", async (test) => {
  const waits = (id: string, ...others: string[]) =>
    planFile(id, { status: "ready" }, HEADING + others.map(ref).join(""));
  const files = {
    ...waits("WORK-001", "WORK-002"),
    ...waits("WORK-002", "WORK-001"),
    ...waits("WORK-003", "WORK-001"),
    ...planFile("WORK-004", { status: "ready" }),
  };
  const ends: object[] = [
    { id: "WORK-001", dependsOn: ["-WORK-002"] },
    { id: "WORK-001", dependsOn: ["-WORK-002", "WORK-004"] },
    { id: "WORK-001", dependsOn: ["WORK-004"] },
    { id: "WORK-001", dependsOn: [] },
    { id: "WORK-003", dependsOn: ["WORK-002"] },
    { id: "WORK-001", dependsOn: ["-work-002"], blocks: ["WORK-002"] },
    { id: "WORK-002", blocks: ["WORK-004"] },
    {
      changes: [
        { id: "WORK-003", dependsOn: ["-WORK-001"] },
        { id: "WORK-001", dependsOn: ["WORK-003"] },
      ],
    },
  ];
  for (const input of ends) {
    await test.step(`written: ${JSON.stringify(input)}`, async () => {
      await inProcess(makeProject(files), async ({ ok }) => {
        await ok("plan_update", { ...input });
      });
    });
  }
  const makes: Record<string, unknown>[] = [
    {
      changes: [["WORK-003", "WORK-004"], ["WORK-004", "WORK-003"]].map(([id, other]) => ({
        id,
        dependsOn: [other],
      })),
    },
    { id: "WORK-001", dependsOn: ["WORK-003"] },
    { id: "WORK-001", dependsOn: ["-WORK-002", "WORK-003"] },
    { id: "WORK-003", blocks: ["WORK-002"] },
    { id: "WORK-004", dependsOn: ["WORK-003"], blocks: ["WORK-001"] },
  ];
  for (const input of makes) {
    await test.step(`refused: ${JSON.stringify(input)}`, async () => {
      await inProcess(makeProject(files), async ({ call }) => {
        assert.match((await call("plan_update", input)).content[0].text, /form a cycle/);
      });
    });
  }
});

Deno.test("done with an unfinished dependency is a warning everywhere", async () => {
  const cwd = makeProject({
    ...planFile("WORK-001", { status: "ready" }),
    ...planFile("WORK-002", { status: "ready" }, HEADING + ref("WORK-001")),
    ...planFile("WORK-003", { status: "cancelled" }),
    ...planFile("WORK-004", { status: "ready" }, HEADING + ref("WORK-003")),
  });
  await inProcess(cwd, async ({ ok }) => {
    const done = { status: "done", resolve: "Done." };
    const { warnings } = await ok("plan_update", { id: "WORK-002", ...done });
    assert.deepEqual(warnings, ["done, but it depends on WORK-001 (ready)"]);
    assert.equal((await ok("plan_update", { id: "WORK-004", ...done })).warnings, undefined);
    const { issues } = await ok("plan_validate", { type: "open-dependency", detail: "full" });
    assert.deepEqual(issues.map(({ source, target }: Problem) => [source, target]), [
      ["WORK-002", "WORK-001"],
    ]);
    const { findings, fixes } = await ok("plan_review", { id: "WORK-002" });
    assert.deepEqual(findings, {
      "open-dependencies": ["WORK-002: done, but it depends on WORK-001 (ready)"],
    });
    await ok(fixes[0].tool, fixes[0].arguments);
    assert.equal((await ok("plan_review", { id: "WORK-002" })).total, 0);
    const both = await ok("plan_update", {
      id: "WORK-002",
      status: "ready",
      dependsOn: ["WORK-001"],
    });
    assert.equal(both.warnings.length, 1);
    const { lines } = await ok("plan_update", { ids: ["WORK-001", "WORK-002"], ...done });
    assert.ok(!lines.join().includes("depends on"), lines.join());
  });
});
