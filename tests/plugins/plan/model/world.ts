/** A plan on disk with two servers, an editor and git: what a sequence of steps works on. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { git, makeProject, readTree, writeFiles } from "../../../support/project.ts";
import type { Answer, Asked } from "../../../support/server.ts";
import { assigneeOf, type Files, isReady, isTakenUp, type Plan } from "./plan.ts";
import { readPlan, statusOf } from "./plan.ts";

export type Args = Readonly<Record<string, unknown>>;

/** Choices of a step, the same for the same seed. */
export class Dice {
  constructor(private state: number) {}

  below(count: number): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor(this.state / 2 ** 32 * count);
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)]!;
  }

  /** Whether one of a number of cases is met. */
  isOneOf(count: number): boolean {
    return this.below(count) === 0;
  }
}

export class World {
  readonly cwd = makeProject({ ".gitignore": ".trees\n", "plan/.gitkeep": "\n" });
  readonly history: History | undefined;
  /** Writes that the server which made them can undo. */
  readonly undoable: {
    token: string;
    server: number;
    before: Files;
    after: Files;
    isUsed: boolean;
  }[] = [];
  /** The calls so far, for messages. */
  readonly log: string[] = [];
  servers: readonly Asked[] = [];
  files: Files = {};
  plan: Plan = [];
  #turn = 0;

  constructor(files: Files, isGit: boolean) {
    this.write(files);
    if (isGit) this.history = new History(this.cwd, this.files);
  }

  /** Writes files of the plan as an editor does; an empty text removes one. */
  write(files: Files): void {
    writeFiles(join(this.cwd, "plan"), files);
    for (const file of Object.keys(files).filter((file) => files[file] === "")) {
      Deno.removeSync(join(this.cwd, "plan", file));
    }
    this.look();
  }

  look(): void {
    this.files = readTree(join(this.cwd, "plan"));
    this.plan = readPlan(this.files);
  }

  /** Calls a tool of one of the servers, each in its turn. */
  async call(tool: string, args: Args = {}, server = this.#turn++ % 2): Promise<Answer> {
    return await this.servers[server]!.call(tool, args);
  }

  async ok(tool: string, args: Args = {}) {
    const answer = await this.call(tool, args);
    assert.ok(!answer.isError, `${tool} ${JSON.stringify(args)}: ${answer.content[0].text}`);
    return answer.structuredContent;
  }

  /** A call that writes: of what it does not change, every byte stays, as line ends do. */
  async change(tool: string, args: Args, server = this.#turn++ % 2): Promise<Answer> {
    this.log.push(`${tool} ${JSON.stringify(args)}`);
    const [before, plan] = [this.files, this.plan];
    const answer = await this.call(tool, args, server);
    this.look();
    const isChanged = JSON.stringify(before) !== JSON.stringify(this.files);
    const { undo: token } = answer.structuredContent ?? {};
    if (token !== undefined) {
      this.undoable.push({ token, server, before, after: this.files, isUsed: false });
    }
    assert.equal(token !== undefined, isChanged, `${tool}: what changes files can be undone`);
    const mayWrite = answer.isError !== true && args["preview"] !== true;
    assert.ok(mayWrite || !isChanged, `${tool}: an error or a preview writes nothing`);
    for (const entity of this.plan) {
      const { file } = entity;
      const text = this.files[file]!;
      if (before[file]?.includes("\r\n")) assert.doesNotMatch(text, /(?<!\r)\n/, `CRLF of ${file}`);
      const same = plan.find((other) => other.file === file);
      if (JSON.stringify(same) === JSON.stringify(entity)) assert.equal(text, before[file], file);
    }
    return answer;
  }
}

/** A model of the repository: commits with the plan's files, branches, and a worktree. */
export class History {
  readonly commits = new Map<string, { parents: readonly string[]; files: Files }>();
  /** The tips of branches by name. */
  readonly branches = new Map<string, string>();
  branch = "main";
  /** The branch of the worktree, if there is one. */
  worktree: string | undefined;
  readonly folder: string;

