import assert from "node:assert/strict";
import { join } from "node:path";
import {
  type Entry,
  FILE,
  FOLDER,
  gitPeak,
  gitProcesses,
  nestedTrees,
  writeObject,
  writeTree,
} from "../../../support/git_objects.ts";
import { commitAll, git, makeProject, SMALL_PLAN, writeFiles } from "../../../support/project.ts";
import { README_PERMISSIONS, type Session, withServer } from "../../../support/server.ts";
import { NOT_LINUX, testUnless } from "../../../support/skip.ts";

const blobOf = (cwd: string) => writeObject(cwd, "blob", "# x\n");
const file = (cwd: string): Entry => [FILE!, "x.md", blobOf(cwd)];
const numbered = (cwd: string, count: number): string => {
  const blob = blobOf(cwd);
  const names = Array.from({ length: count }, (_, index) => `${1_000_000 + index}.md`);
  return writeTree(cwd, names.map((name) => [FILE!, name, blob]));
};

/** Folders of the plan that git must not expand. */
const BOMBS: Readonly<Record<string, (cwd: string) => string>> = {
  "ten thousand million files": (cwd) => nestedTrees(cwd, 11, 10, file(cwd), (i) => `${i}.md`),
  "folders without a file": (cwd) => nestedTrees(cwd, 12, 10, [FOLDER!, "", writeTree(cwd, [])]),
  "modes that begin with zeros": (cwd) =>
    nestedTrees(cwd, 11, 10, file(cwd), (i) => `${i}`, "0040000"),
  "twenty levels": (cwd) => nestedTrees(cwd, 20, 1, file(cwd)),
  "paths of 60 kB": (cwd) =>
    nestedTrees(cwd, 15, 1, [FOLDER!, "", numbered(cwd, 5000)], () => "n".repeat(4000)),
  "200,001 files in one folder": (cwd) => numbered(cwd, 200_001),
};

/** Commits the plan with another folder in it, which is written by id. */
function commitWith(cwd: string, tree: string, parents: readonly string[]): string {
  const rows = git(cwd, "ls-tree", "HEAD:plan").split("\n").map((row): Entry => {
    const [, mode, hash, name] = /^(\d+) \w+ (\w+)\t(.*)$/.exec(row)!;
    return [mode === "040000" ? FOLDER! : mode!, name!, hash!];
  });
  const plan = writeTree(cwd, [...rows, [FOLDER!, "zzz", tree]]);
  const root = writeTree(cwd, [[FOLDER!, "plan", plan]]);
  const from = parents.flatMap((parent) => ["-p", parent]);
  return git(cwd, "commit-tree", root, ...from, "-m", "Grow");
}

const item = (id: string) =>
  SMALL_PLAN["plan/work/WORK-001-first.md"]!.replaceAll("WORK-001", () => id);

/** In the middle of the history, as a merge, on a branch, and as the commit of a worktree. */
function hostileRepository(bomb: (cwd: string) => string): { cwd: string; shas: string[] } {
  const cwd = makeProject(SMALL_PLAN);
  commitAll(cwd, "Begin");
  const tree = bomb(cwd);
  const begin = git(cwd, "rev-parse", "HEAD");
  const middle = commitWith(cwd, tree, [begin]);
  const merge = commitWith(cwd, tree, [middle, begin]);
  git(cwd, "update-ref", "refs/heads/main", merge);
  writeFiles(cwd, { "plan/work/WORK-010-later.md": item("WORK-010") });
  commitAll(cwd, "Remove it again");
  const head = git(cwd, "rev-parse", "HEAD");
  for (const name of ["evil", "evil-too"]) git(cwd, "branch", name, commitWith(cwd, tree, [head]));
  const good = "plan/work/WORK-002-second.md";
  git(cwd, "checkout", "-q", "-b", "good");
  writeFiles(cwd, { [good]: SMALL_PLAN[good]!.replace('"draft"', '"ready"') });
  commitAll(cwd, "Ready");
  git(cwd, "checkout", "-q", "main");
  // A checkout without its files.
  const folder = join(makeProject(), "tree");
  git(cwd, "worktree", "add", "-q", "--no-checkout", "--detach", folder, "evil");
  return { cwd, shas: [middle, merge] };
}

async function askAll({ ok }: Session, shas: readonly string[]): Promise<void> {
  const history = await ok("plan.history", { limit: 100 });
  const warnings = history.warnings.join("\n");
  for (const sha of shas) assert.ok(warnings.includes(sha.slice(0, 7)), warnings);
  const messages = history.commits.map((one: { message: string }) => one.message);
  assert.deepEqual(messages, ["Remove it again", "Begin"]);
  assert.match(history.commits[0].changes.join(), /^WORK-010[^,]*created/);
  await ok("plan.next");
  const { branches, items } = await ok("plan.list", { branches: true });
  assert.match(branches.leftOut.join("\n"), /evil: It has more than 200,000 files/);
  assert.match(JSON.stringify(items), /"branch":"good"/);
  await ok("plan.review");
  const sql = "SELECT count(*) AS n FROM events JOIN commits USING (hash) WHERE plan";
  const { rows, notes } = await ok("refrakt.query", { sql });
  assert.ok(rows[0][0] > 0);
  assert.match(JSON.stringify(notes), /more than 200,000 files/);
  const { id } = await ok("plan.create", { type: "work", title: "New" });
  assert.equal(id, "WORK-011");
}

