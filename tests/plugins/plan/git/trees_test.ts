import assert from "node:assert/strict";
import { join } from "node:path";
import {
  addHistory,
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
import { inProcess } from "../../../support/in_process.ts";
import type { Asked } from "../../../support/server.ts";
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
  "modes that begin with zeros": (cwd) =>
    nestedTrees(cwd, 11, 10, file(cwd), (i) => `${i}`, "0040000"),
  "ten thousand million files": (cwd) => nestedTrees(cwd, 11, 10, file(cwd), (i) => `${i}.md`),
  "folders without a file": (cwd) => nestedTrees(cwd, 12, 10, [FOLDER!, "", writeTree(cwd, [])]),
  "twenty levels, of which a branch has fourteen": (cwd) => {
    const inner = nestedTrees(cwd, 14, 1, file(cwd));
    git(cwd, "branch", "shallow", commitAt(cwd, "plan/zzz", inner));
    return nestedTrees(cwd, 6, 1, [FOLDER!, "", inner]);
  },
  "paths of 60 kB": (cwd) =>
    nestedTrees(cwd, 15, 1, [FOLDER!, "", numbered(cwd, 5000)], () => "n".repeat(4000)),
  "200,001 files in one folder": (cwd) => numbered(cwd, 200_001),
};

const rowsOf = (cwd: string, tree: string) =>
  git(cwd, "ls-tree", tree).split("\n").map((row): Entry => {
    const [, mode, hash, name] = /^(\d+) \w+ (\w+)\t(.*)$/.exec(row)!;
    return [mode === "040000" ? FOLDER! : mode!, name!, hash!];
  });
const byName = (a: Entry, b: Entry) => a[1] < b[1] ? -1 : 1;

/** A commit whose root holds what HEAD does, and a hostile folder at a path. */
function commitAt(
  cwd: string,
  path: string,
  tree: string,
  parents: readonly string[] = ["HEAD"],
): string {
  const at = (folder: string, parts: readonly string[]): string => {
    const [name, ...rest] = parts;
    const entries = folder === "" ? [] : rowsOf(cwd, folder);
    const below = entries.find(([, entry]) => entry === name)?.[2] ?? "";
    const child = rest.length === 0 ? tree : at(below, rest);
    const kept = entries.filter(([, entry]) => entry !== name);
    return writeTree(cwd, [...kept, [FOLDER!, name!, child] as const].sort(byName));
  };
  const from = parents.flatMap((parent) => ["-p", parent]);
  return git(cwd, "commit-tree", at("HEAD", path.split("/")), ...from, "-m", "Grow");
}

const item = (id: string) =>
  SMALL_PLAN["plan/work/WORK-001-first.md"]!.replaceAll("WORK-001", () => id);

/** Each bomb somewhere: in the middle of the history, as a merge, on branches, in a worktree. */
function hostileRepository(): { cwd: string; shas: string[]; branches: string[] } {
  const cwd = makeProject(SMALL_PLAN);
  commitAll(cwd, "Begin");
  const begin = git(cwd, "rev-parse", "HEAD");
  const [first, second, ...others] = Object.values(BOMBS).map((bomb) => bomb(cwd));
  const middle = commitAt(cwd, "plan/zzz", first!, [begin]);
  const merge = commitAt(cwd, "plan/zzz", second!, [middle, begin]);
  git(cwd, "update-ref", "refs/heads/main", merge);
  writeFiles(cwd, { "plan/work/WORK-010-later.md": item("WORK-010") });
  commitAll(cwd, "Remove it again");
  const head = git(cwd, "rev-parse", "HEAD");
  const branches = others.map((tree, index) => {
    git(cwd, "branch", `evil-${index}`, commitAt(cwd, "plan/zzz", tree, [head]));
    return `evil-${index}`;
  });
  const good = "plan/work/WORK-002-second.md";
  git(cwd, "checkout", "-q", "-b", "good");
  writeFiles(cwd, { [good]: SMALL_PLAN[good]!.replace('"draft"', '"ready"') });
  commitAll(cwd, "Ready");
  git(cwd, "checkout", "-q", "main");
  // A checkout without its files.
  const folder = join(makeProject(), "tree");
  git(cwd, "worktree", "add", "-q", "--no-checkout", "--detach", folder, branches[0]!);
  return { cwd, shas: [middle, merge], branches };
}

