/** `plan.undo`: gives back what the writes of this process have replaced. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { inProcess, withClients } from "../../../support/in_process.ts";
import {
  commitAll,
  entity,
  git,
  makeProject,
  planFile,
  readTree,
  writeFiles,
} from "../../../support/project.ts";
import { WIDE_PLAN } from "./plan.ts";

const FIRST = "plan/work/WORK-001-parser.md";

/** The plan with line ends, a mark, a name and a mode that an undo must not lose. */
function project(): string {
  const cwd = makeProject({
    ...WIDE_PLAN,
    "plan/work/odd.md": `\uFEFF${entity("work", { id: "WORK-006" }, "Odd", "- [ ] A\n- [ ] B\n")}`
      .replaceAll("\n", "\r\n"),
  });
  if (Deno.build.os !== "windows") Deno.chmodSync(join(cwd, "plan/work/odd.md"), 0o640);
  return cwd;
}

const WRITES: Record<string, readonly [tool: string, args: Record<string, unknown>]> = {
  "a change of several": ["update", {
    ids: ["WORK-001", "WORK-004", "BUG-001"],
    milestone: "v0.9.0",
  }],
  "a split": ["create", {
    type: "bug",
    title: "Part",
    splitFrom: { id: "WORK-006", criteria: [2] },
  }],
  "a claim": ["claim", { assignee: "bo", id: "WORK-002" }],
  "a new number": ["renumber", { id: "BUG-001", to: "BUG-066" }],
  "a migration": ["migrate", { subcommand: "filenames", apply: true }],
};

Deno.test("plan.undo gives back what any tool has written, and can be undone", async (t) => {
  const cwd = project();
  const mode = () => Deno.statSync(join(cwd, "plan/work/odd.md")).mode;
  const before = [readTree(cwd), mode()];
  await inProcess(cwd, async ({ ok, call }) => {
    for (const [name, [tool, args]] of Object.entries(WRITES)) {
      await t.step(name, async () => {
        const { undo: token } = await ok(`plan.${tool}`, args);
        const after = readTree(cwd);
        assert.notDeepEqual(after, before[0]);
        const preview = await ok("plan.undo", { token, preview: true });
        assert.deepEqual(readTree(cwd), after);
        const { undo: again, ...done } = await ok("plan.undo", { token });
        assert.deepEqual({ ...done, preview: true }, { ...preview });
        assert.equal(done.tool, `plan.${tool}`);
        assert.deepEqual([readTree(cwd), mode()], before);
        assert.equal((await call("plan.undo", { token })).errorCode, "UNDO_EXPIRED");
        const { undo: last } = await ok("plan.undo", { token: again });
        assert.deepEqual(readTree(cwd), after);
        await ok("plan.undo", { token: last });
        assert.deepEqual([readTree(cwd), mode()], before);
        const { items } = await ok("plan.list", { limit: 1000 });
        assert.equal(items.length, 12);
      });
    }
  });
});

Deno.test("plan.undo takes back all files of a write, or none", async (t) => {
  const cwd = project();
  const path = join(cwd, FIRST);
  await inProcess(cwd, async ({ ok, call }) => {
    const several = { ids: ["WORK-005", "WORK-001"], milestone: "v0.9.0" };
    const { undo: token } = await ok("plan.update", several);
    const text = Deno.readTextFileSync(path);
    Deno.writeTextFileSync(path, text + "\n");
    const before = readTree(cwd);
    const answer = await call("plan.undo", { token });
    assert.equal(answer.errorCode, "CONFLICT");
    assert.match(answer.content[0].text, /WORK-001-parser\.md was changed since/);
    assert.deepEqual(readTree(cwd), before);
    Deno.writeTextFileSync(path, text);
    await ok("plan.undo", { token });
    await t.step("once, of many calls at the same time", async () => {
      const { undo: token } = await ok("plan.update", several);
      const calls = Array.from({ length: 8 }, () => call("plan.undo", { token }));
      const codes = (await Promise.all(calls)).map(({ errorCode }) => errorCode);
      assert.deepEqual(codes.filter((code) => code === undefined).length, 1);
      assert.deepEqual(codes.filter((code) => code === "UNDO_EXPIRED").length, 7);
    });
  });
});

Deno.test("connections of a process share what can be undone, and no other project has it", async () => {
  const cwd = project();
  const before = readTree(cwd);
  await withClients({ cwd }, async (connect) => {
    const update = { name: "plan.update", arguments: { id: "WORK-004", assignee: "ada" } };
    const { structuredContent: written } = await connect((client) => client.callTool(update));
    const { undo: token } = Object(written);
    const undo = { name: "plan.undo", arguments: { token } };
    // Another project has another plan.
    await inProcess(project(), async ({ call }) => {
      assert.equal((await call("plan.undo", { token })).errorCode, "UNDO_EXPIRED");
    });
    await connect((client) => client.callTool(undo), { era: "modern" });
    assert.deepEqual(readTree(cwd), before);
  });
});

/** A plan of which Ada has committed, and others after her. */
function shared(): string {
  const cwd = makeProject({
    ...planFile("WORK-001", { status: "ready" }, "Some text.\n\n- [ ] One\n- [ ] Two\n"),
    ...planFile("WORK-002", { status: "ready" }, "- [ ] One\n"),
    ...planFile("WORK-003", { status: "ready" }),
  });
  commitAll(cwd, "Begin");
  return cwd;
}

