import assert from "node:assert/strict";
import { join } from "node:path";
import { createServer } from "../../../mod.ts";
import {
  commitAll,
  entity,
  git,
  makeProject,
  SMALL_PLAN,
  writeFiles,
} from "../../support/project.ts";

const FIRST = "plan/work/WORK-001-first.md";
const first = SMALL_PLAN[FIRST]!;

interface Told {
  kind: string;
  message: string;
  id?: string;
  renamedFrom?: string;
  attributeChanges?: { field: string; from: string; to: string }[];
  criteriaChanges?: { text: string; action: string }[];
}

/** Starts a server that reads the history repeatedly. */
async function historyOf(cwd: string) {
  const server = await createServer({ cwd });
  return async (input: Record<string, unknown>): Promise<Told[]> => {
    const { events } = await server.callTool("plan.history", { ...input }) as {
      events: Told[];
    };
    return events;
  };
}

const short = (events: Told[]) => events.map(({ kind, message }) => `${kind}:${message}`);

Deno.test("a file rewritten under a new name with the same id is the same entity", async () => {
  const cwd = makeProject(SMALL_PLAN);
  commitAll(cwd, "begin");
  Deno.removeSync(join(cwd, FIRST));
  const rewritten = entity(
    "work",
    { id: "WORK-001", status: "done" },
    "Nothing like before",
    "Other.\n",
  );
  writeFiles(cwd, {
    "plan/work/other-name.md": rewritten,
    // Git takes this file for the removed one.
    "plan/work/WORK-007-twin.md": first.replace("WORK-001", "WORK-007"),
  });
  commitAll(cwd, "rewrite");
  const ask = await historyOf(cwd);
  const events = await ask({ id: "WORK-001" });
  assert.deepEqual(short(events), ["attributes:rewrite", "created:begin"]);
  assert.equal(events[0]!.renamedFrom, "work/WORK-001-first.md");
  assert.deepEqual(short(await ask({ id: "WORK-007" })), ["created:rewrite"]);
  // The same in two commits.
  Deno.removeSync(join(cwd, "plan/work/other-name.md"));
  commitAll(cwd, "take away");
  writeFiles(cwd, { "plan/work/third.md": rewritten.replace('"done"', '"review"') });
  commitAll(cwd, "bring back");
  assert.deepEqual(
    short(await ask({ id: "WORK-001" })),
    ["attributes:bring back", "removed:take away", "attributes:rewrite", "created:begin"],
  );
});

Deno.test("entities keep their history when they swap files, and a new one in an old file is new", async () => {
  const SECOND = "plan/work/WORK-002-second.md";
  const second = SMALL_PLAN[SECOND]!;
  const cwd = makeProject(SMALL_PLAN);
  commitAll(cwd, "begin");
  writeFiles(cwd, { [FIRST]: second, [SECOND]: first.replace('"ready"', '"review"') });
  commitAll(cwd, "exchange");
  writeFiles(cwd, {
    "plan/work/moved.md": first.replace('"ready"', '"done"'),
    [SECOND]: first.replace("WORK-001", "WORK-003"),
  });
  commitAll(cwd, "take its place");
  const ask = await historyOf(cwd);
  const events = await ask({ id: "WORK-001" });
  assert.deepEqual(
    short(events),
    ["attributes:take its place", "attributes:exchange", "created:begin"],
  );
  assert.deepEqual(
    events.map(({ renamedFrom }) => renamedFrom),
    ["work/WORK-002-second.md", "work/WORK-001-first.md", undefined],
  );
  assert.deepEqual(short(await ask({ id: "WORK-002" })).at(-1), "created:begin");
  assert.deepEqual(short(await ask({ id: "WORK-003" })), ["created:take its place"]);
});

Deno.test("a history continues from the last commit read, and restarts if that commit is gone", async () => {
  const cwd = makeProject(SMALL_PLAN);
  commitAll(cwd, "begin");
  const ask = await historyOf(cwd);
  assert.deepEqual(short(await ask({ id: "WORK-001" })), ["created:begin"]);
  for (const [index, status] of ["review", "done", "draft"].entries()) {
    writeFiles(cwd, { [FIRST]: first.replace('"ready"', () => `"${status}"`) });
    commitAll(cwd, `to ${status}`);
    const events = await ask({ id: "WORK-001" });
    assert.equal(events[0]!.message, `to ${status}`);
    assert.equal(events.length, index + 2);
  }
  git(cwd, "mv", FIRST, "plan/work/renamed.md");
  commitAll(cwd, "rename");
  const whole = await ask({ id: "WORK-001" });
  assert.equal(whole.length, 5);
  assert.deepEqual(await (await historyOf(cwd))({ id: "WORK-001" }), whole);
  git(cwd, "reset", "-q", "--hard", "HEAD~3");
  assert.deepEqual(short(await ask({ id: "WORK-001" })), ["attributes:to review", "created:begin"]);
  git(cwd, "checkout", "-q", "-b", "other", "HEAD~1");
  assert.deepEqual(short(await ask({ id: "WORK-001" })), ["created:begin"]);
});

