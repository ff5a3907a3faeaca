import assert from "node:assert/strict";
import { join } from "node:path";
import { PlanStore } from "../../../../plugins/plan/store/mod.ts";
import { inSlices } from "../../../../plugins/plan/store/slices.ts";
import { entity, makeProject, SMALL_PLAN, writeFiles } from "../../../support/project.ts";
import { loadedPlan, storeOf } from "../../../support/plan.ts";

const FIRST = "plan/work/WORK-001-first.md";
const first = SMALL_PLAN[FIRST]!;

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
  const { cwd, store } = await storeOf({
    ...SMALL_PLAN,
    "plan/work/hard.md": "{% work %}".repeat(200),
  });
  // Later than the last write, so that the stamps differ.
  await new Promise((resolve) => setTimeout(resolve, 50));
  const readAll = async () => {
    const state = await store.read();
    await state.readDocuments();
    return new Map(state.files.map((one) => [one.file, one.contents]));
  };
  const before = await readAll();
  const changed = (after: typeof before) =>
    [...after].filter(([file, contents]) => before.get(file) !== contents).map(([file]) => file);
  assert.deepEqual(changed(await readAll()), []);
  assert.match(store.unreadable().join("\n"), /^work\/hard.md cannot be read: .*too hard[^\n]*$/);
  writeFiles(cwd, { [FIRST]: first.replace('"ready"', '"draft"') });
  assert.deepEqual(changed(await readAll()), ["work/WORK-001-first.md"]);
});

Deno.test("a file that is removed during a scan is not reported as unreadable", async () => {
  // A file that does not begin as most do is parsed at once, and asks for known sections.
  const cwd = makeProject({ "plan/work/a.md": `Text\n\n${first}`, "plan/work/b.md": first });
  const { sections } = await loadedPlan();
  let removed = 0;
  const store = new PlanStore(cwd, join(cwd, "plan"), {
    ...sections,
    byType: {
      get work() {
        if (removed++ === 0) Deno.removeSync(join(cwd, "plan/work/b.md"));
        return sections.byType["work"]!;
      },
    },
  });
  assert.equal((await store.entities()).length, 1);
  assert.ok(removed > 0);
  assert.deepEqual(store.unreadable(), []);
});

Deno.test("a call during a scan sees what was written to files that the scan has passed", async () => {
  const odd = (name: number) => [`plan/work/odd-${name}.md`, `Text\n\n${first}`] as const;
  const cwd = makeProject({
    [FIRST]: first,
    ...Object.fromEntries(Array.from({ length: 40 }, (_, index) => odd(index))),
  });
  const { sections } = await loadedPlan();
  let asked: Promise<readonly { attributes: Readonly<Record<string, string>> }[]> | undefined;
  let isLater = false;
  const store = new PlanStore(cwd, join(cwd, "plan"), {
    ...sections,
    byType: {
      get work() {
        const end = performance.now() + 2;
        while (performance.now() < end);
        if (isLater && asked === undefined) {
          writeFiles(cwd, { [FIRST]: first.replace('"ready"', '"draft"') });
          asked = Promise.resolve([]);
          asked = store.entities();
        }
        return sections.byType["work"]!;
      },
    },
  });
  setTimeout(() => isLater = true);
  await store.readAhead();
  assert.ok(asked !== undefined);
  const own = (await asked).filter(({ attributes: { id, status } }) =>
    id === "WORK-001" && status === "draft"
  );
  assert.equal(own.length, 1);
});

Deno.test("work that no call waits for rests while the process works for another call", async () => {
  const work = (milliseconds: number) => {
    const end = performance.now() + milliseconds;
    while (performance.now() < end);
  };
  let steps = 0;
  let isDone = false;
  const ahead = inSlices(
    (function* () {
      for (; !isDone; steps++) {
        work(1);
        yield;
      }
    })(),
    () => false,
  );
  for (let slice = 0; slice < 20; slice++) {
    work(20);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  // Of the four steps that fit beside each slice.
  const meanwhile = steps;
  assert.ok(meanwhile < 40, `${meanwhile} steps`);
  while (steps < meanwhile + 10) await new Promise((resolve) => setTimeout(resolve, 10));
  isDone = true;
  await ahead;
});
