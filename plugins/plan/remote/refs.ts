/**
 * Refs on the remote that hold a small record each. A push that names the expected old value is an
 * atomic compare-and-swap on the server; nothing here forces or deletes, except pruning.
 */

import { RefraktError } from "../../../src/errors.ts";
import type { GitResult } from "../../../src/io/git.ts";
import { runRemoteGit } from "../../../src/io/git_remote.ts";
import { asObject } from "../../../src/io/json.ts";
import { plainLine } from "../../../src/plain_text.ts";
import { withoutSecret } from "./address.ts";
import { EMPTY_TREE, type Scratch, textOf } from "./scratch.ts";

/** A ref's value. */
export interface Tip {
  /** The full name of the ref. */
  readonly ref: string;
  /** The commit. */
  readonly hash: string;
  /** The JSON object of its message; empty if it is no record of ours. */
  readonly record: Readonly<Record<string, unknown>>;
}

/** The outcome of a push: our commit is there, or another one. */
export type Swap = { readonly won: Tip } | { readonly lost: Tip | undefined };

const HASH = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const MAX_NAME = 250;
/** How many refs one prefix may have. */
const MOST_REFS = 20_000;
/** A longer message is no record of ours. */
const MAX_RECORD = 4000;
/** How much the scratch repository keeps, in KiB: 5,000 records take a few MB. */
const MOST_KEPT = 32 * 1024;
/** How often a push is repeated when the server was busy with the same ref. */
const MAX_TRIES = 4;
const PAUSE_MS = 150;

/**
 * Lists the refs below a prefix of ours, such as `claims/`, by their name without it.
 *
 * @throws {RefraktError} `REMOTE_UNREACHABLE` or `REMOTE_DENIED`.
 */
export async function listRefs(
  scratch: Scratch,
  folder: string,
  signal: AbortSignal,
): Promise<Map<string, Tip>> {
  const start = `${scratch.prefix}${folder}`;
  for (let tries = 1;; tries++) {
    const hashes = await hashesOf(scratch, [`${start}*`], signal);
    const records = await readRecords(scratch, hashes, signal);
    // A ref that was deleted in between is listed again.
    if (records === undefined && tries < MAX_TRIES) continue;
    return new Map([...hashes].flatMap(([ref, hash]) => {
      const record = records?.get(hash);
      return record === undefined ? [] : [[ref.slice(start.length), { ref, hash, record }]];
    }));
  }
}

/** Reads one ref; `undefined` if it does not exist. Throws like {@linkcode listRefs}. */
export async function readRef(
  scratch: Scratch,
  name: string,
  signal: AbortSignal,
): Promise<Tip | undefined> {
  const ref = `${scratch.prefix}${name}`;
  for (let tries = 1;; tries++) {
    const hashes = await hashesOf(scratch, [ref], signal);
    const hash = hashes.get(ref);
    if (hash === undefined) return undefined;
    const records = await readRecords(scratch, new Map([[ref, hash]]), signal);
    if (records === undefined && tries < MAX_TRIES) continue;
    return { ref, hash, record: records?.get(hash) ?? {} };
  }
}

/**
 * Replaces a ref's value, if it still is the expected one.
 *
 * @param name The ref's name without our prefix.
 * @param expected The value that was read; `undefined` for a new ref.
 * @throws {RefraktError} `REMOTE_UNREACHABLE` or `REMOTE_DENIED`; nothing is known to be written.
 */
export async function swapRef(
  scratch: Scratch,
  name: string,
  expected: Tip | undefined,
  record: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Swap> {
  const ref = `${scratch.prefix}${name}`;
  const hash = await commitOf(scratch, expected, record, signal);
  const won = { won: { ref, hash, record } };
  for (let tries = 1;; tries++) {
    const pushed = await push(scratch, [[ref, expected?.hash ?? "", hash]], signal);
    if (pushed.result?.code === 0 && pushed.flags.get(ref) === (expected ? " " : "*")) return won;
    // A refused push may be the second copy of one that has landed, and a lost response says
    // nothing: only the ref itself tells.
    let now: Tip | undefined;
    try {
      now = await readRef(scratch, name, signal);
    } catch (error) {
      throw pushed.error ?? error;
    }
    if (now?.hash === hash) return won;
    if (now?.hash !== expected?.hash) return { lost: now };
    if (tries >= MAX_TRIES) throw pushed.error ?? failure(scratch, pushed.result!, true);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * tries * (0.5 + Math.random())));
  }
}

