/** Reads git objects after checking their sizes: a few bytes in a pack can become gigabytes. */

import { gitSettings } from "./git_settings.ts";
import { SIZE_LIMITS } from "./read.ts";
import { gitOutput, type GitPlace } from "./git_ask.ts";
import { nodeModule } from "./lazily.ts";

const NEWLINE = 10;
/** The most bytes that git may print of all objects together; they are streamed. */
const MAX_OUTPUT = 4 * 1024 * 1024 * 1024;
/** The most bytes of all texts of one question. */
const MOST_TOGETHER = 64 * 1024 * 1024;

/** The largest commit that git reads with its usual memory, in bytes. */
export const MOST_COMMIT = 120 * 1024 * 1024;
/** The most bytes of larger commits that one question reads. */
export const MOST_LARGE = 480 * 1024 * 1024;

/** An object before it is read. */
export interface ObjectFacts {
  readonly hash: string;
  readonly type: string;
  readonly size: number;
}

/** Returns the facts of objects by their names; `undefined` for those that do not exist. */
export async function checkObjects(
  place: GitPlace,
  names: readonly string[],
): Promise<Map<string, ObjectFacts | undefined>> {
  const objects = new Map<string, ObjectFacts | undefined>();
  if (names.length === 0) return objects;
  const rest = names.values();
  const decoder = new TextDecoder();
  let held = "";
  const take = (piece: Uint8Array) => {
    const lines = (held + decoder.decode(piece, { stream: true })).split("\n");
    held = lines.pop()!;
    for (const line of lines) {
      const [, hash = "", type = "", size] = /^([0-9a-f]+) ([a-z]+) (\d+)$/.exec(line) ?? [];
      const facts = size === undefined ? undefined : { hash, type, size: Number(size) };
      objects.set(rest.next().value!, facts);
    }
  };
  const options = { ...place, input: `${names.join("\n")}\n`, limit: MAX_OUTPUT, take };
  await gitOutput(["cat-file", "--batch-check"], options);
  return objects;
}

/**
 * Reads the texts of blobs. A text is empty if its blob is missing, above the size limit of
 * entities, or beyond the limit of all together.
 */
export async function readBlobs(
  place: GitPlace,
  hashes: Iterable<string>,
  take: (hash: string, text: string) => void,
): Promise<void> {
  const wanted = [...new Set(hashes)];
  const facts = await checkObjects(place, wanted);
  const decoder = new TextDecoder();
  let rest = MOST_TOGETHER;
  const read = wanted.filter((hash) => {
    const size = facts.get(hash)?.size ?? Infinity;
    const isRead = size <= SIZE_LIMITS.plan && size <= rest;
    if (isRead) rest -= size;
    else take(hash, "");
    return isRead;
  });
  await readObjects(place, read, (hash, content) => take(hash, decoder.decode(content)));
}

/** The texts of blobs by their hashes, as {@linkcode readBlobs} reads them. */
export async function readTexts(place: GitPlace, hashes: Iterable<string>) {
  const texts = new Map<string, string>();
  await readBlobs(place, hashes, (hash, text) => texts.set(hash, text));
  return texts;
}

/** Reads objects that exist and are small, with one git call. */
export async function readObjects(
  place: GitPlace,
  hashes: readonly string[],
  take: (hash: string, content: Uint8Array) => void,
): Promise<void> {
  if (hashes.length === 0) return;
  const input = `${hashes.join("\n")}\n`;
  const options = { ...place, input, limit: MAX_OUTPUT, take: objectReader(take) };
  await gitOutput(["cat-file", "--batch"], options);
}

/** Splits the output of `cat-file --batch` as it arrives; the content is reused after each call. */
export function objectReader(take: (hash: string, content: Uint8Array) => void) {
  const decoder = new TextDecoder();
  let held = new Uint8Array(128 * 1024);
  let length = 0;
  return (piece: Uint8Array): void => {
    if (length + piece.length > held.length) {
      const larger = new Uint8Array(2 * (length + piece.length));
      larger.set(held.subarray(0, length));
      held = larger;
    }
    held.set(piece, length);
    length += piece.length;
    let at = 0;
    for (;;) {
      const end = held.subarray(0, length).indexOf(NEWLINE, at);
      if (end === -1) break;
      const [hash, , size] = decoder.decode(held.subarray(at, end)).split(" ");
      // A missing object has no content line.
      const last = size === undefined ? end : end + 1 + Number(size);
      if (last >= length) break;
      take(hash!, held.subarray(end + 1, last));
      at = last + 1;
    }
    held.copyWithin(0, at, length);
    length -= at;
  };
}

/** Returns the tree and the parents of a commit above {@linkcode MOST_COMMIT}; its text is not read. */
export async function readLargeCommit(place: GitPlace, hash: string) {
  const launch = gitSettings(["log", "--no-walk", "--format=%T %P", hash, "--"], place.cwd);
  const env = { ...launch.env, GIT_ALLOC_LIMIT: `${MOST_LARGE}` };
  const output = await gitOutput([], { ...place, launch: { ...launch, env } });
  const [tree, ...parents] = output.trim().split(" ");
  return { hash, tree: tree!, parents };
}

/** @param digits The length of the repository's hashes: 40 for SHA-1, 64 for SHA-256. */
export function blobHash(content: string | Uint8Array, digits: number): string {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const hash = nodeModule("node:crypto").createHash(digits === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}