Deno.test("a history follows renames of the plan's folder, with files renamed and changed meanwhile", async () => {
  const cwd = makeProject({ "old/README.md": "Another\n", "old/other.md": "Other\n" });
  commitAll(cwd, "before");
  const to = (folder: string, status: string, name = "WORK-001-first.md") =>
    writeFiles(cwd, { [`${folder}/work/${name}`]: first.replace('"ready"', () => `"${status}"`) });
  git(cwd, "rm", "-qr", "old");
  const moved = Object.entries(SMALL_PLAN).map(([path, text]) =>
    [path.replace(/^plan/, "docs/roadmap"), text] as const
  );
  writeFiles(cwd, Object.fromEntries(moved));
  commitAll(cwd, "begin");
  to("docs/roadmap", "review");
  commitAll(cwd, "review");
  git(cwd, "mv", "docs/roadmap", "work-plan");
  to("work-plan", "blocked");
  commitAll(cwd, "rename and block");
  git(cwd, "mv", "work-plan/work/WORK-001-first.md", "work-plan/work/WORK-001-new.md");
  commitAll(cwd, "rename the file");
  git(cwd, "mv", "work-plan", "plan");
  commitAll(cwd, "rename again");
  to("plan", "done", "WORK-001-new.md");
  commitAll(cwd, "finish");
  const events = await (await historyOf(cwd))({ id: "WORK-001" });
  assert.deepEqual(short(events), [
    "attributes:finish",
    "content:rename the file",
    "attributes:rename and block",
    "attributes:review",
    "created:begin",
  ]);
});

for (const [isOurs, isFirst] of [[true, false], [false, true]] as const) {
  const side = `${isOurs ? "our" : "their"} side, ${isFirst ? "before" : "after"} the change`;
  Deno.test(`a merge across a rename on ${side} tells only what no parent has`, async () => {
    const NEW = "plan/work/WORK-001-new.md";
    const done = first.replace('"ready"', '"done"').replace("[ ] It runs", "[x] It runs");
    const cwd = makeProject(SMALL_PLAN);
    commitAll(cwd, "begin");
    git(cwd, "branch", "x");
    const rename = () => {
      git(cwd, "checkout", "-q", isOurs ? "main" : "x");
      git(cwd, "mv", FIRST, NEW);
      commitAll(cwd, "rename");
    };
    const finish = () => {
      git(cwd, "checkout", "-q", isOurs ? "x" : "main");
      writeFiles(cwd, { [FIRST]: done });
      commitAll(cwd, "finish");
    };
    const [one, other] = isFirst ? [rename, finish] : [finish, rename];
    one();
    // Git orders commits by the second.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    other();
    git(cwd, "checkout", "-q", "main");
    git(cwd, "merge", "-q", "--no-edit", "x");
    const clean = await (await historyOf(cwd))({ id: "WORK-001" });
    const both = ["attributes:finish", "content:rename"];
    assert.deepEqual(short(clean), [...isFirst ? both : both.reverse(), "created:begin"]);
    const server = await createServer({ cwd });
    const { reached } = await server.callTool("plan.history", { summary: true }) as {
      reached: { work: Record<string, number> };
    };
    assert.equal(reached.work["done"], 1);
    // What the merge itself changes stays, and only that.
    writeFiles(cwd, { [NEW]: done.replace('priority="high"', 'priority="low"') });
    git(cwd, "add", "-A");
    git(cwd, "commit", "-q", "--amend", "-m", "more than a merge");
    const [evil, ...rest] = await (await historyOf(cwd))({ id: "WORK-001" });
    assert.equal(evil!.message, "more than a merge");
    assert.deepEqual(evil!.attributeChanges, [{ field: "priority", from: "high", to: "low" }]);
    assert.equal(evil!.criteriaChanges, undefined);
    assert.deepEqual(rest, clean);
  });
}
