import assert from "node:assert/strict";
import { join } from "node:path";
import {
  commitAll,
  entity,
  git,
  makeProject,
  onBranch,
  planFile,
  writeFiles,
} from "../../../support/project.ts";
import { inProcess } from "../../../support/in_process.ts";
import { type Asked, withServer } from "../../../support/server.ts";
import { itemsOf } from "../../../support/rows.ts";

const item = (id: string, attributes: Record<string, string> = {}, title?: string) =>
  planFile(id, { status: "ready", ...attributes }, "", title);
const going = { status: "in-progress", assignee: "ada" };

/** What several calls say that they could not read, by tool. */
async function uncheckedBy({ ok, call, client }: Asked): Promise<Record<string, string>> {
  const board = await call("plan_board", { show: "cards" });
  const now = await call("plan_board", { show: "now" });
  const prompt = async (name: string, args: Record<string, string>) =>
    JSON.stringify(await client.getPrompt({ name, arguments: args })).match(/Not checked: (.*?)\\n/)
      ?.[1];
  const notes = async (sql: string) => (await ok("refrakt_query", { sql })).notes?.join();
  return JSON.parse(JSON.stringify({
    next: (await ok("plan_next")).unchecked,
    status: (await ok("plan_status")).unchecked,
    validate: (await ok("plan_validate")).unchecked,
    get: (await ok("plan_get", { id: "WORK-001" })).unchecked,
    list: (await ok("plan_list", { fields: ["blockedBy"] })).unchecked,
    branches: (await ok("plan_list", { branches: true })).branches.leftOut?.join(),
    board: board.structuredContent.unchecked,
    // deno-lint-ignore no-explicit-any -- the data of a view
    now: (now._meta!["refrakt/board"] as any).notes.join() || undefined,
    offered: await notes("select id from entities where offered"),
    elsewhere: await notes("select id from elsewhere"),
    work: await prompt("plan_work", { id: "WORK-001" }),
    spec: await prompt("plan_spec", { title: "Tables" }),
    triage: await prompt("plan_triage", {}),
    nextId: (await ok("plan_next_id", { type: "work" })).unchecked,
    create: (await ok("plan_create", { type: "bug", title: "One" })).unchecked,
  }));
}

Deno.test("while git fails, every answer says so, and plan_claim refuses", async () => {
  const cwd = makeProject({ ...item("WORK-001"), ...item("WORK-002"), ...item("WORK-003") });
  commitAll(cwd, "Begin");
  onBranch(cwd, "feature/x", item("WORK-002", going));
  const [objects, away] = [join(cwd, ".git/objects"), join(cwd, ".git/away")];
  Deno.renameSync(objects, away);
  await inProcess(cwd, async (session) => {
    const { ok, call } = session;
    const said = await uncheckedBy(session);
    assert.equal(Object.keys(said).length, 15, JSON.stringify(said));
    for (const [name, text] of Object.entries(said)) {
      assert.match(text, /Branches and worktrees: The git repository is damaged/, name);
    }
    // What does not depend on it says nothing.
    assert.equal((await ok("plan_list")).unchecked, undefined);
    const refused = await call("plan_claim", { assignee: "bob" });
    assert.equal(refused.errorCode, "UNKNOWN_ELSEWHERE");
    assert.match(refused.hint!, /^Nothing was written\. .*anyway: true/);
    const claimed = await ok("plan_claim", { assignee: "bob", anyway: true });
    assert.match(claimed.unchecked, /^Branches and worktrees: /);
    const { id } = claimed.items[0];
    assert.equal((await ok("plan_get", { id })).unchecked, claimed.unchecked);
    // What one has needs no view of others, and neither does a release.
    await ok("plan_claim", { assignee: "bob", id, release: true });
    const renumbered = await ok("plan_rename", { kind: "id", from: "WORK-003" });
    assert.match(renumbered.unchecked, /^Branches and worktrees: /);
    const withoutHistory = async () => {
      assert.match((await call("plan_history")).content[0].text, /is damaged/);
      assert.match((await ok("plan_review")).notChecked[0], /is damaged/);
    };
    await withoutHistory();
    // The failure is remembered until a ref changes.
    Deno.renameSync(away, objects);
    assert.match((await ok("plan_next")).unchecked, /^Branches and worktrees: /);
    await withoutHistory();
    git(cwd, "branch", "other");
    assert.equal((await ok("plan_history")).total, 3);
    assert.equal((await ok("plan_review")).notChecked, undefined);
    assert.deepEqual(await uncheckedBy(session), {});
    assert.match((await ok("plan_get", { id: "WORK-002" })).taken, /on "feature\/x" by "ada"$/);
    const { items, note, unchecked } = await ok("plan_claim", { assignee: "eve", id: "WORK-002" });
    assert.deepEqual([items[0].id, unchecked], ["WORK-002", undefined]);
    assert.equal(note, 'Elsewhere it is in-progress on "feature/x" by "ada"');
  });
});

