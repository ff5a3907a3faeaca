/** Histories whose parts are within the limits, and whose sums are not. */

import assert from "node:assert/strict";
import { join } from "node:path";
import {
  FILE,
  FOLDER,
  gitPeak,
  nestedTrees,
  writeCommit,
  writeObject,
  writeTree,
} from "../../../support/git_objects.ts";
import {
  commitAll,
  git,
  makeProject,
  planFile,
  SMALL_PLAN,
  writeFiles,
} from "../../../support/project.ts";
import { inProcess } from "../../../support/in_process.ts";
import { withServer } from "../../../support/server.ts";
import { NOT_LINUX, testUnless } from "../../../support/skip.ts";
import { itemsOf } from "../../../support/rows.ts";

const PLAN = { ...SMALL_PLAN, ...planFile("WORK-003", { status: "ready" }) };
const FIRST = "plan/work/WORK-001-first.md";
const SECOND = "plan/work/WORK-002-second.md";

/** Commits a status of an entity. */
function commitStatus(cwd: string, path: string, status: string): string {
  const text = SMALL_PLAN[path]!.replace(/status="[^"]*"/, () => `status="${status}"`);
  writeFiles(cwd, { [path]: text });
  commitAll(cwd, `${path.slice(10, 18)} is ${status}`);
  return git(cwd, "rev-parse", "HEAD");
}

/** The tree of HEAD with another folder in the plan. */
function treeWith(cwd: string, name: string, folder: string): string {
  const entriesOf = (tree: string) =>
    git(cwd, "ls-tree", tree).split("\n").map((row) => {
      const [, mode, hash, name] = /^(\d+) \w+ (\w+)\t(.*)$/.exec(row)!;
      return [mode === "040000" ? FOLDER! : mode!, name!, hash!] as const;
    });
  const others = entriesOf("HEAD:plan").filter(([, entry]) => entry !== name);
  const plan = writeTree(cwd, [...others, [FOLDER!, name, folder] as const]);
  const root = entriesOf("HEAD").map((entry) =>
    entry[1] === "plan" ? [FOLDER!, "plan", plan] as const : entry
  );
  return writeTree(cwd, root);
}

const bytes = (text: string) => new TextEncoder().encode(text);

function moveHead(cwd: string, commit: string): void {
  git(cwd, "update-ref", "refs/heads/main", commit);
  git(cwd, "reset", "-q", "--hard");
}

const messagesOf = ({ commits }: { commits: { message: string }[] }) =>
  commits.map(({ message }) => message);

testUnless(
  NOT_LINUX,
  "commits that change too many files together are left out by name, the others are told",
  async () => {
    const cwd = makeProject(PLAN);
    commitAll(cwd, "Begin");
    const tree = git(cwd, "rev-parse", "HEAD^{tree}");
    const evil = Array.from({ length: 3 }, (_, index) => {
      const blob = writeObject(cwd, "blob", `# ${index}\n`);
      // 58 x 58 x 58 files: 195,112, of at most 200,000.
      const folder = nestedTrees(cwd, 3, 58, [FILE!, "", blob], (at) => `${index}-${at}.md`);
      const hash = writeCommit(
        cwd,
        treeWith(cwd, "zzz", folder),
        [git(cwd, "rev-parse", "HEAD")],
        bytes(`Evil ${index}\n`),
      );
      git(cwd, "update-ref", "refs/heads/main", hash);
      git(cwd, "branch", `evil-${index}`);
      return hash;
    });
    moveHead(cwd, writeCommit(cwd, tree, [evil[2]!], bytes("Remove\n")));
    commitStatus(cwd, FIRST, "done");
    await inProcess(cwd, async ({ ok }) => {
      const peak = await gitPeak(cwd, async () => {
        const history = await ok("plan_history");
        assert.deepEqual(messagesOf(history), ["WORK-001 is done", "Begin"]);
        const [warning] = history.warnings;
        assert.match(warning, /^Left out commits .*: More than 100,000 files differ/);
        for (const hash of evil) assert.ok(warning.includes(hash.slice(0, 7)), warning);
        await ok("plan_claim", { id: "WORK-003", assignee: "ada" });
        await ok("plan_list", { branches: true });
        await ok("plan_review");
      });
      assert.ok(peak < 400, `${peak} MB`);
    });
  },
);

