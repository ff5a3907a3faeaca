import assert from "node:assert/strict";
import { join } from "node:path";
import {
  commitAll,
  entity,
  git,
  makeProject,
  SMALL_PLAN,
  writeFiles,
} from "../../support/project.ts";
import { inProcess } from "../../support/in_process.ts";
import { type Asked } from "../../support/server.ts";

interface Event {
  kind: string;
  file: string;
  date: string;
  author: string;
  message: string;
  hash: string;
  shortHash: string;
  initialAttributes?: Record<string, string>;
  attributeChanges?: { field: string; from: string | null; to: string | null }[];
  criteriaChanges?: { text: string; action: string }[];
  sections?: string[];
  renamedFrom?: string;
}

const FIRST = "plan/work/WORK-001-first.md";
const first = SMALL_PLAN[FIRST]!;

/** Commits everything on a given day as a given author. */
function commit(cwd: string, message: string, day: number, author = "Ada <ada@example.com>"): void {
  const date = `2026-01-${String(day).padStart(2, "0")}T12:00:00+02:00`;
  git(cwd, "add", "-A");
  const { success, stderr } = new Deno.Command("git", {
    args: ["-c", "commit.gpgSign=false", "commit", "-q", "-m", message, `--author=${author}`],
    cwd,
    env: {
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_DATE: date,
      GIT_COMMITTER_NAME: "Carl",
      GIT_COMMITTER_EMAIL: "carl@example.com",
    },
  }).outputSync();
  assert.ok(success, new TextDecoder().decode(stderr));
}

/** Creates a plan with a few days of history; `at` is the project's folder in its repository. */
function storied(at = ""): { root: string; cwd: string } {
  const root = makeProject();
  const cwd = join(root, at);
  git(root, "init", "-q", "-b", "main");
  writeFiles(cwd, { ...SMALL_PLAN, "plan/INSTRUCTIONS.md": "# Read\n", "README.md": "x\n" });
  commit(root, "Begin", 1);
  const ready = first.replace("- [ ] It runs", "- [x] It runs");
  writeFiles(cwd, { [FIRST]: ready });
  commit(root, "Tick", 2, 'Grace "Amazing" O\'Hopper-Łukasz <g@example.com>');
  const done = ready.replace('status="ready"', () => 'status="done" assignee="$& x"');
  writeFiles(cwd, {
    [FIRST]: done.replace("{% /work %}", "## Resolution\n\nDone.\n\n{% /work %}"),
  });
  commit(root, "Finish: 100 % \u2713", 3);
  git(cwd, "mv", FIRST, "plan/work/WORK-001-renamed.md");
  commit(root, "Rename", 4);
  writeFiles(cwd, {
    "plan/bugs/BUG-001-crash.md": SMALL_PLAN["plan/bugs/BUG-001-crash.md"]!
      .replace('status="reported"', 'status="fixed"\n  released-in="v1.0.0"'),
    "plan/specs/SPEC-001-idea.md": SMALL_PLAN["plan/specs/SPEC-001-idea.md"]!
      .replace("# An idea\n", "# An idea\n\nMore text.\n"),
    "plan/INSTRUCTIONS.md": "# Read again\n",
  });
  commit(root, "Fix", 5);
  return { root, cwd };
}

const kinds = (events: Event[]) => events.map((event) => `${event.kind}:${event.message}`);

async function storyHolds({ ok, call }: Asked): Promise<void> {
  const one = await ok("plan_history", { id: "WORK-001" });
  assert.deepEqual([one.id, one.type, one.file], ["WORK-001", "work", "work/WORK-001-renamed.md"]);
  assert.deepEqual(
    kinds(one.events),
    ["content:Rename", "attributes:Finish: 100 % \u2713", "criteria:Tick", "created:Begin"],
  );
  const [rename, finish, tick, created] = one.events as Event[];
  assert.equal(rename!.renamedFrom, "work/WORK-001-first.md");
  assert.deepEqual(finish!.attributeChanges, [
    { field: "status", from: "ready", to: "done" },
    { field: "assignee", from: null, to: "$& x" },
  ]);
  assert.deepEqual(finish!.sections, ["Resolution"]);
  assert.deepEqual(tick!.criteriaChanges, [{ text: "It runs", action: "checked" }]);
  assert.equal(tick!.author, 'Grace "Amazing" O\'Hopper-Łukasz');
  assert.equal(created!.initialAttributes!["milestone"], "v1.0.0");
  assert.equal(created!.date, "2026-01-01T12:00:00+02:00");
  assert.ok(/^[0-9a-f]{40}$/.test(created!.hash) && created!.hash.startsWith(created!.shortHash));
  const short = await ok("plan_history", { limit: 100 });
  const dates = short.commits.map(({ date }: { date: string }) => Date.parse(date));
  assert.deepEqual(dates, dates.toSorted((a: number, b: number) => b - a));
  assert.ok(!/INSTRUCTIONS|README/.test(JSON.stringify(short.commits)));
  const cut = await ok("plan_history", { limit: 2 });
  assert.deepEqual([cut.commits.length, cut.total], [2, short.total]);

  const cases = [
    [{ since: '"; touch pwned; echo "' }, "INVALID_ARGS"],
    [{ since: "--output=x" }, "INVALID_ARGS"],
    [{ id: "WORK-999" }, "NOT_FOUND"],
    [{ id: "--all" }, "NOT_FOUND"],
    [{ dir: "../" }, "PERMISSION_DENIED"],
  ] as const;
  for (const [input, code] of cases) {
    const answer = await call("plan_history", input);
    assert.equal(answer.errorCode, code, JSON.stringify([input, answer]));
  }
}

