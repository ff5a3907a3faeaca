import assert from "node:assert/strict";
import { join } from "node:path";
import { entity, SMALL_PLAN, writeFiles } from "../../../support/project.ts";
import { loadedPlan, storeOf } from "../../../support/plan.ts";

const FIRST = "plan/work/WORK-001-first.md";
const first = SMALL_PLAN[FIRST]!;

Deno.test("a store sees each change at the next call, without watching", async () => {
  const { cwd, store } = await storeOf(SMALL_PLAN);
  const status = async () => (await store.entity("WORK-001"))?.attributes["status"];
  assert.equal(await status(), "ready");
  for (let round = 0; round < 20; round++) {
    const next = round % 2 === 0 ? "draft" : "ready";
    writeFiles(cwd, { [FIRST]: first.replace('"ready"', `"${next}"`) });
    assert.equal(await status(), next);
    const [same] = (await store.entities()).filter(({ id }) => id === "WORK-001");
    assert.equal(same?.attributes["status"], next);
  }
  writeFiles(cwd, {
    "plan/work/deep/WORK-009-new.md": entity("work", { id: "WORK-009" }, "New", ""),
  });
  assert.equal((await store.entity("WORK-009"))?.file, "work/deep/WORK-009-new.md");
  Deno.renameSync(join(cwd, FIRST), join(cwd, "plan/work/other.md"));
  assert.equal((await store.entity("WORK-001"))?.file, "work/other.md");
  Deno.removeSync(join(cwd, "plan/work/other.md"));
  assert.equal(await store.entity("WORK-001"), undefined);
  // The id moves from one file to another, both changed in place.
  writeFiles(cwd, {
    "plan/work/WORK-002-second.md": SMALL_PLAN["plan/work/WORK-002-second.md"]!
      .replace("WORK-002", "WORK-022"),
    "plan/bugs/BUG-001-crash.md": entity("work", { id: "WORK-002" }, "Moved", ""),
  });
  assert.equal((await store.entity("WORK-002"))?.file, "bugs/BUG-001-crash.md");
  Deno.removeSync(join(cwd, "plan"), { recursive: true });
  await assert.rejects(store.entities(), Deno.errors.NotFound);
  writeFiles(cwd, SMALL_PLAN);
  assert.equal((await store.entities()).length, 6);
});

Deno.test("an entity of a store is what the plugin's parser says, field by field", async () => {
  const { cwd, store } = await storeOf({
    ...SMALL_PLAN,
    "plan/work/WORK-003-done.md": entity(
      "work",
      { id: "WORK-003", status: "done" },
      "Done",
      '## Dependencies\n- {% ref "WORK-001" /%}\n\n## Resolution\n\nCompleted: 2026-01-02\n\nDone.\n',
    ).replaceAll("\n", "\r\n"),
    "plan/README.md": "# No entity\n",
  });
  const { parser } = await loadedPlan();
  const entities = await store.entities();
  assert.equal(entities.length, 7);
  for (const found of entities) {
    const parsed = parser.parse(Deno.readTextFileSync(join(cwd, "plan", found.file)), found.file)!;
    for (const [field, value] of Object.entries(parsed)) {
      const own = (found as unknown as Record<string, unknown>)[field];
      assert.deepEqual(JSON.stringify(own), JSON.stringify(value), `${found.file} ${field}`);
    }
  }
});

Deno.test("work that reads entities without waiting is run again once they are parsed", async () => {
  const { store } = await storeOf(SMALL_PLAN);
  await store.entities();
  let runs = 0;
  const refs = await store.withParsed(() => {
    runs++;
    return store.known().flatMap((found) => found.refs);
  });
  assert.deepEqual([refs, runs], [["WORK-001"], 2]);
  await assert.rejects(
    store.withParsed(() => {
      throw new Error("its own");
    }),
    /its own/,
  );
});

Deno.test("calls that overlap each see what was written before them", async () => {
  const { cwd, store } = await storeOf(SMALL_PLAN);
  const seen = await Promise.all(
    Array.from({ length: 30 }, async (_, index) => {
      await new Promise((resolve) => setTimeout(resolve, index % 3));
      const path = `plan/work/WORK-${100 + index}-x.md`;
      writeFiles(cwd, { [path]: entity("work", { id: `WORK-${100 + index}` }, "X", "") });
      return (await store.entities()).some(({ id }) => id === `WORK-${100 + index}`);
    }),
  );
  assert.ok(seen.every(Boolean));
});

Deno.test("a file or folder that cannot be read costs that one alone, and is named", async () => {
  const { cwd, store } = await storeOf({
    ...SMALL_PLAN,
    "plan/work/WORK-004-large.md": entity("work", { id: "WORK-004" }, "L", "x\n".repeat(600_000)),
  });
  Deno.symlinkSync(join(cwd, "nowhere"), join(cwd, "plan/work/dangling.md"));
  Deno.symlinkSync(join(cwd, "plan"), join(cwd, "plan/work/circle"));
  assert.equal((await store.entities()).length, 6);
  const problems = await store.problems();
  assert.deepEqual(problems.map(({ type, file }) => [type, file]), [
    ["unreadable", "work/WORK-004-large.md"],
  ]);
  assert.match(problems[0]!.message, /too large/);
});

Deno.test("duplicate ids and conflict markers are problems, with both places", async () => {
  const { store } = await storeOf({
    ...SMALL_PLAN,
    "plan/work/WORK-001-again.md": entity("work", { id: "WORK-001" }, "Again", ""),
    "plan/work/WORK-002-second.md": SMALL_PLAN["plan/work/WORK-002-second.md"]!.replace(
      "## Dependencies",
      "<<<<<<< HEAD\n## Dependencies\n=======\n## Needs\n>>>>>>> other",
    ),
    "plan/specs/SPEC-002-text.md": entity(
      "spec",
      { id: "SPEC-002" },
      "About merges",
      "```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n```\n",
    ),
  });
  const problems = await store.problems();
  assert.deepEqual(problems.map(({ type, file, other, lines }) => [type, file, other ?? lines]), [
    ["duplicate-id", "work/WORK-001-first.md", "work/WORK-001-again.md"],
    ["conflict-markers", "work/WORK-002-second.md", { first: 5, last: 9 }],
  ]);
});

Deno.test("work in advance parses everything, also where calls come meanwhile", async () => {
  const files: Record<string, string> = {};
  for (let number = 100; number < 160; number++) {
    const refs = number === 100 ? "None." : `- {% ref "WORK-${number - 1}" /%}`;
    files[`plan/work/WORK-${number}.md`] = entity("work", { id: `WORK-${number}` }, "One", refs);
  }
  const { store } = await storeOf(files);
  const ahead = store.parseAhead();
  const calls = await Promise.all([store.entity("WORK-130"), store.entities(), store.parsed()]);
  assert.deepEqual(calls[0]?.refs, ["WORK-129"]);
  await ahead;
  assert.equal(store.known().length, 60);
  assert.ok(store.known().every((one) => (one as unknown as { isParsed: boolean }).isParsed));
});

Deno.test("work in advance alone leaves nothing to parse", async () => {
  const { store } = await storeOf(SMALL_PLAN);
  await store.parseAhead();
  assert.ok(store.known().length > 0);
  assert.ok(store.known().every((one) => (one as unknown as { isParsed: boolean }).isParsed));
});