  constructor(readonly cwd: string, files: Files) {
    this.folder = join(cwd, ".trees/w");
    git(cwd, "init", "-q", "-b", "main", "--template=");
    this.#commit(cwd, files, [], "main");
  }

  get head(): string {
    return this.branches.get(this.branch)!;
  }

  /** Commits what differs from HEAD, or a merge. */
  commit(files: Files, ...merged: readonly string[]): void {
    const isSame = JSON.stringify(this.filesOf(this.head)) === JSON.stringify(files);
    if (!isSame || merged.length > 0) {
      this.#commit(this.cwd, files, [this.head, ...merged], this.branch);
    }
  }

  #commit(cwd: string, files: Files, parents: readonly string[], branch: string): void {
    git(cwd, "add", "-A");
    git(cwd, "commit", "-q", "--allow-empty", "-m", `Change ${this.commits.size}`);
    const hash = git(cwd, "rev-parse", "HEAD");
    this.branches.set(branch, hash);
    this.commits.set(hash, { parents, files });
  }

  /** Goes to a branch, a new one if it does not exist. */
  checkout(branch: string): void {
    git(this.cwd, "checkout", "-q", ...this.branches.has(branch) ? [] : ["-b"], branch);
    this.branches.getOrInsert(branch, this.head);
    this.branch = branch;
  }

  /** Changes files in the worktree, which is begun, and commits them sometimes. */
  workBeside(change: (files: Files) => Files, isCommitted: boolean): void {
    if (this.worktree === undefined) {
      this.worktree = `w${this.branches.size}`;
      git(this.cwd, "worktree", "add", "-q", "-b", this.worktree, this.folder);
      this.branches.set(this.worktree, this.head);
    }
    const plan = join(this.folder, "plan");
    const files = Object.entries(change(readTree(plan))).filter(([, text]) => text !== "");
    writeFiles(plan, Object.fromEntries(files));
    const tip = this.branches.get(this.worktree)!;
    if (isCommitted) this.#commit(this.folder, readTree(plan), [tip], this.worktree);
  }

  filesOf(hash: string): Files {
    return this.commits.get(hash)?.files ?? {};
  }

  ancestors(hash: string): Set<string> {
    const all = new Set([hash]);
    for (const each of all) for (const parent of this.commits.get(each)!.parents) all.add(parent);
    return all;
  }

  /** The newest common ancestor of HEAD and a commit: what is merged had one parent. */
  baseOf(hash: string): string {
    const shared = this.ancestors(hash).intersection(this.ancestors(this.head));
    return [...this.commits.keys()].findLast((each) => shared.has(each))!;
  }

  get isMerged(): boolean {
    return [...this.ancestors(this.head)].some((hash) => this.commits.get(hash)!.parents[1]);
  }

  /** The plans of other branches and of the worktree, and of their merge bases. */
  #others(): { plan: Plan; base: Plan }[] {
    return [...this.branches].flatMap(([name, hash]) => {
      const isOpen = name === this.worktree;
      if (!isOpen && (name === this.branch || this.ancestors(this.head).has(hash))) return [];
      const files = isOpen ? readTree(join(this.folder, "plan")) : this.filesOf(hash);
      return { plan: readPlan(files), base: readPlan(this.filesOf(this.baseOf(hash))) };
    });
  }

  /** The ready items that others have taken up; whoever asks has not taken their own. */
  taken(here: Plan, assignee?: string): Set<string> {
    const items = this.#others().flatMap(({ plan, base }) =>
      plan.filter((item) => {
        const before = base.find(({ id }) => id === item.id);
        return isTakenUp(item) && assigneeOf(item) !== (assignee ?? false) &&
          (before === undefined || statusOf(before) !== statusOf(item));
      })
    );
    const ready = here.filter(isReady).map(({ id }) => id);
    return new Set(items.map(({ id }) => id).filter((id) => ready.includes(id)));
  }

  /** Every id of every branch, of the worktree, and of the commits before HEAD. */
  ids(): Set<string> {
    const others = this.#others().flatMap(({ plan }) => plan);
    const before = [...this.ancestors(this.head)].flatMap((hash) => readPlan(this.filesOf(hash)));
    return new Set([...others, ...before].map(({ id }) => id));
  }
}
