import assert from "node:assert/strict";
import { join } from "node:path";
import { detectPlan } from "../../../../plugins/plan/store/plan_folder.ts";
import { countEntities, filesOf } from "../../../../plugins/plan/store/walk.ts";
import type { ConfigFile, Warning } from "../../../../src/plugin/project.ts";
import { makeProject, SMALL_PLAN, writeFiles } from "../../../support/project.ts";

Deno.test("a plan is a folder, and counts files with an entity", async () => {
  const cwd = makeProject({ ...SMALL_PLAN, "plan/README.md": "# Notes\n", "plan/x.txt": "x" });
  // An entity in a comment is none, whether the comment is short or long.
  for (const length of [1, 2000]) {
    const hidden = `<!--\n${"x\n".repeat(length)}{% work id="WORK-009" %}\n{% /work %}\n-->\n`;
    writeFiles(cwd, { [`plan/work/hidden-${length}.md`]: hidden });
  }
  const warnings: Warning[] = [];
  const found = (dir?: string) => {
    const config = dir === undefined ? null : { raw: { plan: { dir } } } as unknown as ConfigFile;
    return detectPlan({ cwd, config, configProblem: undefined }, warnings).plan;
  };
  const plan = found();
  assert.equal(plan!.dir, "plan");
  assert.equal(await countEntities(cwd, plan!.path), 6);
  // The file is too large, or not UTF-8.
  writeFiles(cwd, { "plan/work/large.md": `{% work %}\n${"x".repeat(300_000)}` });
  Deno.writeFileSync(
    join(cwd, "plan/work/latin.md"),
    new Uint8Array([...new TextEncoder().encode("{% work %}\n"), 0xe9]),
  );
  assert.equal(await countEntities(cwd, plan!.path), 6);
  assert.deepEqual(warnings, []);
  assert.equal(found("nowhere"), null);
  assert.equal(found("plan/x.txt"), null);
  assert.match(warnings.map(({ message }) => message).join(), /not exist.*is not a folder/);
});

Deno.test("folders with several links are listed once", () => {
  const cwd = makeProject({ "plan/29/a.md": "a", "elsewhere/29/b.md": "b" });
  for (let depth = 0; depth < 29; depth++) {
    for (const folder of ["plan/", "elsewhere/"]) {
      Deno.mkdirSync(join(cwd, `${folder}${depth}`));
      for (const name of ["x", "y"]) {
        Deno.symlinkSync(`../${depth + 1}`, join(cwd, `${folder}${depth}/${name}`));
      }
    }
  }
  Deno.symlinkSync("../elsewhere/0", join(cwd, "plan/link"));
  const files = filesOf(cwd, join(cwd, "plan")).map(({ file }) => file);
  assert.deepEqual(files, ["29/a.md", `link/${"x/".repeat(29)}b.md`]);
});
