/** A plan on disk with two servers, an editor and git: what a sequence of calls works on. */

import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { inProcess } from "../../../support/in_process.ts";
import { exists, git, makeProject, readTree, writeFiles } from "../../../support/project.ts";
import type { Answer, Asked } from "../../../support/server.ts";
import { temporaryFolder } from "../../../support/temporary.ts";
import { type Files, type Plan, readPlan } from "./facts.ts";
import { History } from "./history.ts";

/** Starts a server; with a remote, one that confirms claims there. */
export type Start = (cwd: string, remote?: string) => Promise<Seat>;

/** A client's connection to a running server. */
export interface Seat {
  readonly asked: Asked;
  close(): Promise<void>;
}

/** Serves until `close`, with a function that serves during a test. */
export async function seatOf(
  serve: (test: (asked: Asked) => Promise<void>) => Promise<void>,
): Promise<Seat> {
  const [ready, ended] = [Promise.withResolvers<Asked>(), Promise.withResolvers<void>()];
  const served = serve((asked) => {
    ready.resolve(asked);
    return ended.promise;
  });
  served.catch(ready.reject);
  return {
    asked: await ready.promise,
    close: () => {
      ended.resolve();
      return served;
    },
  };
}

/** A server in this process; scratch repositories of its clones lie below this process's HOME. */
export const IN_PROCESS: Start = (cwd, remote) =>
  seatOf((test) => {
    const options = remote === undefined ? {} : { remote: { remote, prefix: "refs/refrakt/" } };
    return inProcess(cwd, test, options as object);
  });

/** The first call that a text proposes, as in `plan_list { "claimed": true }`. */
const PROPOSED = /\b((?:plan|refrakt)_\w+) (\{.*?\})(?=[\s,.;:]|$)/;

/** A write that can be undone. */
interface Undoable {
  readonly token: string;
  /** The server that remembers it. */
  readonly seat: number;
  readonly before: Files;
  readonly after: Files;
  isUsed: boolean;
}

export class World {
  readonly cwd: string;
  /** A bare repository, if claims are confirmed there. */
  readonly remote: string | undefined;
  readonly history: History | undefined;
  readonly undoable: Undoable[] = [];
  /** The calls so far, for messages. */
  readonly said: string[] = [];
  /** Who has claimed an item on the remote, by id. */
  readonly claims = new Map<string, { readonly owner: string; readonly isHere: boolean }>();
  /** What another clone has claimed: a list of claims is used for half a minute. */
  readonly foreign = new Set<string>();
  /** What another clone has reserved on the remote. */
  readonly reserved = new Set<string>();
  /** The ids that calls here have given. */
  readonly own = new Set<string>();
  files: Files = {};
  plan: Plan = [];
  /** What is offered, as the last check found. */
  offered: readonly string[] = [];
  /** How many steps of the sequence are still to come. */
  left = 0;
  /** A server of another clone, in this process. */
  #other: Seat | undefined;
  #seats: Seat[] = [];
  /** How many calls have written, and how many checks have read: each goes to one server. */
  #writes = 0;
  #checks = 0;
  /** The server that is asked now. */
  #seat = 0;

