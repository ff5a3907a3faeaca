/**
 * The scratch repository that pushes to the remote: outside the project, with nothing in it but our
 * commits. Git itself finds and makes the folder, so Deno needs no permission for it.
 */

import { RefraktError } from "../../../src/errors.ts";
import type { GitResult } from "../../../src/io/git.ts";
import { runRemoteGit } from "../../../src/io/git_remote.ts";
import { nodeModule } from "../../../src/io/node_module.ts";
import type { RemoteAddress } from "./address.ts";

/** A scratch repository, for one call. */
export interface Scratch extends RemoteAddress {
  readonly signal: AbortSignal;
  /** Its absolute path. */
  readonly path: string;
  /** The random id of this clone, made with the repository. */
  readonly clone: string;
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
  const known = await cloneOf(inside);
  if (known !== undefined) return { ...remote, path, clone: known, signal };
  const made = await scratchGit(inside, ["init", "--quiet", "--bare", "--template=", path]);
  if (made.code !== 0) throw noScratch();
  const tree = await scratchGit(inside, ["mktree"], "");
  if (tree.code !== 0) throw noScratch();
  const args = ["commit-tree", EMPTY_TREE, "-F", "-"];
  const commit = await scratchGit(inside, args, crypto.randomUUID());
  if (commit.code !== 0) throw noScratch();
  // Two servers may start at once: the first one's id stays.
  await scratchGit(inside, ["update-ref", CLONE_REF, printedBy(commit).trim(), NO_COMMIT]);
  const clone = await cloneOf(inside);
  if (clone === undefined) throw noScratch();
  return { ...remote, path, clone, signal };
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
