/** Temporary projects: real files, real git. */

import { dirname, join, resolve } from "node:path";
import { temporaryFolder } from "./temporary.ts";

/** Files by path; a value is the content. */
export type Files = Readonly<Record<string, string>>;

/** The tools of a project with a plan. */
export const PLAN_TOOLS: readonly string[] = [
  ...["claim", "create", "get", "history", "list", "next", "next_id"],
  ...["rename", "review", "status", "undo", "update", "validate"],
].map((name) => `plan_${name}`);

const FIRST = { id: "WORK-001", status: "ready" };

/** A small plan with one entity of each type. */
export const SMALL_PLAN: Files = {
  "plan/work/WORK-001-first.md": entity(
    "work",
    { ...FIRST, priority: "high", complexity: "simple", milestone: "v1.0.0" },
    "First item",
    "## Acceptance Criteria\n- [ ] It runs\n- [ ] It is tested\n",
  ),
  "plan/work/WORK-002-second.md": entity(
    "work",
    { id: "WORK-002", status: "draft", priority: "low", complexity: "unknown" },
    "Second item",
    '## Dependencies\n- {% ref "WORK-001" /%}\n',
  ),
  "plan/bugs/BUG-001-crash.md": entity(
    "bug",
    { id: "BUG-001", status: "reported", severity: "major" },
    "It crashes",
    "## Steps to Reproduce\n1. Start it\n",
  ),
  "plan/specs/SPEC-001-idea.md": entity("spec", { id: "SPEC-001", status: "draft" }, "An idea", ""),
  "plan/decisions/ADR-001-way.md": entity(
    "decision",
    { id: "ADR-001", status: "proposed", date: "2026-01-01" },
    "One way",
    "",
  ),
  "plan/milestones/first-release.md": entity(
    "milestone",
    { name: "v1.0.0", status: "active" },
    "v1.0.0 — First release",
    "- Ship it\n",
  ),
};

export function entity(
  type: string,
  attributes: Record<string, string>,
  title: string,
  body: string,
): string {
  const written = Object.entries(attributes).map(([name, value]) => `${name}="${value}"`).join(" ");
  return `{% ${type} ${written} %}\n\n# ${title}\n\n${body}\n{% /${type} %}\n`;
}

/** A file of a plan with an entity. The id says the type; a milestone has its name for an id. */
export function planFile(
  id: string,
  attributes: Record<string, string> = {},
  body = "",
  title = `Item ${id}`,
): Files {
  const types: Record<string, string> = { WORK: "work", BUG: "bug", SPEC: "spec" };
  const type = types[id.split("-")[0]!] ?? "milestone";
  const given = { [type === "milestone" ? "name" : "id"]: id, ...attributes };
  const folder = type === "work" ? type : `${type}s`;
  return { [`plan/${folder}/${id}.md`]: entity(type, given, title, body) };
}

export function makeProject(files: Files = {}): string {
  const root = temporaryFolder();
  writeFiles(root, files);
  return root;
}

export function writeFiles(root: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    Deno.mkdirSync(dirname(join(root, path)), { recursive: true });
    Deno.writeTextFileSync(join(root, path), text);
  }
}

/** Makes a link. Windows has several kinds, and needs to know the target's. */
export function linkTo(target: string, path: string): void {
  if (Deno.build.os !== "windows") return Deno.symlinkSync(target, path);
  let isDirectory = false;
  try {
    ({ isDirectory } = Deno.statSync(resolve(dirname(path), target)));
  } catch {
    // A broken link.
  }
  // Everybody may make junctions, but not symbolic links.
  if (isDirectory) Deno.symlinkSync(resolve(dirname(path), target), path, { type: "junction" });
  else Deno.symlinkSync(target, path, { type: "file" });
}

/** Every file below a directory with its content, except `.git`. */
export function readTree(root: string): Record<string, string> {
  const tree: Record<string, string> = {};
  const walk = (folder: string, way: string) => {
    for (const entry of Deno.readDirSync(folder)) {
      if (entry.name === ".git") continue;
      const path = way === "" ? entry.name : `${way}/${entry.name}`;
      if (entry.isDirectory) walk(join(folder, entry.name), path);
      else if (entry.isSymlink) tree[path] = `-> ${Deno.readLinkSync(join(folder, entry.name))}`;
      else tree[path] = Deno.readTextFileSync(join(folder, entry.name));
    }
  };
  walk(root, "");
  return tree;
}

/** Without maintenance, for which each commit starts another process. */
const GIT_SETTINGS = ["user.name=Ada", "user.email=ada@example.com", "commit.gpgSign=false"]
  .concat("maintenance.auto=false").flatMap((setting) => ["-c", setting]);

/** Runs git. A commit with a `--date` is committed at that date, too. */
export function git(cwd: string, ...args: string[]): string {
  const [, date] = /(?:^|\0)--date[=\0]([^\0]+)/.exec(args.join("\0")) ?? [];
  const { code, stdout, stderr } = new Deno.Command("git", {
    args: [...GIT_SETTINGS, ...args],
    cwd,
    ...date && { env: { GIT_COMMITTER_DATE: date } },
  }).outputSync();
  if (code !== 0) throw new Error(`git ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout).trim();
}

/** Initializes a repository in a directory and commits everything, with flags such as a date. */
export function commitAll(cwd: string, message: string, ...flags: readonly string[]): void {
  if (!exists(join(cwd, ".git"))) git(cwd, "init", "-q", "-b", "main");
  git(cwd, "add", "-A");
  git(cwd, "commit", "-q", "-m", message, ...flags);
}

/** Commits files on a branch, a commit each, and goes back to main. */
export function onBranch(cwd: string, name: string, ...commits: Files[]): void {
  git(cwd, "checkout", "-q", "-B", name);
  for (const files of commits) {
    writeFiles(cwd, files);
    commitAll(cwd, `Change ${Object.keys(files).join(", ")}`);
  }
  git(cwd, "checkout", "-q", "main");
}

export function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