for (const [name, bomb] of Object.entries(BOMBS)) {
  testUnless(NOT_LINUX, `${name} in a commit: it is left out, the rest is answered`, async () => {
    const { cwd, shas } = hostileRepository(bomb);
    await withServer(cwd, async (session) => {
      const peak = await gitPeak(cwd, () => askAll(session, shas));
      assert.ok(peak < 400, `${peak} MB`);
    }, { grants: README_PERMISSIONS });
    assert.deepEqual(gitProcesses(cwd), []);
  });
}

/** A commit whose root holds what HEAD does, and a hostile folder at a path. */
function commitAt(cwd: string, path: string, tree: string): string {
  const at = (folder: string, parts: readonly string[]): string => {
    const [name, ...rest] = parts;
    const rows = folder === "" ? [] : git(cwd, "ls-tree", folder).split("\n");
    const entries = rows.map((row): Entry => {
      const [, mode, hash, entry] = /^(\d+) \w+ (\w+)\t(.*)$/.exec(row)!;
      return [mode === "040000" ? FOLDER! : mode!, entry!, hash!];
    });
    const below = entries.find(([, entry]) => entry === name)?.[2] ?? "";
    const child = rest.length === 0 ? tree : at(below, rest);
    const kept = entries.filter(([, entry]) => entry !== name);
    return writeTree(cwd, [...kept, [FOLDER!, name!, child] as const].sort(byName));
  };
  const byName = (a: Entry, b: Entry) => a[1] < b[1] ? -1 : 1;
  return git(cwd, "commit-tree", at("HEAD", path.split("/")), "-p", "HEAD", "-m", "Grow");
}

const SITE = {
  "refrakt.config.json": JSON.stringify({
    contentDir: "content",
    theme: "@refrakt-md/lumina",
    target: "html",
    routeRules: [{ pattern: "**", layout: "default" }],
  }),
  "content/index.md": "# Home\n",
};
const isIn = (answer: unknown, text: RegExp) => assert.match(JSON.stringify(answer), text);

/** Where else git could expand such a folder, and what is asked there. */
const PLACES: Readonly<
  Record<string, readonly [path: string, put: Put, ask: (session: Session) => Promise<void>]>
> = {
  "HEAD's plan": ["plan/zzz", "HEAD", async ({ ok, call }) => {
    isIn(await ok("plan.history"), /Left out the commit .*200,000 files/);
    assert.ok((await ok("plan.next")).items.length > 0);
    await call("plan.list", { branches: true });
    await call("plan.claim", { id: "WORK-001", assignee: "ada" });
    await call("plan.review");
  }],
  "a stash": ["plan/zzz", "stash", async ({ ok }) => {
    await ok("plan.review");
    await ok("plan.list", { branches: true });
    await ok("plan.history", { id: "WORK-001" });
  }],
  "the pages of HEAD": ["content/zzz", "HEAD", async ({ call }) => {
    const answer = await call("refrakt.check", { changed: true });
    isIn(answer.content, /HEAD cannot be compared with: it has too many files/);
  }],
  "a folder of a sparse index": ["zzz", "index", async ({ ok }) => {
    await ok("refrakt.detect");
    await ok("plan.validate");
    await ok("plan.history");
  }],
};
type Put = "HEAD" | "stash" | "index";

for (const [place, [path, put, ask]] of Object.entries(PLACES)) {
  testUnless(NOT_LINUX, `in ${place}, ${path}: git reads no more than it names`, async () => {
    const cwd = makeProject({ ...SMALL_PLAN, ...SITE });
    commitAll(cwd, "Begin");
    const bomb = nestedTrees(cwd, 11, 10, file(cwd), (index) => `${index}.md`);
    const commit = commitAt(cwd, path, bomb);
    if (put === "stash") git(cwd, "update-ref", "refs/stash", commit);
    else git(cwd, "update-ref", "refs/heads/main", commit);
    if (put === "index") {
      git(cwd, "sparse-checkout", "set", "--cone", "--sparse-index", "plan", "content");
      git(cwd, "read-tree", "-m", "HEAD");
      assert.match(git(cwd, "ls-files", "--sparse"), /^zzz\/$/m);
    }
    await withServer(cwd, async (session) => {
      const peak = await gitPeak(cwd, () => ask(session));
      assert.ok(peak < 400, `${peak} MB`);
    }, { grants: README_PERMISSIONS });
    assert.deepEqual(gitProcesses(cwd), []);
  });
}