testUnless(
  NOT_LINUX,
  "commits that name too many files are left out, the rest is answered",
  async () => {
    const { cwd, shas, branches: evil } = hostileRepository();
    await inProcess(cwd, async ({ ok }) => {
      const peak = await gitPeak(cwd, async () => {
        const history = await ok("plan_history", { limit: 100 });
        const warnings = history.warnings.join("\n");
        for (const sha of shas) assert.ok(warnings.includes(sha.slice(0, 7)), warnings);
        const messages = history.commits.map((one: { message: string }) => one.message);
        assert.deepEqual(messages, ["Remove it again", "Begin"]);
        assert.match(history.commits[0].changes.join(), /^WORK-010[^,]*created/);
        await ok("plan_next");
        const list = await ok("plan_list", { branches: true });
        const leftOut = list.branches.leftOut.join("\n");
        for (const name of evil) {
          assert.match(leftOut, new RegExp(`"${name}": It has .*(?:200,000|at most)`));
        }
        assert.match(JSON.stringify(list.rows), /"branch":"good"/);
        await ok("plan_review");
        const sql = "SELECT count(*) AS n FROM events JOIN commits USING (hash) WHERE plan";
        const { rows, notes } = await ok("refrakt_query", { sql });
        assert.ok(rows[0][0] > 0);
        assert.match(JSON.stringify(notes), /files below the folder, at most 200,000/);
        assert.equal((await ok("plan_create", { type: "work", title: "New" })).id, "WORK-011");
      });
      assert.ok(peak < 400, `${peak} MB`);
    });
    assert.deepEqual(gitProcesses(cwd), []);
  },
);

const SITE = {
  "refrakt.config.json": JSON.stringify({
    contentDir: "content",
    theme: "@refrakt-md/lumina",
    target: "html",
    routeRules: [{ pattern: "**", layout: "default" }],
  }),
  "content/index.md": "# Home\n",
};

/** Every question whose answer depends on git. */
async function askEverything({ ok }: Asked): Promise<string> {
  const { rows } = await ok("refrakt_query", { sql: "SELECT DISTINCT name FROM tables" });
  const counts = (rows as [string][]).map(([table]) => `(SELECT count(*) FROM ${table})`);
  const answers: unknown[] = [await ok("refrakt_query", { sql: `SELECT ${counts}` })];
  const { items } = await ok("plan_next");
  assert.equal(items[0].id, "WORK-001");
  answers.push(items, await ok("plan_history", { id: "WORK-001" }), await ok("plan_history"));
  answers.push(await ok("plan_list", { claimed: true }), await ok("plan_review"));
  const { branches } = await ok("plan_list", { branches: true });
  answers.push(branches, await ok("plan_claim", { id: "WORK-001", assignee: "ada" }));
  answers.push(await ok("plan_get", { id: "WORK-001" }), await ok("plan_validate"));
  return JSON.stringify(answers);
}

/** More branches of a remote than are read; none is in HEAD. */
function addBranches(cwd: string): void {
  const head = git(cwd, "rev-parse", "HEAD");
  addHistory(cwd, "plan/work/WORK-003-third.md", 2, 250);
  git(cwd, "update-ref", "refs/heads/main", head);
  const packed = join(cwd, ".git/packed-refs");
  const refs = Deno.readTextFileSync(packed).replaceAll("/heads/", () => "/remotes/");
  Deno.writeTextFileSync(packed, refs);
}

interface Place {
  /** Where the folder is. */
  readonly path: string;
  /** What names its commit. */
  readonly put: "HEAD" | "index" | `refs/${string}`;
  readonly change?: (cwd: string) => void;
  readonly ask?: (session: Asked) => Promise<string>;
  readonly says?: RegExp;
}

/** Where else git could expand such a folder. */
const PLACES: Readonly<Record<string, Place>> = {
  "the pages of HEAD": {
    path: "content/zzz",
    put: "HEAD",
    ask: async ({ call }) =>
      JSON.stringify((await call("refrakt_check", { since: "HEAD" })).content),
    says: /HEAD\\" cannot be compared with: It has [\d,]+ files .*, at most 200,000/,
  },
  "a folder of a sparse index": {
    path: "zzz",
    put: "index",
    ask: async ({ ok }) => JSON.stringify([await ok("refrakt_detect"), await ok("plan_history")]),
  },
  "a branch of a remote, of which there are many": {
    path: "plan/zzz",
    put: "refs/remotes/origin/evil",
    change: addBranches,
    says: /origin\/evil\\": It has [\d,]+ files.*there are 2\d\d branches, at most 200/,
  },
};

for (const [name, { path, put, change, ask, says }] of Object.entries(PLACES)) {
  testUnless(NOT_LINUX, `in ${name}, ${path}: git reads no more than it names`, async () => {
    const cwd = makeProject({ ...SMALL_PLAN, ...SITE });
    commitAll(cwd, "Begin");
    const bomb = nestedTrees(cwd, 11, 10, file(cwd), (index) => `${index}.md`);
    const commit = commitAt(cwd, path, bomb);
    git(cwd, "update-ref", put.startsWith("refs/") ? put : "refs/heads/main", commit);
    if (put.startsWith("refs/")) git(cwd, "update-ref", "refs/stash", commit);
    change?.(cwd);
    if (put === "index") {
      git(cwd, "sparse-checkout", "set", "--cone", "--sparse-index", "plan", "content");
      git(cwd, "read-tree", "-m", "HEAD");
      assert.match(git(cwd, "ls-files", "--sparse"), /^zzz\/$/m);
    }
    await inProcess(cwd, async (session) => {
      let answer = "";
      const peak = await gitPeak(cwd, async () => {
        answer = await (ask ?? askEverything)(session);
      });
      if (says !== undefined) assert.match(answer, says);
      assert.ok(peak < 400, `${peak} MB`);
    });
    assert.deepEqual(gitProcesses(cwd), []);
  });
}
