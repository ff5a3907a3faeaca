/**
 * Refs on the remote that hold a small record each. A push that names the expected old value is an
 * atomic compare-and-swap on the server; nothing here forces or deletes, except pruning.
 */

import { countAndLimit, quotedName } from "../../../src/plain_text.ts";
import { orElse, RefraktError } from "../../../src/errors.ts";
import { gitTrouble } from "../../../src/io/git_ask.ts";
import { asObject } from "../../../src/io/json.ts";
import {
  askScratch,
  LOCAL_ONLY,
  runScratchGit,
  type Scratch,
  type Tip,
  unreachable,
  writeCommit,
} from "./scratch.ts";

type ListedRef = Pick<Tip, "ref" | "hash">;

/** A new value of a ref, in place of the hash that was read; empty if there was none. */
type NewTip = Pick<Tip, "ref" | "record"> & { readonly expected: string };

/** How many refs one prefix may have. */
const MOST_TIPS = 20_000;
/** A longer message is no record of ours. */
const MAX_RECORD = 4000;
/** How much the scratch repository keeps, in KiB: 5,000 records take a few MB. */
const MOST_SCRATCH_KIB = 32 * 1024;
/** How many refs that are too large are searched among the others. */
const MOST_LARGE = 20;
/** How often a push is repeated whose response was lost, or that met another one. */
const PUSH_TRIES = 4;
const PAUSE_MS = 150;

/**
 * Reads refs of ours by their full names.
 *
 * @param patterns The names of refs; `*` stands for the rest of several.
 * @throws {RefraktError} `REMOTE_UNREACHABLE` or `REMOTE_DENIED`.
 */
export async function readTips(scratch: Scratch, ...patterns: string[]): Promise<Map<string, Tip>> {
  const args = ["ls-remote", "--quiet", "--", scratch.address, ...patterns];
  for (let tries = 1;; tries++) {
    const listed = await runScratchGit(args, scratch);
    if (listed.code !== 0) throw failure(scratch, listed);
    const refs = listed.printed.split("\n").map((line) => line.split("\t"))
      .flatMap(([hash = "", ref = ""]) => ref.startsWith(scratch.prefix) ? [{ ref, hash }] : []);
    requireFew(scratch, refs.length, "claims and ids", MOST_TIPS);
    const records = new Map<string, Tip["record"]>();
    await addRecords(records, scratch, refs);
    const missing = refs.filter(({ hash }) => !records.has(hash));
    // A ref that was deleted in between is listed again.
    if (!await fetchRefs(scratch, missing) && tries < PUSH_TRIES) continue;
    await addRecords(records, scratch, missing);
    return new Map(refs.map((tip) => [tip.ref, { ...tip, record: records.get(tip.hash) ?? {} }]));
  }
}

/**
 * Replaces the values of refs with one push, each if it still is the expected one.
 *
 * @returns The value of each after that, and whether it is ours.
 * @throws {RefraktError} `REMOTE_UNREACHABLE` or `REMOTE_DENIED`; nothing is known to be written.
 */
export async function swapRefs(scratch: Scratch, changes: readonly NewTip[]) {
  const swaps = new Map<string, { isOurs: boolean; tip: Tip | undefined }>();
  let open: (Tip & NewTip)[] = [];
  for (const change of changes) {
    const { expected, record } = change;
    const parents = expected === "" || scratch.tooLarge.has(expected) ? [] : [expected];
    const message = JSON.stringify({ ...record, nonce: crypto.randomUUID() });
    open.push({ ...change, hash: await writeCommit(message, parents, scratch) });
  }
  for (let tries = 1; open.length > 0; tries++) {
    const failed = await push(scratch, open);
    // A refused push may be the second copy of one that has landed, and a lost response says
    // nothing: only the refs themselves tell.
    const tips = failed === undefined
      ? new Map(open.map((tip) => [tip.ref, tip]))
      : await readTips(scratch, ...open.map(({ ref }) => ref)).catch((unread) => {
        throw failed.isFinal ? failed.error : unread;
      });
    for (const { ref, hash, expected } of open) {
      const tip = tips.get(ref);
      if ((tip?.hash ?? "") !== expected) swaps.set(ref, { isOurs: tip?.hash === hash, tip });
    }
    open = open.filter(({ ref }) => !swaps.has(ref));
    if (failed === undefined || open.length === 0) break;
    if (failed.isFinal || tries >= PUSH_TRIES) throw failed.error;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * tries * (0.5 + Math.random())));
  }
  return changes.map(({ ref }) => swaps.get(ref)!);
}

/** Deletes refs that still have the given values; ignores those that have not. Best effort. */
export async function deleteRefs(scratch: Scratch, tips: readonly Tip[]): Promise<void> {
  const changes = tips.map(({ ref, hash }) => ({ ref, expected: hash, hash: "" }));
  if (changes.length > 0) await push(scratch, changes);
}

/**
 * Fetches refs. If one among them is too large, it fetches the others without that one.
 *
 * @returns Whether the remote still has all of them.
 */