testUnless(
  NOT_LINUX,
  "a commit whose message is too large for git is left out by name, what it contains is not",
  async () => {
    const cwd = makeProject(PLAN);
    commitAll(cwd, "Begin");
    const begin = git(cwd, "rev-parse", "HEAD");
    commitStatus(cwd, FIRST, "in-progress");
    const large = writeCommit(
      cwd,
      git(cwd, "rev-parse", "HEAD^{tree}"),
      [git(cwd, "rev-parse", "HEAD")],
      new Uint8Array(140_000_000).fill(0x78),
    );
    moveHead(cwd, large);
    commitStatus(cwd, FIRST, "done");
    git(cwd, "branch", "large", large);
    git(cwd, "checkout", "-q", "-b", "fork", begin);
    commitStatus(cwd, SECOND, "ready");
    git(cwd, "checkout", "-q", "-b", "after", large);
    commitStatus(cwd, SECOND, "in-progress");
    git(cwd, "checkout", "-q", "main");
    const name = large.slice(0, 7);
    await withServer(cwd, async ({ ok }) => {
      const history = await ok("plan_history");
      assert.deepEqual(messagesOf(history), [
        "WORK-001 is done",
        "WORK-001 is in-progress",
        "Begin",
      ]);
      assert.match(history.warnings.join(), new RegExp(`Left out the commit ${name}: .*256 kB`));
      const { events } = await ok("plan_history", { id: "WORK-001", since: begin });
      assert.equal(events.length, 2);
      const { branches, ...list } = await ok("plan_list", { branches: true });
      assert.match(branches.leftOut.join(), new RegExp(`The branch "large": its commit ${name}`));
      const second = JSON.stringify(itemsOf(list).find(({ id }) => id === "WORK-002"));
      assert.match(second, /"branch":"after".*"branch":"fork"|"branch":"fork".*"branch":"after"/);
      const claim = await ok("plan_claim", { id: "WORK-003", assignee: "ada" });
      assert.match(claim.unchecked, new RegExp(name));
      await ok("plan_review");
      const { rows } = await ok("refrakt_query", { sql: "select message from commits order by n" });
      assert.deepEqual(rows.map(([message]: [string]) => message), messagesOf(history));
    });
    // The same where it is checked out.
    git(cwd, "reset", "-q", "--hard", large);
    await withServer(cwd, async ({ ok }) => {
      const history = await ok("plan_history");
      assert.deepEqual(messagesOf(history), ["WORK-001 is in-progress", "Begin"]);
      assert.match(history.warnings.join(), new RegExp(name));
      const next = await ok("plan_create", { type: "work", title: "New" });
      assert.match(next.id, /^WORK-\d+$/);
    });
  },
);

Deno.test("messages that are too long together are read as far as the limit, the newest first", async () => {
  const cwd = makeProject(PLAN);
  commitAll(cwd, "Begin");
  const tree = git(cwd, "rev-parse", "HEAD^{tree}");
  const body = `WORK-001\n\n${"x".repeat(200_000)}`;
  const stream = Array.from({ length: 400 }, (_, index) =>
    [
      `commit refs/heads/main`,
      `mark :${index + 1}`,
      `committer Ada <ada@example.com> ${1_800_000_000 + index} +0000`,
      `data ${body.length}`,
      body,
      index === 0 ? `from ${git(cwd, "rev-parse", "HEAD")}` : `from :${index}`,
      "",
      "",
    ].join("\n")).join("");
  const file = join(cwd, ".git/stream");
  Deno.writeTextFileSync(file, stream);
  const command = ["-c", `git fast-import --quiet < "${file}"`];
  assert.equal(new Deno.Command("sh", { args: command, cwd }).outputSync().code, 0);
  assert.equal(git(cwd, "rev-parse", "HEAD^{tree}"), tree);
  await inProcess(cwd, async ({ ok }) => {
    const sql = "select count(*) from commits";
    const { rows: [[count]], notes } = await ok("refrakt_query", { sql });
    assert.ok(count > 300 && count < 400, `${count}`);
    assert.match(
      notes.join(),
      /Left out commits .* and \d+ more: All commits have [\d,]+ bytes of text, at most 67,108,864/,
    );
    // They change no file of the plan.
    const history = await ok("plan_history");
    assert.deepEqual(messagesOf(history), ["Begin"]);
    assert.equal(history.warnings, undefined);
    await ok("plan_review");
  });
});

