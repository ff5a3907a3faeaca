import assert from "node:assert/strict";
import { join } from "node:path";
import { planStore } from "../../../../plugins/plan/store/mod.ts";
import { makeProject, SMALL_PLAN, writeFiles } from "../../../support/project.ts";
import { loadedPlan } from "../../../support/plan.ts";

const FIRST = "plan/work/WORK-001-first.md";
const first = SMALL_PLAN[FIRST]!;

Deno.test("a call during a scan sees what was written to files that the scan has passed", async () => {
  const odd = (name: number) => [`plan/work/odd-${name}.md`, `Text\n\n${first}`] as const;
  const cwd = makeProject({
    [FIRST]: first,
    ...Object.fromEntries(Array.from({ length: 40 }, (_, index) => odd(index))),
  });
  const { sections, vocabulary } = await loadedPlan();
  let asked: Promise<readonly { attributes: Readonly<Record<string, string>> }[]> | undefined;
  let isLater = false;
  const byType = {
    get work() {
      const end = performance.now() + 2;
      while (performance.now() < end);
      if (isLater && asked === undefined) {
        writeFiles(cwd, { [FIRST]: first.replace('"ready"', '"draft"') });
        asked = Promise.resolve([]);
        asked = store.read().then(({ entities }) => entities);
      }
      return sections.byType["work"]!;
    },
  };
  const store = planStore(cwd, join(cwd, "plan"), {
    sections: { ...sections, byType },
    vocabulary,
  });
  setTimeout(() => isLater = true);
  await store.refresh();
  assert.ok(asked !== undefined);
  const own = (await asked).filter(({ attributes: { id, status } }) =>
    id === "WORK-001" && status === "draft"
  );
  assert.equal(own.length, 1);
});

Deno.test("files with too many tags together are left out with the count, until others have fewer", async () => {
  const many = first + '{% ref "WORK-001" /%}\n'.repeat(1900);
  const files = Object.fromEntries(
    Array.from({ length: 160 }, (_, at) => [`plan/work/${1000 + at}.md`, many]),
  );
  const cwd = makeProject(files);
  const store = planStore(cwd, join(cwd, "plan"), await loadedPlan());
  const leftOut = async () => (await store.read()).unreadable();
  for (let scan = 0; scan < 2; scan++) {
    const rows = await leftOut();
    assert.deepEqual(rows.map(({ file }) => file), [
      "work/1157.md",
      "work/1158.md",
      "work/1159.md",
    ]);
    assert.match(
      rows[0]!.reason,
      /^with the files before, it has 300,\d{3} tags, at most 300,000$/,
    );
  }
  writeFiles(cwd, { "plan/work/1000.md": first, "plan/work/1001.md": first });
  assert.deepEqual((await leftOut()).map(({ file }) => file), ["work/1159.md"]);
});