async function fetchRefs(scratch: Scratch, refs: readonly ListedRef[]): Promise<boolean> {
  if (refs.length === 0) return true;
  const args = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--stdin", "--"];
  const names = refs.map(({ ref }) => `${ref}\n`).join("");
  let isMuch = false;
  const result = await runScratchGit([...args, scratch.address], scratch, names).finally(
    async () => isMuch = await dropIfMuch(scratch),
  );
  if (!isMuch) {
    if (/couldn't find remote ref/.test(result.stderr)) return false;
    if (result.code === 0) return true;
    if (gitTrouble(result.stderr) !== "tooLarge") throw failure(scratch, result);
  }
  if (refs.length === 1) {
    // No record of ours.
    scratch.tooLarge.add(refs[0]!.hash);
    requireFew(scratch, scratch.tooLarge.size, "claims that are too large", MOST_LARGE);
    return true;
  }
  const middle = refs.length >> 1;
  return await fetchRefs(scratch, refs.slice(0, middle)) &&
    await fetchRefs(scratch, refs.slice(middle));
}

/** Empties the scratch repository if it holds more than records take, such as files of a remote. */
async function dropIfMuch(scratch: Scratch): Promise<boolean> {
  const sizes = (await askScratch(["count-objects", "-v"], scratch)).matchAll(/^size.*: (\d+)$/gm);
  const isMuch = sizes.reduce((sum, [, size]) => sum + Number(size), 0) > MOST_SCRATCH_KIB;
  if (isMuch) await askScratch(["gc", "--quiet", "--prune=now"], scratch);
  return isMuch;
}

/** Adds the messages of the commits that the scratch repository has. */
async function addRecords(
  records: Map<string, Tip["record"]>,
  scratch: Scratch,
  refs: readonly ListedRef[],
): Promise<void> {
  if (refs.length === 0) return;
  const hashes = refs.map(({ hash }) => `${hash}\n`).join("");
  const sizes = await askScratch(["cat-file", "--batch-check"], scratch, hashes);
  const small: string[] = [];
  for (const line of sizes.split("\n")) {
    const [hash = "", type, size] = line.split(" ");
    if (type === "commit" && Number(size) <= MAX_RECORD) small.push(hash);
    // A foreign object is no record, and not missing.
    else if (type !== "missing" || scratch.tooLarge.has(hash)) records.set(hash, {});
  }
  if (small.length === 0) return;
  const args = ["log", "--no-walk=unsorted", "--stdin", "-z", "--format=%H%n%B"];
  for (const text of (await askScratch(args, scratch, small.join("\n"))).split("\0")) {
    const [hash = "", ...message] = text.split("\n");
    records.set(hash, orElse(() => asObject(JSON.parse(message.join("\n"))), {}));
  }
}

/**
 * Pushes values, each under its expected old value; an empty new value deletes.
 *
 * @returns Why it failed, and whether that stays so.
 */
async function push(scratch: Scratch, changes: readonly (ListedRef & Pick<NewTip, "expected">)[]) {
  const leases = changes.map(({ ref, expected }) => `--force-with-lease=${ref}:${expected}`);
  const values = changes.map(({ ref, hash }) => `${hash}:${ref}`);
  const args = ["push", "--porcelain", "--no-verify", "--no-signed", ...leases];
  try {
    const result = await runScratchGit([...args, "--", scratch.address, ...values], scratch);
    if (result.code === 0) return undefined;
    const error = failure(scratch, result);
    // Another push holds the ref's lock: the remote has decided nothing.
    const isLocked = /cannot lock ref|failed to update ref/.test(result.printed);
    return { error, isFinal: error.code === "REMOTE_DENIED" && !isLocked };
  } catch (error) {
    if (scratch.signal.aborted) throw error;
    return { error, isFinal: true };
  } finally {
    scratch.last.at = -Infinity;
  }
}

/** The meanings of what git and hosts print, which answers give instead of the printed words. */
const MEANINGS: readonly (readonly [words: RegExp, meaning: string, isDenied?: true])[] = [
  [/authentication failed|could not read (?:username|password)|\b401\b/i, "no valid login", true],
  [/protected|hook declined|read-only/i, "its rules forbid a push of these refs", true],
  [/permission denied|\b403\b|denied to|not authorized|access denied/i, "missing rights", true],
  [/\[remote rejected\]/, "it rejects the push", true],
  [/could not resolve host(?:name)?|name or service not known/i, "its host is unknown"],
  [/host key verification failed/i, "its host key is unknown"],
  [/certificate|SSL|TLS/, "its certificate is not accepted"],
  [/transport '\w+' not allowed/, "its protocol is not allowed"],
  [/connection|connect to|timed out|low speed/i, "no connection"],
  [/does not appear to be a git repository|not found|\b404\b/i, "no repository is there"],
  [/$/, "run git ls-remote with this address to see why"],
];

/** The error for a failed request. */
function failure(
  { publicAddress: address }: Scratch,
  { printed, stderr }: Record<"printed" | "stderr", string>,
): RefraktError {
  const words = [...printed.split("\n").filter((line) => line.startsWith("!")), stderr].join(" ");
  const [, said, isDenied] = MEANINGS.find(([pattern]) => pattern.test(words))!;
  if (!isDenied) return unreachable(address, said);
  return new RefraktError("REMOTE_DENIED", `${quotedName(address)} refused the request`, {
    hint: "A token needs the right to write contents. If only some branches may be pushed, pass " +
      `--remote-refs refs/heads/<allowed>/refrakt/. ${LOCAL_ONLY}`,
    data: { remote: { address, said } },
  });
}

function requireFew(scratch: Scratch, count: number, things: string, limit: number): void {
  if (count <= limit) return;
  const counted = countAndLimit(count, things, limit);
  const message = `${quotedName(scratch.publicAddress)} has ${counted}`;
  throw new RefraktError("REMOTE_UNREACHABLE", message, {
    hint: `Remove the refs below ${quotedName(scratch.prefix)} that are no claims. ${LOCAL_ONLY}`,
  });
}
