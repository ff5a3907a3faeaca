import assert from "node:assert/strict";
import { join } from "node:path";
import { commitAll, linkTo, makeProject, readTree, SMALL_PLAN } from "../support/project.ts";
import { inProcess } from "../support/in_process.ts";
import { type Session, withServer } from "../support/server.ts";

async function use({ ok }: Session): Promise<string> {
  const { path } = await ok("plan_create", { type: "work", title: "Third" });
  await ok("plan_update", { id: "WORK-001", status: "in-progress" });
  const { total } = await ok("plan_history", { id: "WORK-001" });
  assert.equal(total, 1);
  assert.equal((await ok("plan_list", { type: "work" })).total, 3);
  return path;
}

Deno.test("a project is served by the name of the link under which Deno may read it", async () => {
  const real = makeProject(SMALL_PLAN);
  commitAll(real, "one");
  const link = join(makeProject(), "link");
  linkTo(real, link);
  const grants = ["--no-prompt", `--allow-read=${link}`, `--allow-write=${link}/plan`];
  await withServer(makeProject(), async (session) => {
    assert.equal(await use(session), "plan/work/WORK-003-third.md");
    const resolution = { id: "WORK-002", resolveFile: join(link, "note.md") };
    for (const folder of [link, real]) {
      Deno.writeTextFileSync(join(real, "note.md"), `By ${folder}`);
      await session.ok("plan_update", { ...resolution, resolveFile: join(folder, "note.md") });
    }
  }, { grants: [...grants, "--allow-run=git"], args: ["--cwd", link] });
  const tree = readTree(real);
  assert.match(tree["plan/work/WORK-001-first.md"]!, /status="in-progress"/);
  assert.ok(tree["plan/work/WORK-002-second.md"]!.includes(`By ${real}`));
});

Deno.test("files with accents are found in both Unicode forms, also by the history", async () => {
  const [apart, composed] = ["u\u0308ber", "\u00fcber"];
  const work = SMALL_PLAN["plan/work/WORK-001-first.md"]!;
  const cwd = makeProject({
    "refrakt.config.json": JSON.stringify({ site: { contentDir: "./content" } }),
    [`content/${apart}.md`]: "# Over\n",
    [`plan/work/WORK-001-${composed}.md`]: work,
  });
  commitAll(cwd, "one");
  // A disk of macOS may return the name so, while git has it composed.
  const path = (form: string) => join(cwd, `plan/work/WORK-001-${form}.md`);
  Deno.renameSync(path(composed), path(apart));
  await inProcess(cwd, async ({ ok }) => {
    assert.equal((await ok("plan_history", { id: "WORK-001" })).total, 1);
    for (const form of [apart, composed]) {
      const { path } = await ok("refrakt_render", { path: `content/${form}.md` });
      assert.equal(path.normalize(), `content/${composed}.md`);
    }
  });
});