Deno.test("plan.history and plan.undo know who changed what, also without a commit", async (t) => {
  const cwd = shared();
  const text = (id: string) => Deno.readTextFileSync(join(cwd, `plan/work/${id}.md`));
  const write = (id: string, edit: (text: string) => string) =>
    writeFiles(cwd, { [`plan/work/${id}.md`]: edit(text(id)) });
  const start = git(cwd, "rev-parse", "HEAD");
  const before = readTree(cwd);
  const commit = (by: string) => commitAll(cwd, `By ${by}`, `--author=${by} <${by}@example.com>`);
  git(cwd, "checkout", "-q", "-b", "agent/3");
  write("WORK-003", (text) => text.replace("ready", "done"));
  commit("codex");
  git(cwd, "checkout", "-q", "main");
  write(
    "WORK-001",
    (text) =>
      text.replace("ready", "in-progress").replace("[ ] One", "[x] One").replace("Some", "More"),
  );
  writeFiles(cwd, planFile("BUG-001", { status: "reported" }));
  commit("claude-7");
  write("WORK-001", (text) => text.replace("[ ] Two", "[x] Two"));
  commit("Grace");
  write(
    "WORK-002",
    (text) => text.replace('status="ready"', 'status="review" assignee="claude-7"'),
  );
  const changed = readTree(cwd);

  await inProcess(cwd, async ({ ok }) => {
    await t.step("one line an entity, by author", async () => {
      const all = await ok("plan.history", { since: start, workingTree: true, summary: true });
      assert.deepEqual(all.authors, [
        {
          by: "claude-7",
          changes: [
            "WORK-002 Item WORK-002: ready → review, assignee - → claude-7 (not committed)",
            "WORK-001 Item WORK-001: ready → in-progress, 1 of 2 ticked, text +1 −1",
            "BUG-001 Item BUG-001: created (reported)",
          ],
        },
        { by: "codex", changes: ["WORK-003 Item WORK-003: ready → done (on agent/3)"] },
        { by: "Grace", changes: ["WORK-001 Item WORK-001: 1 of 2 ticked"] },
      ]);
      assert.deepEqual([all.total, all.commits], [5, 3]);
      const own = await ok("plan.history", { since: "1d", by: "GRACE", summary: true });
      assert.deepEqual([own.authors.length, own.total, own.commits], [1, 1, 1]);
      const none = await ok("plan.history", { since: "1d", by: "Eve", workingTree: true });
      assert.match(none.warnings.join(), /No changes by Eve; others are by .*claude-7/);
    });
    await t.step("an author's changes are taken back where nobody changed them since", async () => {
      const asked = { by: "claude-7", since: start };
      const preview = await ok("plan.undo", { ...asked, preview: true });
      assert.deepEqual(readTree(cwd), changed);
      const { undo, ...done } = await ok("plan.undo", asked);
      assert.deepEqual({ ...done, preview: true }, preview);
      assert.equal(text("WORK-002"), before["plan/work/WORK-002.md"]);
      assert.equal(readTree(cwd)["plan/bugs/BUG-001.md"], undefined);
      assert.equal(
        text("WORK-001"),
        before["plan/work/WORK-001.md"]!.replace("[ ] Two", "[x] Two"),
      );
      assert.equal(done.entities.length, 3);
      assert.equal(git(cwd, "log", "--format=%s", "-1"), "By Grace");
      await ok("plan.undo", { token: undo });
      assert.deepEqual(readTree(cwd), changed);
    });
    await t.step("what somebody has changed since is named, and stays", async () => {
      write("WORK-001", (text) => text.replace("in-progress", "review").replace("More", "Most"));
      const { entities, undo } = await ok("plan.undo", { ids: ["work-001"], by: "claude-7" });
      assert.deepEqual(entities, [{
        id: "WORK-001",
        file: "plan/work/WORK-001.md",
        text: "1 criteria unchecked",
        left: ["status", "description"],
      }]);
      assert.match(text("WORK-001"), /status="review"[^]*Most text[^]*\[ \] One\n- \[x\] Two/);
      await ok("plan.undo", { token: undo });
      const all = await ok("plan.undo", { ids: ["WORK-001"], since: start });
      assert.equal(all.entities[0].left, undefined);
      assert.equal(text("WORK-001"), before["plan/work/WORK-001.md"]);
    });
  });
});

Deno.test("plan.undo takes back what an author did between others, and a file's name", async () => {
  const cwd = shared();
  const path = (id: string) => join(cwd, `plan/work/${id}.md`);
  const text = (id: string) => Deno.readTextFileSync(path(id));
  const change = (by: string, id: string, from: string, to: string) => {
    Deno.writeTextFileSync(path(id), text(id).replace(from, () => to));
    git(cwd, "commit", "-qam", "Change", `--author=${by} <${by}@example.com>`);
  };
  const [start, before] = [git(cwd, "rev-parse", "HEAD"), text("WORK-001")];
  change("Ada", "WORK-001", "ready", "in-progress");
  change("Grace", "WORK-001", "Some", "More");
  change("Ada", "WORK-001", "in-progress", "done");
  git(cwd, "mv", path("WORK-002"), path("WORK-002-b"));
  git(cwd, "commit", "-qm", "Rename", "--author=Ada <ada@example.com>");
  await inProcess(cwd, async ({ ok }) => {
    const { entities } = await ok("plan.undo", { by: "ADA", since: start });
    const left = entities.map(({ id, left }: { id: string; left?: string[] }) => [id, left]);
    assert.deepEqual(left.sort(), [["WORK-001", undefined], ["WORK-002", undefined]]);
  });
  assert.equal(text("WORK-001"), before.replace("Some", "More"));
  assert.ok(text("WORK-002").includes("WORK-002"));
});
