import assert from "node:assert/strict";
import { join } from "node:path";
import {
  commitAll,
  entity,
  git,
  makeProject,
  planFile,
  readTree,
  writeFiles,
} from "../../../support/project.ts";
import { refrakt } from "../../../support/run.ts";
import { inProcess } from "../../../support/in_process.ts";
import { ROOT } from "../../../support/server.ts";

const FILE = "plan/work/WORK-001.md";
const BODY = "## Acceptance Criteria\n\n- [ ] One\n- [ ] Two\n- [ ] Three\n";

/** A repository with a branch `other` whose changes conflict with those of `main`. */
function conflicting(ours: (text: string) => string, theirs: (text: string) => string): string {
  const cwd = makeProject({
    [FILE]: entity("work", { id: "WORK-001", status: "ready", priority: "high" }, "Search", BODY),
  });
  commitAll(cwd, "Plan");
  for (const [branch, change] of [["other", theirs], ["main", ours]] as const) {
    git(cwd, "checkout", "-q", ...(branch === "main" ? ["main"] : ["-b", branch]));
    const path = join(cwd, FILE);
    Deno.writeTextFileSync(path, change(Deno.readTextFileSync(path)));
    commitAll(cwd, `Change on ${branch}`);
  }
  return cwd;
}

const replace = (...pairs: [string, string][]) => (text: string) =>
  pairs.reduce((result, [from, to]) => result.replace(from, () => to), text);

const textOf = (cwd: string) => Deno.readTextFileSync(join(cwd, FILE));

Deno.test("plan_merge merges by meaning during a merge, and leaves git add to the user", async () => {
  const cwd = conflicting(
    replace(['status="ready"', 'status="in-progress"'], ["[ ] One", "[x] One"]),
    replace(['priority="high"', 'priority="low"'], ["[ ] Two", "[x] Two"]),
  );
  assert.throws(() => git(cwd, "merge", "-q", "other"));
  await inProcess(cwd, async ({ ok, call }) => {
    const { groups } = await ok("plan_validate", { type: "conflict-markers" });
    const { tool, arguments: args } = groups[0].fix;
    assert.equal(tool, "plan_merge");
    const index = git(cwd, "ls-files", "--unmerged");
    const answer = await ok(tool, args);
    assert.deepEqual(answer.merged.map(({ path }: { path: string }) => path), [FILE]);
    assert.match(answer.theirs, /Change on other/);
    assert.match(answer.note, /^No conflict markers are left in "plan"\. .*git add "plan"/);
    assert.match(textOf(cwd), /status="in-progress" priority="low"/);
    assert.match(textOf(cwd), /- \[x\] One\n- \[x\] Two\n- \[ \] Three/);
    assert.equal(git(cwd, "ls-files", "--unmerged"), index);
    assert.match((await ok("plan_merge", { all: true })).note, /^1 merged before/);
    git(cwd, "add", "plan");
    const nothing = await call("plan_merge", { all: true });
    assert.equal(nothing.errorCode, "NOT_FOUND");
  });
});

Deno.test("plan_merge asks for what both have changed, says which side is which, and takes answers", async () => {
  const cwd = conflicting(
    replace(['status="ready"', 'status="done"']),
    replace(['status="ready"', 'status="blocked"']),
  );
  git(cwd, "checkout", "-q", "other");
  assert.throws(() => git(cwd, "rebase", "-q", "main"));
  await inProcess(cwd, async ({ ok, call }) => {
    const before = textOf(cwd);
    const asked = await ok("plan_merge", { id: "work-001" });
    assert.match(asked.theirs, /^your commit .* "Change on other"$/);
    assert.ok(asked.note.startsWith(`Conflict markers are left in "${FILE}". Some are open`));
    const [{ disagreements: [one] }] = asked.open;
    assert.deepEqual([one.name, one.ours, one.theirs], ["status", "done", "blocked"]);
    assert.equal(textOf(cwd), before);
    const wrong = await call("plan_merge", { all: true, take: { status: "bogus" } });
    assert.equal(wrong.errorCode, "VALIDATION_ERROR");
    assert.equal(textOf(cwd), before);
    const taken = await ok("plan_merge", { all: true, take: { status: "done" } });
    assert.equal(taken.merged.length, 1);
    assert.match(textOf(cwd), /status="done"/);
    await ok("plan_undo", { token: taken.undo });
    assert.equal(textOf(cwd), before);
  });
});

