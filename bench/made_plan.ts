/** A made plan for `bench/plan_answers.ts`, with fixed dates. */

import { dirname, join } from "node:path";
import {
  commitAll,
  type Files,
  git,
  planFile,
  readTree,
  SMALL_PLAN,
  writeFiles,
} from "../tests/support/project.ts";
import { temporaryFolder } from "../tests/support/temporary.ts";

/** The time of the recording, after the newest commit of the real plan. */
export const NOW = "2026-07-25T09:30:20Z";

/** Writes files and commits them on a day before {@linkcode NOW}. */
export function commit(cwd: string, day: number, files: Files, by = "ada", message = ""): void {
  writeFiles(cwd, files);
  const date = new Date(Date.parse(NOW) - day * 86_400_000).toISOString();
  for (const role of ["AUTHOR", "COMMITTER"]) Deno.env.set(`GIT_${role}_DATE`, date);
  const subject = message || `Change ${Object.keys(files).join(", ")}`;
  commitAll(cwd, subject, `--author=${by} <${by}@example.com>`, "--allow-empty");
}

/** A plan with branches, a worktree in conflict, renamed and removed entities, CRLF and a remote. */
export function madePlan() {
  const cwd = join(temporaryFolder(), "made");
  const boxes = (ticks: string) =>
    [...ticks].map((tick, at) => `- [${tick}] Criterion ${at + 1}`).join("\n");
  const work = (
    id: string,
    status: string,
    ticks: string,
    more: Record<string, string> = {},
    text = "Some text.",
  ) =>
    planFile(
      id,
      { status, priority: "high", complexity: "simple", ...more },
      `${text}\n\n## Acceptance Criteria\n${boxes(ticks)}\n\n## Approach\n${text}\n`,
    );
  const crlf = (files: Files) =>
    Object.fromEntries(
      Object.entries(files).map(([path, text]) => [path, text.replaceAll("\n", "\r\n")]),
    );
  commit(cwd, 60, { ...SMALL_PLAN, ...work("WORK-003", "ready", "  "), "src/a.ts": "a" });
  commit(cwd, 55, {
    ...crlf(work("WORK-004", "ready", "  x", { milestone: "v1.0.0", tags: "plan, one" })),
    ...work("WORK-005", "in-progress", " ", { assignee: "ada", source: "SPEC-001" }),
    ...work("WORK-006", "done", "xx", {}, 'As {% ref "SPEC-001" /%} says.\n\n## Resolution\nDone.'),
    ...planFile("SPEC-002", { status: "draft" }, "It supersedes.", "Second idea"),
  }, "bob");
  git(cwd, "checkout", "-q", "-b", "merged");
  commit(cwd, 50, work("WORK-003", "in-progress", "x ", { assignee: "bob" }), "bob");
  commit(cwd, 49, work("WORK-007", "draft", "", { milestone: "v1.0.0" }), "bob");
  git(cwd, "checkout", "-q", "main");
  commit(cwd, 48, work("WORK-005", "in-progress", "x", { assignee: "ada" }, "Other text."));
  git(cwd, "merge", "-q", "--no-ff", "-m", "Merge merged", "merged");
  git(cwd, "mv", "plan/work/WORK-006.md", "plan/work/renamed.md");
  commit(cwd, 40, {}, "ada", "Rename WORK-006");
  git(cwd, "rm", "-q", "plan/work/WORK-007.md");
  commit(cwd, 30, work("WORK-008", "ready", " ", { assignee: "bob", milestone: "v1.0.0" }), "bob");
  const base = git(cwd, "rev-parse", "HEAD");
  for (const [at, name] of ["other", "feature/two", "stale"].entries()) {
    git(cwd, "checkout", "-q", "-b", name, base);
    commit(cwd, 20 - at, {
      ...work("WORK-001", "in-progress", "x", { assignee: name }),
      ...work("WORK-008", "done", "x", {}, `Written on ${name}.`),
      ...at === 1 ? planFile("WORK-009", { status: "ready" }, "", "Nine there") : {},
    }, name === "other" ? "bob" : "eve");
  }
  git(cwd, "checkout", "-q", "other");
  git(cwd, "rm", "-q", "plan/bugs/BUG-001-crash.md");
  commit(cwd, 15, crlf(work("WORK-004", "done", "xxx", { milestone: "v1.0.0" })), "bob");
  git(cwd, "checkout", "-q", "main");
  commit(cwd, 10, {
    ...work("WORK-008", "in-progress", " x", { assignee: "ada" }, "Written on main."),
    ...planFile(
      "WORK-009",
      { status: "ready" },
      '## Dependencies\n- {% ref "WORK-008" /%}',
      "Nine",
    ),
    ...planFile("WORK-010", { status: "bogus", milestone: "v2.0.0" }, '{% ref "WORK-999" /%}'),
  });
  commit(cwd, 2, crlf(work("WORK-004", "ready", "x x", { milestone: "v1.0.0" })), "bob");
  const bare = join(temporaryFolder(), "origin.git");
  git(cwd, "clone", "-q", "--bare", cwd, bare);
  const clones = Object.fromEntries(
    ["ada", "bob"].map((owner) => [owner, join(dirname(bare), owner)]),
  );
  for (const clone of Object.values(clones)) git(cwd, "clone", "-q", bare, clone);
  const other = join(dirname(cwd), "other");
  git(cwd, "worktree", "add", "-q", other, "other");
  try {
    git(other, "merge", "-q", "main");
  } catch {
    // It has conflicts.
  }
  writeFiles(other, {
    ...planFile("WORK-011", { status: "ready", assignee: "eve" }, "New there"),
    "plan/work/copy.md": Object.values(work("WORK-005", "ready", " "))[0]!,
  });
  writeFiles(cwd, work("WORK-003", "done", "xx", { assignee: "bob" }, "Not committed."));
  Deno.removeSync(join(cwd, "plan/specs/SPEC-002.md"));
  for (const root of [cwd, other, ...Object.values(clones)]) settle(root);
  const remote = { remote: { remote: bare, prefix: "refs/refrakt/" } } as object;
  return { cwd, other, clones, remote };
}

/** Gives the files of a project modification times in their order. */
export function settle(root: string): void {
  for (const [at, path] of Object.keys(readTree(root)).sort().entries()) {
    const date = new Date(Date.parse("2026-07-24T08:00:00Z") + at * 1000);
    Deno.utimeSync(join(root, path), date, date);
  }
}
