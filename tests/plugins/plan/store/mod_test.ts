import assert from "node:assert/strict";
import { join } from "node:path";
import { PlanStore } from "../../../../plugins/plan/store/mod.ts";
import { requireParsable } from "../../../../src/io/markup_limits.ts";
import { entity, makeProject, readTree, SMALL_PLAN, writeFiles } from "../../../support/project.ts";
import { loadedPlan, storeOf } from "../../../support/plan.ts";

const FIRST = "plan/work/WORK-001-first.md";
const first = SMALL_PLAN[FIRST]!;

Deno.test("a store sees each change in the next call, without a watcher", async () => {
  const { cwd, store } = await storeOf(SMALL_PLAN);
  const status = async () => (await store.allOf("WORK-001"))[0]?.attributes["status"];
  assert.equal(await status(), "ready");
  for (let round = 0; round < 20; round++) {
    const next = round % 2 === 0 ? "draft" : "ready";
    writeFiles(cwd, { [FIRST]: first.replace('"ready"', () => `"${next}"`) });
    assert.equal(await status(), next);
    const [same] = (await store.entities()).filter(({ id }) => id === "WORK-001");
    assert.equal(same?.attributes["status"], next);
  }
  writeFiles(cwd, {
    "plan/work/deep/WORK-009-new.md": entity("work", { id: "WORK-009" }, "New", ""),
  });
  assert.equal((await store.allOf("WORK-009"))[0]?.file, "work/deep/WORK-009-new.md");
  Deno.renameSync(join(cwd, FIRST), join(cwd, "plan/work/other.md"));
  assert.equal((await store.allOf("WORK-001"))[0]?.file, "work/other.md");
  Deno.removeSync(join(cwd, "plan/work/other.md"));
  assert.deepEqual(await store.allOf("WORK-001"), []);
  // The id moves from one file to another; both files are changed in place.
  writeFiles(cwd, {
    "plan/work/WORK-002-second.md": SMALL_PLAN["plan/work/WORK-002-second.md"]!
      .replace("WORK-002", "WORK-022"),
    "plan/bugs/BUG-001-crash.md": entity("work", { id: "WORK-002" }, "Moved", ""),
  });
  assert.equal((await store.allOf("WORK-002"))[0]?.file, "bugs/BUG-001-crash.md");
  Deno.removeSync(join(cwd, "plan"), { recursive: true });
  await assert.rejects(store.entities(), Deno.errors.NotFound);
  writeFiles(cwd, SMALL_PLAN);
  assert.equal((await store.entities()).length, 6);
});

Deno.test("an entity of a store equals the plugin's parse result", async () => {
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
  const { parse } = await loadedPlan();
  const entities = await store.entities();
  assert.equal(entities.length, 7);
  for (const found of entities) {
    const { parsed } = parse(Deno.readTextFileSync(join(cwd, "plan", found.file)), found.file);
    for (const [field, value] of Object.entries(parsed!)) {
      const own = (found as unknown as Record<string, unknown>)[field];
      assert.deepEqual(JSON.stringify(own), JSON.stringify(value), `${found.file} ${field}`);
    }
  }
});

Deno.test("overlapping calls each see what was written before them", async () => {
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

Deno.test("calls during readAhead() are answered completely", async () => {
  const files: Record<string, string> = {};
  for (let number = 100; number < 160; number++) {
    const refs = number === 100 ? "None." : `- {% ref "WORK-${number - 1}" /%}`;
    files[`plan/work/WORK-${number}.md`] = entity("work", { id: `WORK-${number}` }, "One", refs);
  }
  const { store } = await storeOf(files);
  const ahead = store.readAhead();
  const [[one], all] = await Promise.all([store.allOf("WORK-130"), store.entities()]);
  assert.deepEqual([one?.refs, all.length], [["WORK-129"], 60]);
  await ahead;
  assert.equal(store.last().entities.length, 60);
});

Deno.test("a file is parsed once per change, even if it is too hard to parse", async () => {
  const cwd = makeProject({
    ...SMALL_PLAN,
    "plan/work/hard.md": "{% work %}".repeat(200),
    "plan/work/slow.md": entity("work", { id: "WORK-009" }, "Slow", ""),
  });
  const parsed: string[] = [];
  const { parse } = await loadedPlan();
  const store = new PlanStore(cwd, join(cwd, "plan"), (source, file) => {
    parsed.push(file);
    if (file === "work/slow.md") requireParsable("Too long", 3);
    return parse(source, file);
  });
  // Later than the last write, so that the stamps differ.
  await new Promise((resolve) => setTimeout(resolve, 50));
  const readAll = async () => (await store.read()).readDocuments();
  await readAll();
  const before = parsed.length;
  await readAll();
  assert.equal(parsed.length, before);
  assert.match(
    store.unreadable().join("\n"),
    /^work\/hard.md cannot be read: .*too hard.*\nwork\/slow.md cannot be read: .*too hard/,
  );
  assert.deepEqual((await store.allOf("WORK-009")).map(({ refs }) => refs), [[]]);
  writeFiles(cwd, { [FIRST]: first.replace('"ready"', '"draft"') });
  await readAll();
  assert.deepEqual(parsed.slice(before), ["work/WORK-001-first.md"]);
});

Deno.test("a file that is removed during a scan is not reported as unreadable", async () => {
  // A file that does not begin as most do is parsed at once.
  const cwd = makeProject({ "plan/work/a.md": `Text\n\n${first}`, "plan/work/b.md": first });
  const { parse } = await loadedPlan();
  const store = new PlanStore(cwd, join(cwd, "plan"), (source, file) => {
    if (file === "work/a.md") Deno.removeSync(join(cwd, "plan/work/b.md"));
    return parse(source, file);
  });
  assert.equal((await store.entities()).length, 1);
  assert.deepEqual(store.unreadable(), []);
});

Deno.test("the temporary files of a killed process of ours are removed", async () => {
  const { cwd, store } = await storeOf({
    "plan/a.md": "",
    "plan/work/.new.md.0123abcd.tmp": "",
    "plan/work/.a.md.swp": "",
    "plan/work/.folder.md.0123abcd.tmp/a.md": "",
  });
  Deno.symlinkSync(join(cwd, "plan/a.md"), join(cwd, "plan/work/.link.md.0123abcd.tmp"));
  await store.entities();
  store.sweep();
  const left = Object.keys(readTree(join(cwd, "plan"))).sort();
  const kept = ["a.md", "work/.a.md.swp", "work/.folder.md.0123abcd.tmp/a.md"];
  assert.deepEqual(left.filter((name) => !name.includes(".link.")), kept);
});