Deno.test("a worktree beside the project is said to be unread, with the permission that reads it", async () => {
  const source = makeProject({ ...item("WORK-001"), ...item("WORK-002"), ...item("WORK-003") });
  commitAll(source, "Begin");
  const root = makeProject();
  git(root, "clone", "-q", "--bare", source, "plan.git");
  const bare = join(root, "plan.git");
  const [own, other, copy] = [join(root, "own"), join(root, "ot,her"), join(root, "copy")];
  git(bare, "worktree", "add", "-q", "-b", "own", own);
  git(bare, "worktree", "add", "-q", "-b", "other", other);
  git(bare, "worktree", "add", "-q", "-f", copy, "other");
  git(bare, "worktree", "add", "-q", "--detach", join(root, "removed"));
  Deno.removeSync(join(root, "removed"), { recursive: true });
  writeFiles(other, { ...item("WORK-001", going), ...item("WORK-009") });
  // A comma cannot be a part of a path in a flag.
  const flags = ["--allow-read=..", "--allow-read=../copy/plan"];
  await withServer(own, async ({ ok }) => {
    const { unchecked } = await ok("plan_next");
    assert.deepEqual(
      [...unchecked.matchAll(/add (.*?)\)/g)].map(([, flag]) => flag).sort(),
      flags,
    );
    assert.equal((await ok("plan_next_id", { type: "work" })).unchecked, unchecked);
    const { items, ...claim } = await ok("plan_claim", { assignee: "bob", id: "WORK-002" });
    assert.deepEqual([items[0].id, claim.unchecked], ["WORK-002", unchecked]);
  });
  await inProcess(own, async ({ ok }) => {
    const { items, unchecked } = await ok("plan_next");
    assert.deepEqual([items[0].id, unchecked], ["WORK-003", undefined]);
    const { nextId, unchecked: none } = await ok("plan_next_id", { type: "work" });
    assert.deepEqual([nextId, none], ["WORK-010", undefined]);
    const claim = await ok("plan_claim", { assignee: "bob" });
    assert.match(claim.note, /WORK-001 \(in-progress in "\.\.\/ot,her" by "ada"\)/);
    assert.deepEqual([claim.items[0].id, claim.unchecked], ["WORK-003", undefined]);
  });
});

Deno.test("an entity that was renumbered here or there is one entity; others of its id are not", async () => {
  const cwd = makeProject({ ...item("WORK-001"), ...item("WORK-002"), ...item("WORK-003") });
  commitAll(cwd, "Begin");
  // There: WORK-001 is WORK-011 now. Here: WORK-002 is WORK-012 now.
  git(cwd, "checkout", "-q", "-b", "there");
  git(cwd, "rm", "-q", "plan/work/WORK-001.md");
  writeFiles(cwd, item("WORK-011", going, "Item WORK-001"));
  writeFiles(cwd, item("WORK-002", going));
  // Another entity has the id that one gets here.
  writeFiles(cwd, item("WORK-004", going, "Something else"));
  Deno.renameSync(join(cwd, "plan/work/WORK-004.md"), join(cwd, "plan/work/WORK-004-else.md"));
  commitAll(cwd, "Renumber");
  git(cwd, "checkout", "-q", "main");
  git(cwd, "mv", "plan/work/WORK-002.md", "plan/work/WORK-012.md");
  writeFiles(cwd, { ...item("WORK-012", {}, "Item WORK-002"), ...item("WORK-004") });
  commitAll(cwd, "Renumber here");
  await inProcess(cwd, async ({ ok }) => {
    const items = itemsOf(
      await ok("plan_list", { status: "ready", fields: ["taken"], branches: true }),
    );
    assert.deepEqual(
      items.flatMap(({ id, taken }: { id: string; taken?: string }) => taken ? [[id, taken]] : []),
      [
        ["WORK-001", 'in-progress on "there" by "ada" as WORK-011'],
        ["WORK-012", 'in-progress on "there" by "ada" as WORK-002'],
      ],
    );
    const next = await ok("plan_next", { count: 9 });
    assert.deepEqual(next.items.map(({ id }: { id: string }) => id), ["WORK-003", "WORK-004"]);
    const { groups } = await ok("plan_validate", { type: "id-on-two-branches" });
    assert.deepEqual(groups.map(({ ids }: { ids: string[] }) => ids), [["WORK-004"]]);
  });
});