Deno.test("plan_history works in a folder of a larger repository, whatever its output settings", async () => {
  const { root, cwd } = storied("app");
  const cases = [
    ["diff.renames", "false"],
    ["diff.relative", "true"],
    ["core.quotePath", "true"],
    ["log.date", "relative"],
    ["format.pretty", "oneline"],
    ["color.ui", "always"],
    ["i18n.logOutputEncoding", "latin1"],
    ["log.follow", "true"],
  ] as const;
  const lines = cases.map(([key, value]) => {
    const [section, name] = key.split(".");
    return `[${section}]\n\t${name} = ${value}\n`;
  });
  Deno.writeTextFileSync(join(root, ".git/config"), lines.join(""), { append: true });
  assert.equal(git(root, "config", "log.follow"), "true");
  await inProcess(cwd, storyHolds);
});

Deno.test("plan_history reads both sides of a merge", async () => {
  const cwd = makeProject(SMALL_PLAN);
  git(cwd, "init", "-q", "-b", "main");
  commit(cwd, "begin", 1);
  git(cwd, "checkout", "-q", "-b", "side");
  writeFiles(cwd, { [FIRST]: first.replace('"high"', '"low"') });
  commit(cwd, "on the side", 2);
  git(cwd, "checkout", "-q", "main");
  writeFiles(cwd, { [FIRST]: first.replace("- [ ] It is tested", "- [x] It is tested") });
  commit(cwd, "on main", 3);
  git(cwd, "merge", "-q", "--no-edit", "side");
  await inProcess(cwd, async ({ ok }) => {
    const { events } = await ok("plan_history", { id: "WORK-001" });
    const both = ["criteria:on main", "attributes:on the side", "created:begin"];
    assert.deepEqual(kinds(events), ["merge:Merge branch 'side'", ...both]);
    const { commits } = await ok("plan_history", { limit: 1 });
    assert.match(commits[0].changes[0], /: merged$/);
  });
});

Deno.test("plan_history reports a missing repository, missing commits and a shallow clone", async () => {
  const bare = makeProject(SMALL_PLAN);
  await inProcess(bare, async ({ call, ok }) => {
    const outside = await call("plan_history");
    assert.equal(outside.errorCode, "TOOL_FAILED");
    assert.match(outside.content[0].text, /not in a git repository/);
    git(bare, "init", "-q");
    const empty = await call("plan_history", { id: "WORK-001" });
    assert.match(empty.content[0].text, /no commits yet/);
    commitAll(bare, "begin");
    writeFiles(bare, {
      "plan/work/WORK-009-new.md": entity("work", { id: "WORK-009" }, "New", ""),
    });
    const fresh = await ok("plan_history", { id: "WORK-009" });
    assert.deepEqual(fresh.events, []);
    assert.match(fresh.warnings[0], /uncommitted/);
  });
  const { root } = storied();
  const clone = makeProject();
  git(clone, "clone", "-q", "--depth=2", `file://${root}`, "project");
  await inProcess(join(clone, "project"), async ({ ok, call }) => {
    const { events, warnings } = await ok("plan_history", { id: "WORK-001" });
    assert.equal(events.at(-1).kind, "created");
    assert.match(warnings[0], /shallow/);
    const attrs = { status: "in-progress", assignee: "ada" };
    const others = {
      ids: (await ok("plan_next_id", { type: "work" })).unchecked,
      created: (await ok("plan_create", { type: "work", title: "New", attrs })).unchecked,
      claims: (await ok("plan_list", { claimed: true })).note,
      dates: (await ok("plan_list", { fields: ["modified"] })).note,
      order: (await ok("plan_list", { sort: "-modified" })).note,
      date: (await ok("plan_get", { id: "WORK-001", fields: ["modified"] })).warnings?.join(),
      review: (await ok("plan_review")).notChecked?.join(),
      table: (await ok("refrakt_query", { sql: "select modified from entities" })).notes?.join(),
    };
    for (const [name, text] of Object.entries(others)) assert.match(text ?? "", /shallow/, name);
    const oldest = git(join(clone, "project"), "rev-list", "HEAD").trim().split("\n").at(-1);
    assert.match((await call("plan_history", { id: "WORK-077" })).hint!, /shallow/);
    assert.match((await call("plan_undo", { commit: oldest })).hint!, /shallow/);
    git(join(clone, "project"), "fetch", "-q", "--unshallow");
    const whole = await ok("plan_history", { id: "WORK-001" });
    assert.ok(whole.events.length > events.length);
    assert.equal(whole.warnings, undefined);
  });
});
