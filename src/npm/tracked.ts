/**
 * Asks git which packages come with a repository: again if its index has changed, because a checkout
 * may change files while the server runs.
 */

import { dirname, join, resolve } from "node:path";
import { messageOf, orElse, RefraktError } from "../errors.ts";
import { type GitResult, gitTrouble, runGit, runGitSync, UNREADABLE } from "../io/git.ts";
import { repositoryOf } from "../io/git_settings.ts";
import { realPathOf } from "../io/paths.ts";
import { mayRunGit } from "../io/permissions.ts";
import { readIfExists } from "../io/read.ts";
import { fileStamp, NO_FILE } from "../io/stamp.ts";
import { folderOf, perBurst } from "./folders.ts";

/** Returns why a path belongs to the repository, such as `is tracked by git`, or `undefined`. */
type Tracked = (path: string) => string | undefined;

/** What git tracks below a folder. */
interface Listing {
  readonly tracked: Tracked;
  /** The stamp of git's index; {@linkcode NO_FILE} where it cannot be read. */
  readonly stamp: string;
  /** When git was asked, by `performance.now()`. */
  readonly askedAt: number;
  /** Git did not answer in time: asking again without a timeout could block the server. */
  readonly isLate: boolean;
}

const listings = new Map<string, Listing>();
const pending = new Map<string, Promise<void>>();

/** Timeout for listing git's index, in milliseconds. */
const TIMEOUT_MS = 10_000;
/** The maximum age of a listing whose index has no readable stamp, in milliseconds. */
const UNSTAMPED_MS = 500;

/** `--cached` is the default: every entry of the index, whatever its state. */
const LIST: readonly string[] = ["ls-files", "--stage", "-z"];

/**
 * Returns why a path belongs to a repository, or `undefined`. Without permission to run git, nothing
 * does: code in the process cannot run git either.
 */
export function trackedReason(path: string): string | undefined {
  for (const folder of folderOf(dirname(path)).repositories) {
    const reason = trackedIn(folder)(path);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Returns the listing of a folder, asking git again if its index has changed. */
const trackedIn = perBurst((folder): Tracked => {
  if (!mayRunGit()) return () => undefined;
  let listing = listings.get(folder);
  if (listing === undefined || isStale(folder, listing) && !listing.isLate) {
    listing = listingOf(folder, indexStamp(folder), askNow(folder));
    listings.set(folder, listing);
  }
  return listing.tracked;
});

function askNow(folder: string): GitResult | { readonly error: unknown } {
  try {
    return runGitSync(LIST, folder);
  } catch (error) {
    return { error };
  }
}

/** Asks git ahead of {@linkcode trackedReason}, without blocking and with a timeout. */
export async function askGit(path: string): Promise<void> {
  if (!mayRunGit()) return;
  await Promise.all(
    folderOf(dirname(path)).repositories.map((folder) => {
      const known = listings.get(folder);
      if (known !== undefined && !isStale(folder, known)) return;
      return pending.getOrInsertComputed(
        folder,
        () => list(folder).finally(() => pending.delete(folder)),
      );
    }),
  );
}

async function list(folder: string): Promise<void> {
  const stamp = indexStamp(folder);
  const options = { cwd: folder, timeoutMs: TIMEOUT_MS };
  const answer = await runGit(LIST, options).catch((error: unknown) => ({ error }));
  listings.set(folder, listingOf(folder, stamp, answer));
}

function isStale(folder: string, { stamp, askedAt, isLate }: Listing): boolean {
  if (stamp !== NO_FILE) return indexStamp(folder) !== stamp;
  return !isLate && performance.now() - askedAt > UNSTAMPED_MS;
}

function listingOf(
  folder: string,
  stamp: string,
  answer: GitResult | { readonly error: unknown },
): Listing {
  const listing = (tracked: Tracked, isLate = false): Listing => ({
    tracked,
    stamp,
    askedAt: performance.now(),
    isLate,
  });
  if ("error" in answer) {
    const { error } = answer;
    const isLate = error instanceof RefraktError && error.code === "TIMEOUT";
    return listing(() => `may come with the repository: ${messageOf(error)}`, isLate);
  }
  const { code, stdout, stderr } = answer;
  if (code === 0) return listing(trackedBy(folder, new TextDecoder().decode(stdout)));
  if (gitTrouble(stderr) === "noRepository" && repositoryOf(folder) === undefined) {
    return listing(() => undefined);
  }
  return listing(() => `may come with the repository: ${UNREADABLE}`);
}

function indexStamp(folder: string): string {
  const git = join(folder, ".git");
  try {
    if (Deno.statSync(git).isDirectory) return fileStamp(join(git, "index")) + fileStamp(git);
    const [, target] = /^gitdir: (.+)$/m.exec(readIfExists(folder, git, "manifest") ?? "") ?? [];
    return target === undefined ? NO_FILE : fileStamp(join(resolve(folder, target), "index"));
  } catch {
    return NO_FILE;
  }
}

/** The modes of symbolic links, submodules and folders of a sparse index. */
const LINK_MODES = new Set(["120000", "160000", "040000"]);

function trackedBy(folder: string, listed: string): Tracked {
  const links = new Set<string>();
  const paths = new Set<string>();
  const top = keyOf(folder);
  for (const entry of listed.split("\0")) {
    if (entry === "") continue;
    const path = join(folder, entry.slice(entry.indexOf("\t") + 1).replace(/\/$/, ""));
    const key = keyOf(path);
    const isLink = LINK_MODES.has(entry.slice(0, 6));
    const holdsPackages = PACKAGES.test(key);
    if (isLink) links.add(key);
    if (isLink && holdsPackages) links.add(keyOf(targetOf(path)));
    if (!isLink && !holdsPackages) continue;
    for (let at = key; at.length > top.length && !paths.has(at); at = dirname(at)) paths.add(at);
  }
  return (path) => {
    const key = keyOf(path);
    if (paths.has(key)) return "is tracked by git";
    for (let at = key; at.length > top.length; at = dirname(at)) {
      if (links.has(at)) return "is tracked by git, as a link, a submodule or a folder";
    }
    return undefined;
  };
}

/** Folders that may hold packages: `node_modules`, or Deno's cache. */
const PACKAGES = /\/(?:node_modules|npm)(?:\/|$)/;

/** What a link in `node_modules` loads: resolving an import does not show that it went through. */
function targetOf(link: string): string {
  return orElse(() => realPathOf(link), link);
}

/** Ignores case and Unicode composition, because some file systems do. */
function keyOf(path: string): string {
  return path.replaceAll("\\", "/").normalize("NFC").toLowerCase();
}