  constructor(
    files: Files,
    readonly start: Start,
    how: { isGit: boolean; isRemote: boolean; isBeside: boolean },
    /** Another one without a remote: its servers go on with this plan. */
    before?: World,
  ) {
    this.cwd = before?.cwd ?? makeProject({ ".gitignore": ".trees\n", "plan/.gitkeep": "\n" });
    if (before !== undefined) {
      [this.#seats, this.#writes, this.#checks] = [before.#seats, before.#writes, before.#checks];
      this.#clear(before.history !== undefined);
    }
    this.write(files);
    this.look();
    if (how.isGit) this.history = new History(this.cwd, this.files, start !== IN_PROCESS);
    if (how.isBeside) this.history?.addWorktree(this.beside, "beside");
    if (!how.isRemote) return;
    this.remote = join(temporaryFolder(), "origin.git");
    git(this.cwd, "clone", "-q", "--bare", this.cwd, this.remote);
  }

  /** A worktree outside of the project, which real servers may not read. */
  get beside(): string {
    return `../${basename(this.cwd)}-w`;
  }

  async open(): Promise<void> {
    for (const seat of this.#seats.length > 0 ? [] : [0, 1]) await this.restart(seat);
    if (this.remote === undefined) return;
    const clone = join(temporaryFolder(), "clone");
    git(this.cwd, "clone", "-q", this.remote, clone);
    this.#other = await IN_PROCESS(clone, this.remote);
  }

  /** Calls a tool of the other clone's server. */
  async elsewhere(name: string, args: Record<string, unknown>): Promise<Answer | undefined> {
    this.said.push(`another clone: ${name} ${JSON.stringify(args)}`);
    return await this.#other?.asked.call(name, args);
  }

  async restart(seat: number): Promise<void> {
    await this.#seats[seat]?.close();
    this.#seats[seat] = await this.start(this.cwd, this.remote);
    // What can be undone is kept with the process.
    if (this.start === IN_PROCESS) return;
    for (const one of this.undoable) one.isUsed ||= one.seat === seat;
  }

  /** Stops the servers. */
  async close(): Promise<void> {
    for (const seat of [...this.#seats, this.#other]) await seat?.close();
    this.#clear(this.history !== undefined);
  }

  /** Removes the plan's files and the repository. */
  #clear(hasGit: boolean): void {
    const plan = join(this.cwd, "plan");
    for (const file of Object.keys(readTree(plan))) {
      if (file !== ".gitkeep") Deno.removeSync(join(plan, file));
    }
    for (const name of hasGit ? [".git", ".trees", this.beside] : []) {
      const path = join(this.cwd, name);
      if (exists(path)) Deno.removeSync(path, { recursive: true });
    }
  }

  /** Writes files of the plan as an editor does; an empty text removes one. */
  write(files: Files): void {
    writeFiles(join(this.cwd, "plan"), files);
    for (const file of Object.keys(files).filter((file) => files[file] === "")) {
      Deno.removeSync(join(this.cwd, "plan", file));
    }
  }

  /** Reads the plan's files. */
  look(): void {
    this.files = readTree(join(this.cwd, "plan"));
    this.plan = readPlan(this.files);
  }

  /** Calls a tool of a server: of the one whose turn it is. */
  call(name: string, args: Record<string, unknown> = {}, seat = this.#seat): Promise<Answer> {
    return this.#seats[seat]!.asked.call(name, args);
  }

  /** Lets a server answer a whole check; in time, each reads what each has written. */
  nextReader(): void {
    this.#seat = (this.#checks++ >> 1) % this.#seats.length;
  }

  /** How many checks there were. */
  get checks(): number {
    return this.#checks;
  }

  #nextWriter(): number {
    return this.#seat = this.#writes++ % this.#seats.length;
  }

  async ok(name: string, args: Record<string, unknown> = {}) {
    const answer = await this.call(name, args);
    const said = `${name} ${JSON.stringify(args)}`;
    assert.ok(!answer.isError, `${said}: ${answer.errorCode} ${answer.content[0].text}`);
    return answer.structuredContent;
  }

  /** A call that writes: remembers how to undo it, and follows what an error proposes. */
  async change(
    name: string,
    args: Record<string, unknown>,
    seat = this.#nextWriter(),
  ): Promise<Answer> {
    this.said.push(`${name} ${JSON.stringify(args)}`);
    const before = this.files;
    const answer = await this.call(name, args, seat);
    this.look();
    const { undo: token } = answer.structuredContent ?? {};
    const isChanged = JSON.stringify(before) !== JSON.stringify(this.files);
    if (token !== undefined) {
      this.undoable.push({ token, seat, before, after: this.files, isUsed: false });
    }
    const isWrite = !["plan_init", "plan_merge"].includes(name);
    assert.ok(
      !isWrite || (token !== undefined) === isChanged,
      `${name}: what changes files can be undone`,
    );
    if (answer.isError) {
      assert.ok(!isChanged, `An error changes nothing: ${answer.content[0].text}`);
      await this.#follow(`${answer.content[0].text} ${answer.hint ?? ""}`);
    } else if (args["preview"] === true) assert.ok(!isChanged, "A preview changes nothing");
    return answer;
  }

  /** Makes the call that a text proposes, if it only reads. */
  async #follow(text: string): Promise<void> {
    const [, tool = "", given = ""] = PROPOSED.exec(text) ?? [];
    if (!/^plan_(?:list|get|validate|review|history|next|status)$/.test(tool)) return;
    if (given.includes("…") || given.includes("<")) return;
    await this.ok(tool, JSON.parse(given.replace(/(\w+):/g, '"$1":')));
  }
}
