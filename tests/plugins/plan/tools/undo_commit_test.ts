/** `plan_undo { commit }`: takes back what a commit did, as far as nobody has changed it since. */

import assert from "node:assert/strict";
import { inProcess } from "../../../support/in_process.ts";
import {
  commitAll,
  git,
  makeProject,
  planFile,
  readTree,
  writeFiles,
} from "../../../support/project.ts";

const path = (number: number) => `plan/work/WORK-00${number}.md`;

/** Attributes, and a text with two criteria and a section. */
function item(number: number, attributes: Record<string, string> = {}, text = "") {
  return planFile(
    `WORK-00${number}`,
    { status: "ready", ...attributes },
    `## Acceptance Criteria\n\n- [ ] One\n- [ ] Two\n\n## Approach\n\nFirst.\n\nSecond.\n\n${text}`,
  );
}

const DEPENDS = '## Dependencies\n\n- {% ref "WORK-001" /%}\n';

/** A plan whose last commit has removed an entity, and what pointed to it. */
function project() {
  const cwd = makeProject({
    ...item(1),
    ...item(2, { source: "WORK-001", priority: "high" }, DEPENDS),
    ...item(3, { milestone: "v1" }),
    ...item(4),
  });
  git(cwd, "init", "-q", "-b", "main");
  commitAll(cwd, "Begin");
  const before = readTree(cwd);
  Deno.removeSync(`${cwd}/${path(1)}`);
  writeFiles(cwd, {
    ...item(2, { priority: "high" }),
    ...item(3, { milestone: "v2", status: "done" }),
    ...item(5),
  });
  commitAll(cwd, "Drop it");
  return { cwd, before, after: readTree(cwd) };
}

const plain = (tree: Record<string, string>) =>
  Object.fromEntries(Object.entries(tree).filter(([name]) => !name.startsWith(".git")));

Deno.test("a commit is taken back, with what pointed to an entity that it removed", async () => {
  const { cwd, before, after } = project();
  await inProcess(cwd, async ({ ok, call }) => {
    const preview = await ok("plan_undo", { commit: "HEAD", preview: true });
    assert.deepEqual(plain(readTree(cwd)), plain(after));
    const { undo, ...answer } = await ok("plan_undo", { commit: "HEAD" });
    assert.deepEqual({ ...answer, preview: true }, preview);
    assert.deepEqual(plain(readTree(cwd)), plain(before));
    assert.deepEqual(
      answer.lines.map((line: string) => line.split(":")[0]).sort(),
      ["WORK-001", "WORK-002", "WORK-003", "WORK-005"],
    );
    assert.match(answer.lines.join("\n"), /WORK-001: created \(ready\)/);
    assert.match(answer.lines.join("\n"), /WORK-003: done → ready, milestone v2 → v1/);
    assert.equal(answer.kept, undefined);
    const again = await ok("plan_undo", { commit: "HEAD" });
    assert.deepEqual([again.lines, again.undo], [[], undefined]);
    await ok("plan_undo", { token: undo });
    assert.deepEqual(plain(readTree(cwd)), plain(after));
    const { lines } = await ok("plan_undo", { commit: "HEAD", ids: ["work-001"] });
    assert.deepEqual(lines, ["WORK-001: created (ready)"]);
    for (
      const [args, code, message] of [
        [{ commit: "HEAD", ids: ["WORK-004"] }, "NOT_FOUND", /has not changed "WORK-004"/],
        [{ commit: "nowhere" }, "INVALID_ARGS", /no such commit/],
        [{ commit: "HEAD~1" }, "INVALID_ARGS", /has no parent/],
        [{}, "INVALID_ARGS", /either "token" or "commit"/],
        [{ token: undo, commit: "HEAD" }, "INVALID_ARGS", /either "token" or "commit"/],
      ] as const
    ) {
      const { errorCode, content } = await call("plan_undo", args);
      assert.equal(errorCode, code);
      assert.match(content[0].text, message);
    }
  });
});

Deno.test("what was changed since a commit stays, and is named", async () => {
  const { cwd } = project();
  // Some of it is committed, and some is not.
  writeFiles(cwd, {
    ...item(2, { priority: "low" }),
    ...item(3, { milestone: "v3", status: "done" }, "## Notes\n\n- Mine\n"),
  });
  commitAll(cwd, "Go on");
  const mine = item(5, { assignee: "ada" });
  writeFiles(cwd, mine);
  await inProcess(cwd, async ({ ok }) => {
    const { kept, lines } = await ok("plan_undo", { commit: "HEAD~1" });
    assert.deepEqual(kept, ['WORK-003: "milestone" changed since', "WORK-005: changed since"]);
    const tree = readTree(cwd);
    assert.equal(tree[path(2)], item(2, { priority: "low", source: "WORK-001" }, DEPENDS)[path(2)]);
    assert.match(tree[path(3)]!, /status="ready" milestone="v3"[^]*## Notes\n\n- Mine\n/);
    assert.equal(tree[path(5)], mine[path(5)]);
    assert.equal(lines.length, 3);
  });
});

Deno.test("an entity that others point to by now stays, and so does one with CRLF what it was", async () => {
  const { cwd } = project();
  const text = Deno.readTextFileSync(`${cwd}/${path(3)}`).replaceAll("\n", "\r\n");
  writeFiles(cwd, {
    [path(3)]: text,
    ...item(4, { source: "WORK-005" }),
  });
  await inProcess(cwd, async ({ ok }) => {
    const { kept } = await ok("plan_undo", { commit: "HEAD" });
    assert.deepEqual(kept, ["WORK-005: WORK-004 points to it"]);
    const now = Deno.readTextFileSync(`${cwd}/${path(3)}`);
    assert.equal(
      now,
      text.replace('status="done"', 'status="ready"').replace('milestone="v2"', 'milestone="v1"'),
    );
  });
});