Deno.test("plan_merge leaves a file alone that somebody has begun to resolve", async () => {
  const cwd = conflicting(
    replace(['status="ready"', 'status="done"']),
    replace(['priority="high"', 'priority="low"']),
  );
  assert.throws(() => git(cwd, "merge", "-q", "other"));
  Deno.writeTextFileSync(join(cwd, FILE), `${textOf(cwd)}\nA note by hand.\n`);
  const before = textOf(cwd);
  await inProcess(cwd, async ({ ok }) => {
    const { open, merged } = await ok("plan_merge", { all: true });
    assert.match(open[0].reason, /changed by hand/);
    assert.deepEqual(merged, []);
  });
  assert.equal(textOf(cwd), before);
});

Deno.test("the merge command is a merge driver, with permissions for its three files alone", async () => {
  const cwd = conflicting(
    replace(['status="ready"', 'status="done"'], ["[ ] One", "[x] One"]),
    replace(['priority="high"', 'priority="low"'], ["[ ] Two", "[x] Two"]),
  );
  for (const [name, revision] of [["base", "main~1"], ["ours", "main"], ["theirs", "other"]]) {
    Deno.writeTextFileSync(join(cwd, `${name}.md`), `${git(cwd, "show", `${revision}:${FILE}`)}\n`);
  }
  const grants = ["--no-prompt", "--allow-read=base.md,ours.md,theirs.md", "--allow-write=ours.md"];
  const files = ["base.md", "ours.md", "theirs.md"];
  const { code, stderr } = await refrakt(cwd, ["merge", ...files], { grants });
  assert.equal(code, 0, stderr);
  const merged = Deno.readTextFileSync(join(cwd, "ours.md"));
  assert.match(merged, /status="done" priority="low"/);
  assert.match(merged, /- \[x\] One\n- \[x\] Two/);
  Deno.writeTextFileSync(join(cwd, "theirs.md"), merged.replace("done", "blocked"));
  const again = await refrakt(cwd, ["merge", ...files], { grants });
  assert.equal(again.code, 1);
  assert.match(again.stderr, /Conflict: status/);
  assert.match(Deno.readTextFileSync(join(cwd, "ours.md")), /^<{7} ours\.md\n/m);
  assert.equal((await refrakt(cwd, ["merge", "a.md"], { grants })).code, 2);
});

Deno.test("the merge command reads and writes only files of its folder that have one name", async () => {
  const text = entity("work", { id: "WORK-1", status: "ready" }, "Search", BODY);
  const cwd = makeProject({
    "in/base.md": text,
    "in/ours.md": text.replaceAll("\n", "\r\n").replace("ready", "done"),
    "in/theirs.md": text.replace("[ ] Two", "[x] Two"),
    "in/empty.md": "",
    "in/bytes.md": "",
    "outside.md": "secret\n",
  });
  const folder = join(cwd, "in");
  Deno.writeFileSync(join(folder, "bytes.md"), Uint8Array.of(0xff, 0xfe, 0));
  Deno.symlinkSync("ours.md", join(folder, "link.md"));
  Deno.symlinkSync("../outside.md", join(folder, "out.md"));
  Deno.linkSync(join(cwd, "outside.md"), join(folder, "hard.md"));
  Deno.mkdirSync(join(folder, "folder.md"));
  const grants = ["--no-prompt", `--allow-read=${cwd}`, `--allow-write=${cwd}`];
  const merge = (...args: string[]) => refrakt(folder, ["merge", ...args], { grants });
  const before = readTree(cwd);
  const refused = [
    ["link.md", /PERMISSION_DENIED.*other names/s],
    ["hard.md", /PERMISSION_DENIED.*other names/s],
    ["out.md", /PERMISSION_DENIED.*leads out/s],
    ["../outside.md", /PERMISSION_DENIED.*leads out/s],
    [join(cwd, "outside.md"), /PERMISSION_DENIED.*leads out/s],
    ["none.md", /NOT_FOUND/],
    ["folder.md", /not a regular file/i],
    ["bytes.md", /VALIDATION_ERROR/],
  ] as const;
  for (const [path, said] of refused) {
    for (const at of [0, 1]) {
      const { code, stderr } = await merge(...["base.md", "ours.md", "theirs.md"].with(at, path));
      assert.match(`${code} ${stderr}`, said, `${path} ${at}`);
      assert.doesNotMatch(stderr, /secret/);
    }
  }
  assert.deepEqual(readTree(cwd), before);
  Deno.linkSync(join(folder, "theirs.md"), join(cwd, "kept.md"));
  assert.equal((await merge("empty.md", "base.md", "ours.md")).code, 1);
  assert.match(Deno.readTextFileSync(join(folder, "base.md")), /<{7}.*ready.*={7}.*done.*>{7}/s);
  Deno.removeSync(join(cwd, "kept.md"));
  assert.equal((await merge("empty.md", "ours.md", "theirs.md")).code, 1);
  writeFiles(cwd, { "in/base.md": text, "in/ours.md": before["in/ours.md"]! });
  assert.equal((await merge("base.md", "ours.md", "theirs.md")).code, 0);
  const merged = Deno.readTextFileSync(join(folder, "ours.md"));
  assert.match(merged, /status="done".*- \[ \] One\r\n- \[x\] Two\r\n/s);
  assert.doesNotMatch(merged, /[^\r]\n/);
});

