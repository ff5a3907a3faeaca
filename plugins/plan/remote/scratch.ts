/**
 * The scratch repository that pushes to the remote: outside the project, with nothing in it but our
 * commits. Git itself finds and makes the folder, so Deno needs no permission for it.
 */

import { RefraktError } from "../../../src/errors.ts";
import type { GitResult } from "../../../src/io/git.ts";
import { runRemoteGit } from "./git_remote.ts";
import { nodeModule } from "../../../src/io/node_module.ts";
import type { RemoteAddress } from "./address.ts";

/** A ref's value. */
export interface Tip {
  /** The full name of the ref. */
  readonly ref: string;
  /** The commit. */
  readonly hash: string;
  /** The JSON object of its message; empty if it is no record of ours. */
  readonly record: Readonly<Record<string, unknown>>;
}

/** A scratch repository, for one call. */
export interface Scratch extends RemoteAddress {
  readonly signal: AbortSignal;
  /** Its absolute path. */
  readonly path: string;
  /** The random id of this clone, made with the repository. */
  readonly clone: string;
  /** Commits of the remote that are too large for git. */
  readonly tooLarge: Set<string>;
  /** The last lists of refs, by their pattern; a push clears them. */
  readonly lists: Map<string, { readonly at: number; readonly tips: ReadonlyMap<string, Tip> }>;
}

/** Holds the commit whose hash is the clone's id; creating a ref is atomic in git. */
const CLONE_REF = "refs/clone";
const NO_COMMIT = "0".repeat(40);
/** The hash of the empty tree, in SHA-1. */
export const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/**
 * Opens the scratch repository of a project and a remote, and makes it at the first call.
 *
 * @param root The project's real path.
 * @throws {RefraktError} `REMOTE_UNREACHABLE` where there is no writable cache folder.
 */
export async function openScratch(
  remote: RemoteAddress,
  root: string,
  signal: AbortSignal,
): Promise<Scratch> {
  const asked = await runRemoteGit(["config", "--type=path", "--get", "refrakt.cache"], {
    cwd: root,
    signal,
    config: ["refrakt.cache=~/.cache/refrakt"],
  });
  const cache = printedBy(asked).trim();
  if (asked.code !== 0 || cache === "") throw noScratch();
  const name = nodeModule("node:crypto").createHash("sha256")
    .update(`${root}\0${remote.address}\0${remote.prefix}`);
  const path = `${cache}/${name.digest("hex").slice(0, 24)}.git`;
  const inside = { path, signal, cwd: root };
  const clone = await cloneOf(inside) ?? await makeClone(inside);
  return { ...remote, path, clone, signal, tooLarge: new Set(), lists: new Map() };
}

/** Makes the repository, and returns the clone's id. */
async function makeClone(inside: Inside): Promise<string> {
  const run = async (args: readonly string[], input?: string) => {
    const result = await scratchGit(inside, args, input);
    if (result.code !== 0) throw noScratch();
    return printedBy(result).trim();
  };
  await run(["init", "--quiet", "--bare", "--template=", inside.path]);
  await run(["mktree"], "");
  const commit = await run(["commit-tree", EMPTY_TREE, "-F", "-"], crypto.randomUUID());
  // Two servers may start at once: the first one's id stays.
  await scratchGit(inside, ["update-ref", CLONE_REF, commit, NO_COMMIT]);
  const clone = await cloneOf(inside);
  if (clone === undefined) throw noScratch();
  return clone;
}

interface Inside extends Pick<Scratch, "path" | "signal"> {
  /** Where git starts, while the repository does not exist. */
  readonly cwd?: string;
}

/** Runs git in a scratch repository, without the remote. */
export function scratchGit(
  { path, signal, cwd = path }: Inside,
  args: readonly string[],
  input?: string,
): Promise<GitResult> {
  return runRemoteGit(args, { cwd, repository: path, signal, input });
}

async function cloneOf(inside: Inside): Promise<string | undefined> {
  const result = await scratchGit(inside, ["rev-parse", "--verify", "--quiet", CLONE_REF]);
  return result.code === 0 ? printedBy(result).trim().slice(0, 12) : undefined;
}

/** The text that git printed. */
export function printedBy({ stdout }: GitResult): string {
  return new TextDecoder().decode(stdout);
}

function noScratch(): RefraktError {
  return new RefraktError("REMOTE_UNREACHABLE", "There is no folder for pushing claims", {
    hint: "Git needs a home folder in which it may write ~/.cache/refrakt.",
  });
}