/** Deletes refs that still have the given values; ignores those that have not. Best effort. */
export async function deleteRefs(
  scratch: Scratch,
  tips: readonly Tip[],
  signal: AbortSignal,
): Promise<void> {
  if (tips.length > 0) await push(scratch, tips.map(({ ref, hash }) => [ref, hash, ""]), signal);
}

/** Lists refs and hashes by patterns. */
async function hashesOf(
  scratch: Scratch,
  patterns: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const args = ["ls-remote", "--quiet", "--", scratch.address, ...patterns];
  const result = await remoteGit(scratch, args, signal);
  if (result.code !== 0) throw failure(scratch, result, false);
  const lines = textOf(result).split("\n").map((line) => line.split("\t"));
  const refs = lines.flatMap(([hash = "", ref = ""]) =>
    HASH.test(hash) && ref.startsWith(scratch.prefix) && ref.length <= MAX_NAME
      ? [[ref, hash] as const]
      : []
  );
  if (refs.length > MOST_REFS) {
    throw unreachable(scratch, `it has more than ${MOST_REFS} refs below ${scratch.prefix}`);
  }
  return new Map(refs);
}

/** Reads the messages of commits; fetches those that are missing; `undefined` if one is gone. */
async function readRecords(
  scratch: Scratch,
  hashes: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<Map<string, Tip["record"]> | undefined> {
  const wanted = [...new Set(hashes.values())];
  let known = await readCommits(scratch, wanted, signal);
  const missing = [...hashes].filter(([, hash]) => !known.has(hash));
  if (missing.length === 0) return known;
  const args = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--stdin", "--"];
  const names = missing.map(([ref]) => `${ref}\n`).join("");
  let result: GitResult;
  try {
    result = await remoteGit(scratch, [...args, scratch.address], signal, names);
  } catch (error) {
    await dropIfMuch(scratch, signal);
    throw error;
  }
  if (await dropIfMuch(scratch, signal)) {
    throw unreachable(scratch, `its claims and ids have more than ${MOST_KEPT / 1024} MB`);
  }
  if (/couldn't find remote ref/.test(result.stderr)) return undefined;
  if (result.code !== 0) throw failure(scratch, result, false);
  known = await readCommits(scratch, wanted, signal);
  return wanted.every((hash) => known.has(hash)) ? known : undefined;
}

/** Empties the scratch repository if it holds more than records take, such as files of a remote. */
async function dropIfMuch({ path: repository }: Scratch, signal: AbortSignal): Promise<boolean> {
  const options = { cwd: repository, repository, signal };
  const counted = textOf(await runRemoteGit(["count-objects", "-v"], options));
  const sizes = Array.from(counted.matchAll(/^size.*: (\d+)$/gm), ([, size]) => Number(size));
  const isMuch = sizes.reduce((sum, size) => sum + size, 0) > MOST_KEPT;
  if (isMuch) await runRemoteGit(["gc", "--quiet", "--prune=now"], options);
  return isMuch;
}

/** Reads the commits that the scratch repository has. */
async function readCommits(
  scratch: Scratch,
  hashes: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, Tip["record"]>> {
  const records = new Map<string, Tip["record"]>();
  if (hashes.length === 0) return records;
  const { path: repository } = scratch;
  const options = { cwd: repository, repository, signal };
  const sizes = await runRemoteGit(["cat-file", "--batch-check"], {
    ...options,
    input: hashes.map((hash) => `${hash}\n`).join(""),
  });
  const small: string[] = [];
  for (const line of textOf(sizes).split("\n")) {
    const [hash = "", type, size] = line.split(" ");
    if (type === "commit" && Number(size) <= MAX_RECORD) small.push(hash);
    // A foreign object is no record, and not missing.
    else if (HASH.test(hash) && type !== "missing") records.set(hash, {});
  }
  if (small.length === 0) return records;
  const read = await runRemoteGit(
    ["log", "--no-walk=unsorted", "--stdin", "-z", "--format=%H%n%B"],
    {
      ...options,
      input: small.map((hash) => `${hash}\n`).join(""),
    },
  );
  for (const text of textOf(read).split("\0")) {
    const end = text.indexOf("\n");
    if (end > 0) records.set(text.slice(0, end), recordOf(text.slice(end + 1)));
  }
  return records;
}

function recordOf(message: string): Tip["record"] {
  try {
    return asObject(JSON.parse(message));
  } catch {
    return {};
  }
}

async function commitOf(
  { path: repository }: Scratch,
  parent: Tip | undefined,
  record: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<string> {
  const args = ["commit-tree", EMPTY_TREE, ...parent === undefined ? [] : ["-p", parent.hash]];
  const result = await runRemoteGit([...args, "-F", "-"], {
    cwd: repository,
    repository,
    signal,
    input: JSON.stringify({ ...record, nonce: crypto.randomUUID() }),
  });
  if (result.code === 0) return textOf(result).trim();
  throw new RefraktError("REMOTE_UNREACHABLE", `No commit: ${plainLine(result.stderr, 300)}`, {
    hint: "Check that ~/.cache/refrakt can be written.",
  });
}

/** Pushes values, each under its expected old value; an empty new value deletes. */
async function push(
  scratch: Scratch,
  changes: readonly (readonly [ref: string, expected: string, hash: string])[],
  signal: AbortSignal,
): Promise<{ result?: GitResult; error?: unknown; flags: Map<string, string> }> {
  const args = [
    "push",
    "--porcelain",
    "--no-verify",
    "--no-signed",
    ...changes.map(([ref, expected]) => `--force-with-lease=${ref}:${expected}`),
    "--",
    scratch.address,
    ...changes.map(([ref, , hash]) => `${hash}:${ref}`),
  ];
  try {
    const result = await remoteGit(scratch, args, signal);
    const lines = textOf(result).split("\n").map((line) => line.split("\t"));
    const flags = new Map(
      lines.flatMap(([flag, refs]) =>
        flag?.length === 1 && refs !== undefined
          ? [[refs.slice(refs.indexOf(":") + 1), flag] as const]
          : []
      ),
    );
    return { result, flags };
  } catch (error) {
    if (signal.aborted) throw error;
    return { error, flags: new Map() };
  }
}

async function remoteGit(
  scratch: Scratch,
  args: readonly string[],
  signal: AbortSignal,
  input?: string,
): Promise<GitResult> {
  const { path: repository, protocols } = scratch;
  const options = { cwd: repository, repository, protocols, signal };
  try {
    return await runRemoteGit(args, { ...options, ...(input === undefined ? {} : { input }) });
  } catch (error) {
    if (signal.aborted || !(error instanceof RefraktError) || error.code === "PERMISSION_DENIED") {
      throw error;
    }
    throw unreachable(scratch, error.message);
  }
}

/** Git's and the hosts' words for missing rights. */
const DENIED =
  /authentication failed|could not read (?:username|password)|permission denied|\b40[13]\b|denied to|not authorized|access denied|protected|hook declined|read-only/i;

/** The error for a failed request, with the remote's words as data. */
function failure(scratch: Scratch, { stdout, stderr }: GitResult, isPush: boolean): RefraktError {
  const porcelain = new TextDecoder().decode(stdout).split("\n").filter((line) => /^!/.test(line));
  const said = plainLine(withoutSecret([...porcelain, stderr].join(" ")), 400);
  if (!DENIED.test(said) && !(isPush && /\[remote rejected\]/.test(said))) {
    return unreachable(scratch, said);
  }
  return new RefraktError("REMOTE_DENIED", `${scratch.shown} refused the request`, {
    hint: "A token needs the right to write contents. If only some branches may be pushed, pass " +
      "--remote-refs refs/heads/<allowed>/refrakt/. localOnly: true claims without the remote.",
    data: { remote: { address: scratch.shown, said } },
  });
}

function unreachable(scratch: Scratch, said: string): RefraktError {
  return new RefraktError("REMOTE_UNREACHABLE", `${scratch.shown} did not answer`, {
    hint: "Try again, or pass localOnly: true to claim without the remote.",
    data: { remote: { address: scratch.shown, said: plainLine(said, 400) } },
  });
}