Deno.test("git merges by the driver in a folder of a worktree, also without a base", () => {
  const cwd = conflicting(
    replace(['status="ready"', 'status="done"']),
    replace(['priority="high"', 'priority="low"']),
  );
  // As docs/teams.md sets it up.
  const program = [Deno.execPath(), "run", "--no-prompt", "--allow-read=.", "--allow-write=."];
  git(cwd, "config", "merge.refrakt.driver", `${program.join(" ")} ${ROOT}mod.ts merge %O %A %B`);
  Deno.writeTextFileSync(join(cwd, ".git/info/attributes"), "plan/**/*.md merge=refrakt\n");
  const added = (body: string) =>
    entity("work", { id: "WORK-002", status: "ready" }, "Added", `## Notes\n\n${body}\n`);
  for (const branch of ["other", "main"]) {
    git(cwd, "checkout", "-q", branch);
    writeFiles(cwd, { "plan/work/WORK-002.md": added(`By ${branch}.`) });
    commitAll(cwd, "Add");
  }
  const tree = join(makeProject(), "tree");
  git(cwd, "worktree", "add", "-q", "-b", "third", tree, "main");
  git(join(tree, "plan/work"), "merge", "-q", "-m", "Merge", "other");
  assert.match(textOf(tree), /status="done" priority="low"/);
  const both = Deno.readTextFileSync(join(tree, "plan/work/WORK-002.md"));
  assert.equal(both.match(/## Notes/g)?.length, 1);
  assert.match(both, /By main\.[^]*By other\./);
});

Deno.test("what each side has renamed is left to the user, and not said to be deleted", async () => {
  const cwd = makeProject(planFile("WORK-001", { status: "ready" }));
  commitAll(cwd, "Plan");
  for (const [branch, name] of [["other", "theirs"], ["main", "ours"]] as const) {
    git(cwd, "checkout", "-q", ...(branch === "main" ? ["main"] : ["-b", branch]));
    git(cwd, "mv", FILE, `plan/work/${name}.md`);
    commitAll(cwd, `Rename on ${branch}`);
  }
  assert.throws(() => git(cwd, "merge", "-q", "other"));
  await inProcess(cwd, async ({ ok }) => {
    const { open } = await ok("plan_merge", { all: true });
    const reasons = open.map(({ path, reason }: Record<string, string>) => [path, reason]);
    const alone = "alone has a file of this name: resolve its markers by hand, if it has any, then";
    assert.equal(reasons.length, 3);
    assert.deepEqual(reasons[0], [FILE, "No side has a file of this name any more: run git rm"]);
    assert.ok(reasons[1][1].startsWith(`the checked-out branch ${alone}`), reasons[1].join());
    assert.match(reasons[2].join(), new RegExp(`theirs.md,\\w+ "Rename on other" ${alone}`));
  });
});
