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
  readPlan,
  statusOf,
} from "./facts.ts";

interface Commit {
  readonly parents: readonly string[];
  readonly files: Files;
  readonly day: string;
}

/** The state of an entity in another place. */
export interface Elsewhere {
  readonly place: string;
  readonly item: Entity;
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

  constructor(readonly cwd: string, files: Files) {
    git(cwd, "init", "-q", "-b", "main");
    git(cwd, "add", "-A");
    this.#commit(cwd, "Start");
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
  commit(files: Files, message = "Change the plan", merged: readonly string[] = []): void {
    const { files: before } = this.commits.get(this.head)!;
    if (merged.length === 0 && JSON.stringify(before) === JSON.stringify(files)) return;
    git(this.cwd, "add", "-A", "plan");
    this.#commit(this.cwd, message);
    this.record(files, [this.head, ...merged]);
  }

  #commit(cwd: string, message: string): void {
    const date = `${dayOf(this.commits.size)}T12:00:00Z`;
    git(cwd, "commit", "-q", "--allow-empty", `--date=${date}`, "-m", message);
  }

  /** The day on which a file got the text that it has, if no merge blurs that. */
  modified(file: string, text: string): string | undefined {
    let at = this.head;
    if (this.filesOf(at)[file] !== text) return undefined;
    for (;;) {
      const { parents, day } = this.commits.get(at)!;
      if (parents.length > 1) return undefined;
      if (parents.length === 0 || this.filesOf(parents[0]!)[file] !== text) return day;
      at = parents[0]!;
    }
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
    this.#commit(path, "Work elsewhere");
    this.record(readTree(join(path, "plan")), [this.branches.get(branch)!], branch);
  }

  removeWorktree(folder: string): void {
    git(this.cwd, "worktree", "remove", "--force", folder);
    this.worktrees.delete(folder);
  }

  /** A merged branch, or one with the same commit. */
  contains(hash: string): boolean {
    return this.#ancestors(this.head).has(hash);
  }

  isFastForward(hash: string): boolean {
    return this.#ancestors(hash).has(this.head);
  }

  forward(hash: string): void {
    this.branches.set(this.branch, hash);
  }

  filesOf(hash: string): Files {
    return this.commits.get(hash)!.files;
  }

  #ancestors(hash: string): Set<string> {
    const found = new Set([hash]);
    for (const one of found) for (const parent of this.commits.get(one)!.parents) found.add(parent);
    return found;
  }

  /** The newest common ancestors of HEAD and a commit; a crossing of merges has several. */
  bases(hash: string): string[] {
    const shared = [...this.#ancestors(hash).intersection(this.#ancestors(this.head))];
    return shared.filter((one) =>
      shared.every((other) => other === one || !this.#ancestors(other).has(one))
    );
  }

  /** The plans of other branches and worktrees, each with that of its merge base. */
  #places(): { place: string; plan: Plan; base: Plan }[] {
    const checkedOut = new Set(this.worktrees.values());
    const branches = [...this.branches].filter(([name, hash]) =>
      name !== this.branch && !checkedOut.has(name) && !this.contains(hash)
    ).map(([place, hash]) => ({ place, hash, files: this.filesOf(hash) }));
    const folders = [...this.worktrees].map(([folder, branch]) => ({
      place: folder,
      hash: this.branches.get(branch)!,
      files: readTree(join(this.cwd, folder, "plan")),
    }));
    return [...branches, ...folders].map(({ place, hash, files }) => ({
      place,
      plan: readPlan(files),
      base: readPlan(this.filesOf(this.bases(hash)[0]!)),
    }));
  }

  get isMerged(): boolean {
    return [...this.#ancestors(this.head)].some((hash) =>
      this.commits.get(hash)!.parents.length > 1
    );
  }

  /** Whether merge bases are ambiguous, so that nobody can say what a branch changed. */
  get isCrossed(): boolean {
    return [...this.branches.values()].some((hash) => this.bases(hash).length > 1);
  }

  /** Who else has taken up ready items, by id; whoever asks has not taken their own. */
  taken(here: Plan, assignee?: string): Map<string, Elsewhere> {
    const all = this.#places().flatMap(({ place, plan, base }) =>
      plan.filter((item) => {
        const own = here.find(({ id }) => id === item.id);
        const before = base.find(({ id }) => id === item.id);
        return own !== undefined && isReady(own) && isTakenUp(item) &&
          statusOf(item) !== statusOf(own) &&
          (before === undefined || statusOf(before) !== statusOf(item)) &&
          (assignee === undefined || ownerOf(item) !== assignee);
      }).map((item) => [item.id, { place, item }] as const)
    );
    return new Map(all);
  }

  /** Every id of every branch and worktree. */
  ids(): Set<string> {
    return new Set(this.#places().flatMap(({ plan }) => plan.map(({ id }) => id)));
  }
}
