/** A model of a repository: commits with the plan's files, branches and worktrees. */

import { join } from "node:path";
import { git, readTree } from "../../../support/project.ts";
import {
  type Entity,
  type Files,
  isReady,
  isTakenUp,
  ownerOf,
  type Plan,
  readEntity,
  readPlan,
  statusOf,
} from "./facts.ts";

interface Commit {
  readonly parents: readonly string[];
  readonly files: Files;
  readonly day: string;
}

/** The day of a commit by its number: none is of today, as every checkout is. */
const dayOf = (count: number) => `2026-02-${String(count % 27 + 1).padStart(2, "0")}`;

export class History {
  readonly commits = new Map<string, Commit>();
  /** The tips of branches by name. */
  readonly branches = new Map<string, string>();
  /** The branches of worktrees by folder. */
  readonly worktrees = new Map<string, string>();
  branch = "main";

  /** @param isConfined Whether servers may not read what lies outside of the project. */
  constructor(readonly cwd: string, files: Files, readonly isConfined: boolean) {
    git(cwd, "init", "-q", "-b", "main", "--template=");
    git(cwd, "add", "-A");
    this.#commit(cwd);
    this.record(files, []);
  }

  get head(): string {
    return this.branches.get(this.branch)!;
  }

  /** Takes up what a branch points to now. */
  record(files: Files, parents: readonly string[], branch = this.branch): void {
    const hash = Deno.readTextFileSync(join(this.cwd, ".git/refs/heads", branch)).trim();
    this.branches.set(branch, hash);
    const day = dayOf(this.commits.size);
    if (!this.commits.has(hash)) this.commits.set(hash, { parents, files, day });
  }

  /** Commits what differs from HEAD, if anything does. */
  commit(files: Files): void {
    if (JSON.stringify(this.filesOf(this.head)) === JSON.stringify(files)) return;
    git(this.cwd, "add", "-A", "plan");
    this.#commit(this.cwd);
    this.record(files, [this.head]);
  }

  /** Commits a merge with another commit. */
  commitMerge(files: Files, hash: string): void {
    git(this.cwd, "add", "-A", "plan");
    this.#commit(this.cwd);
    this.record(files, [this.head, hash]);
  }

  #commit(cwd: string): void {
    const date = `${dayOf(this.commits.size)}T12:00:00Z`;
    git(cwd, "commit", "-q", "--allow-empty", `--date=${date}`, "-m", "Change the plan");
  }

  /** The commit that gave a file the text of HEAD, if no merge blurs that. */
  #lastOf(file: string): Commit | undefined {
    for (let at = this.head;;) {
      const commit = this.commits.get(at)!;
      const [parent, ...others] = commit.parents;
      if (others.length > 0) return undefined;
      if (parent === undefined || this.filesOf(parent)[file] !== commit.files[file]) return commit;
      at = parent;
    }
  }

  /** The day on which a file got the text that it has. */
  modified(file: string, text: string): string | undefined {
    return this.filesOf(this.head)[file] === text ? this.#lastOf(file)?.day : undefined;
  }

  /** What the last commit of a file has changed. */
  before(file: string): Entity | undefined {
    const text = this.filesOf(this.#lastOf(file)?.parents[0] ?? "")[file];
    return text === undefined ? undefined : readEntity(file, text);
  }

  /** A file that HEAD has changed. */
  get changed(): string | undefined {
    const { parents: [parent = ""], files } = this.commits.get(this.head)!;
    return Object.keys(files).find((file) => this.filesOf(parent)[file] !== files[file]);
  }

  /** Goes to a branch, a new one if it does not exist. */
  checkout(branch: string): void {
    const isNew = !this.branches.has(branch);
    git(this.cwd, "checkout", "-q", ...isNew ? ["-b"] : [], branch);
    if (isNew) this.branches.set(branch, this.head);
    this.branch = branch;
  }

  addWorktree(folder: string, branch: string): void {
    git(this.cwd, "worktree", "add", "-q", "-b", branch, folder);
    this.branches.set(branch, this.head);
    this.worktrees.set(folder, branch);
  }

  commitWorktree(folder: string): void {
    const [branch, path] = [this.worktrees.get(folder)!, join(this.cwd, folder)];
    git(path, "add", "-A", "plan");
    this.#commit(path);
    this.record(readTree(join(path, "plan")), [this.branches.get(branch)!], branch);
  }

  removeWorktree(folder: string): void {
    git(this.cwd, "worktree", "remove", "--force", folder);
    this.worktrees.delete(folder);
  }

  filesOf(hash: string): Files {
    return this.commits.get(hash)?.files ?? {};
  }

  ancestors(hash: string): Set<string> {
    const found = new Set([hash]);
    for (const one of found) for (const parent of this.commits.get(one)!.parents) found.add(parent);
    return found;
  }

  /** The newest common ancestors of HEAD and a commit; a crossing of merges has several. */
  bases(hash: string): string[] {
    const shared = [...this.ancestors(hash).intersection(this.ancestors(this.head))];
    return shared.filter((one) =>
      shared.every((other) => other === one || !this.ancestors(other).has(one))
    );
  }

  get isMerged(): boolean {
    return [...this.ancestors(this.head)].some((one) => this.commits.get(one)!.parents.length > 1);
  }

  /** Whether merge bases are ambiguous, so that nobody can say what a branch changed. */
  get isCrossed(): boolean {
    return [...this.branches.values()].some((hash) => this.bases(hash).length > 1);
  }

  #isUnread = (folder: string) => this.isConfined && folder.startsWith("..");

  /** Whether the servers can read only the commits of a worktree. */
  get hasUnread(): boolean {
    return [...this.worktrees.keys()].some(this.#isUnread);
  }

  /** The plans of other branches and worktrees, as servers can read them, and of their merge bases. */
  #places(): { plan: Plan; base: Plan }[] {
    const folders = new Map([...this.worktrees].map(([folder, branch]) => [branch, folder]));
    return [...this.branches].flatMap(([name, hash]) => {
      const folder = folders.get(name);
      const isOpen = folder !== undefined && !this.#isUnread(folder);
      if (!isOpen && (name === this.branch || this.ancestors(this.head).has(hash))) return [];
      const files = isOpen ? readTree(join(this.cwd, folder, "plan")) : this.filesOf(hash);
      return { plan: readPlan(files), base: readPlan(this.filesOf(this.bases(hash)[0]!)) };
    });
  }

  /** Who else has taken up ready items, by id; whoever asks has not taken their own. */
  taken(here: Plan, assignee?: string): Map<string, string> {
    const all = this.#places().flatMap(({ plan, base }) =>
      plan.filter((item) => {
        const own = here.find(({ id }) => id === item.id);
        const before = base.find(({ id }) => id === item.id);
        return own !== undefined && isReady(own) && isTakenUp(item) &&
          (before === undefined || statusOf(before) !== statusOf(item)) &&
          (assignee === undefined || ownerOf(item) !== assignee);
      })
    );
    return new Map(all.toReversed().map((item) => [item.id, ownerOf(item)]));
  }

  /** Every id of every branch and worktree. */
  ids(): Set<string> {
    return new Set(this.#places().flatMap(({ plan }) => plan.map(({ id }) => id)));
  }
}