Deno.test("names in trees that no system checks out are no paths", async () => {
  const cwd = makeProject(PLAN);
  commitAll(cwd, "Begin");
  const head = git(cwd, "rev-parse", "HEAD");
  const text = SMALL_PLAN[FIRST]!.replaceAll("WORK-001", () => "WORK-666");
  const blob = writeObject(cwd, "blob", text);
  const folder = writeTree(cwd, [[FILE!, "x.md", blob]]);
  const names = ["..", ".git", ".GIT", ".", "a\\b", "C:"];
  for (const [index, name] of names.entries()) {
    const tree = treeWith(cwd, name, folder);
    git(cwd, "branch", `names-${index}`, writeCommit(cwd, tree, [head], bytes("Names\n")));
  }
  const plain = treeWith(cwd, "zzz", folder);
  git(cwd, "branch", "plain", writeCommit(cwd, plain, [head], bytes("Plain\n")));
  await inProcess(cwd, async ({ ok }) => {
    const items = itemsOf(await ok("plan_list", { branches: true }));
    const found = items.find(({ id }: { id: string }) => id === "WORK-666");
    assert.match(JSON.stringify(found), /"plain"/);
    assert.doesNotMatch(JSON.stringify(found), /names-/);
    const history = await ok("plan_history", { workingTree: true, summary: true, since: "1y" });
    assert.doesNotMatch(JSON.stringify(history), /names-|\.\.\/x/);
    for (const index of names.keys()) {
      const { changes } = await ok("plan_history", { compare: [`names-${index}`] });
      assert.deepEqual(changes ?? [], []);
    }
  });
});

Deno.test("others have their turn while a long history is read", async () => {
  const cwd = makeProject(PLAN);
  commitAll(cwd, "Begin");
  const item = SMALL_PLAN[FIRST]!;
  const blobs = Array.from({ length: 4000 }, (_, index) => {
    const text = item.replace(/status="[^"]*"/, `status="${index % 2 ? "ready" : "draft"}"`);
    return `${text}\nVersion ${index}.\n`;
  });
  const stream = blobs.map((text, index) =>
    [
      `commit refs/heads/main`,
      `mark :${index + 1}`,
      `committer Ada <ada@example.com> ${1_800_000_000 + index} +0000`,
      "data 1",
      "x",
      index === 0 ? `from ${git(cwd, "rev-parse", "HEAD")}` : `from :${index}`,
      `M 644 inline ${FIRST}`,
      `data ${new TextEncoder().encode(text).length}`,
      text,
      "",
    ].join("\n")
  ).join("");
  const file = join(cwd, ".git/stream");
  Deno.writeTextFileSync(file, stream);
  const command = ["-c", `git fast-import --quiet < "${file}" && git reset -q --hard`];
  assert.equal(new Deno.Command("sh", { args: command, cwd }).outputSync().code, 0);
  await inProcess(cwd, async ({ ok }) => {
    let turns = 0;
    let last = performance.now();
    let longest = 0;
    const timer = setInterval(() => {
      turns++;
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 10);
    const start = performance.now();
    const { total } = await ok("plan_history", { id: "WORK-001" });
    const took = performance.now() - start;
    clearInterval(timer);
    assert.equal(total, 4001);
    assert.ok(turns > 5 && longest < took / 2, `${turns} turns, ${longest} of ${took} ms`);
  });
});

Deno.test("authors keep their names where the file of other names is too large for git", async () => {
  const lines = (name: string) => `${name} <ada@example.com> <ada@example.com>\n`;
  const cwd = makeProject({ ...PLAN, ".mailmap": lines("Other") });
  commitAll(cwd, "Begin", "--author=Ada <ada@example.com>");
  const authors = async () => {
    let names: string[] = [];
    await inProcess(cwd, async ({ ok }) => {
      const { commits } = await ok("plan_history");
      names = commits.map(({ author }: { author: string }) => author);
    });
    return names;
  };
  assert.deepEqual(await authors(), ["Other"]);
  // Git reads a million lines in minutes.
  const line = (index: number) => `Name <n${index}@example.com> <o${index}@example.com>\n`;
  const many = Array.from({ length: 1_000_000 }, (_, index) => line(index)).join("");
  writeFiles(cwd, { ".mailmap": lines("Other") + many });
  assert.deepEqual(await authors(), ["Ada"]);
});