Deno.test("nobody is offered an item whose id several files have, and every answer says why", async () => {
  const cwd = makeProject({
    ...item("WORK-001"),
    // Before the other in the order of paths, but not in the folder of its type.
    "plan/bugs/again.md": entity("work", { id: "WORK-001", status: "ready" }, "Again", ""),
    ...item("WORK-002"),
    "plan/m/one.md": entity("milestone", { name: "v1" }, "One", ""),
    "plan/m/two.md": entity("milestone", { name: "v1" }, "Two", ""),
  });
  commitAll(cwd, "Begin");
  const double = /2 files have the id WORK-001: "work\/.*", "bugs\/.*"; plan_rename /;
  await inProcess(cwd, async ({ ok, call, client }) => {
    const ids = (items: { id: string }[] = []) => items.map(({ id }) => id);
    const next = await ok("plan_next", { count: 5, explain: true });
    assert.deepEqual(ids(next.withheldItems), ["WORK-001", "WORK-001"]);
    assert.match(next.withheldItems[0].reason, double);
    assert.match(
      next.note,
      /2 without an id of their own, or in conflict \(WORK-001: plan_validate\)/,
    );
    const list = await ok("plan_list", { fields: ["path"] });
    assert.match(list.note, double);
    const paths = itemsOf(list).map(({ path }) => path);
    assert.deepEqual(paths.slice(0, 2), ["plan/work/WORK-001.md", "plan/bugs/again.md"]);
    assert.match((await ok("plan_history", { id: "WORK-001" })).warnings.join(), double);
    assert.match((await ok("plan_review", { id: "WORK-001" })).notChecked.join(), double);
    const prompt = await client.getPrompt({ name: "plan_work", arguments: { id: "WORK-001" } });
    assert.match(JSON.stringify(prompt.messages), /2 files have the id WORK-001/);
    for (const name of ["plan_update", "plan_claim"]) {
      const { errorCode, content } = await call(name, { id: "WORK-001", assignee: "ada" });
      assert.equal(errorCode, "CONFLICT", name);
      assert.match(content[0].text, /2 files have the id WORK-001/);
    }
    // What another number cannot mend is mended by hand.
    const { hint } = await call("plan_update", { id: "v1", status: "active" });
    assert.match(hint!, /change the name in the first line of one by hand/);
    assert.match((await ok("plan_get", { id: "WORK-001" })).note, double);
    const { items, note } = await ok("plan_claim", { assignee: "bob" });
    assert.deepEqual([items[0].id, note], ["WORK-002", "Skipped: WORK-001 (2 files have this id)"]);
    const file = "plan/bugs/again.md";
    await ok("plan_rename", { kind: "id", from: "WORK-001", file, to: "WORK-003" });
    const { items: free } = await ok("plan_next", { count: 5 });
    assert.deepEqual(ids(free).sort(), ["WORK-001", "WORK-003"]);
  });
});

Deno.test("plan_get tells one state of a file that an editor saves meanwhile", async () => {
  const cwd = makeProject();
  const path = join(cwd, "plan/work/WORK-001.md");
  let version = 0;
  const save = () => {
    const name = `v${++version}`;
    const attributes = { id: "WORK-001", status: "ready", milestone: name };
    writeFiles(cwd, { "plan/new.tmp": entity("work", attributes, name, `- [ ] ${name}\n`) });
    Deno.mkdirSync(join(path, ".."), { recursive: true });
    Deno.renameSync(join(cwd, "plan/new.tmp"), path);
  };
  save();
  commitAll(cwd, "Begin");
  await inProcess(cwd, async ({ ok }) => {
    await ok("plan_get", { id: "WORK-001" });
    const timer = setInterval(save, 50);
    try {
      for (let call = 0; call < 30 || version < 5; call++) {
        const { title, attributes, criteria } = await ok("plan_get", { id: "WORK-001" });
        assert.deepEqual([attributes.milestone, criteria[0].text], [title, title]);
      }
    } finally {
      clearInterval(timer);
    }
  });
});
