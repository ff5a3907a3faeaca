/**
 * The texts of files as commits have them, read in one call of git, however many there are.
 *
 * @module
 */

import { runGit } from "../../src/io/git.ts";
import { gitTrouble } from "../../src/io/git_messages.ts";
import { SIZE_LIMITS } from "../../src/io/read.ts";
import { gitError } from "./git_failures.ts";
import { MOST_PRINTED } from "./git_log.ts";

const NEWLINE = 10;

/**
 * Reads blobs by their hashes.
 *
 * @param take Is given each text; `undefined` for a blob that the clone does not have. What is
 * larger than any entity is empty.
 */
export async function readBlobs(
  cwd: string,
  hashes: Iterable<string>,
  take: (hash: string, text: string | undefined) => void,
): Promise<void> {
  const wanted = new Set(hashes);
  const read = async () => {
    if (wanted.size === 0) return undefined;
    const result = await runGit(["cat-file", "--batch"], {
      cwd,
      input: `${[...wanted].join("\n")}\n`,
      limit: MOST_PRINTED,
      take: blobReader((hash, text) => {
        wanted.delete(hash);
        take(hash, text);
      }),
    });
    return result.code === 0 ? undefined : result;
  };
  let failed = await read();
  if (failed !== undefined && gitTrouble(failed.stderr) === "notFetched") {
    // Git stops at the first blob that it would have to download, so it is not asked for those.
    const here = await localObjects(cwd);
    for (const hash of [...wanted]) {
      if (here.has(hash)) continue;
      wanted.delete(hash);
      take(hash, undefined);
    }
    failed = await read();
  }
  if (failed !== undefined) throw gitError(failed, cwd);
}

/** The hashes of the objects that a clone has. */
async function localObjects(cwd: string): Promise<Set<string>> {
  const result = await runGit(
    ["cat-file", "--batch-all-objects", "--batch-check=%(objectname)"],
    { cwd, limit: 512 * 1024 * 1024 },
  );
  if (result.code !== 0) throw gitError(result, cwd);
  return new Set(new TextDecoder().decode(result.stdout).split("\n"));
}

/**
 * Cuts the output of `cat-file --batch` into texts as it comes.
 *
 * @param take Is given each hash and text.
 */
export function blobReader(
  take: (hash: string, text: string | undefined) => void,
): (piece: Uint8Array) => void {
  const decoder = new TextDecoder();
  let held = new Uint8Array(128 * 1024);
  let length = 0;
  let skipped = 0;
  return (piece) => {
    if (length + piece.length > held.length) {
      const larger = new Uint8Array(2 * (length + piece.length));
      larger.set(held.subarray(0, length));
      held = larger;
    }
    held.set(piece, length);
    length += piece.length;
    let at = 0;
    for (;;) {
      const over = Math.min(skipped, length - at);
      at += over;
      skipped -= over;
      const end = held.subarray(0, length).indexOf(NEWLINE, at);
      if (end === -1) break;
      const [hash, type, size] = decoder.decode(held.subarray(at, end)).split(" ");
      if (type === "missing" || size === undefined) {
        take(hash!, undefined);
        at = end + 1;
        continue;
      }
      const textEnd = end + 1 + Number(size);
      if (Number(size) > SIZE_LIMITS.plan) {
        take(hash!, "");
        skipped = Number(size) + 1;
        at = end + 1;
        continue;
      }
      if (textEnd >= length) break;
      take(hash!, decoder.decode(held.subarray(end + 1, textEnd)));
      at = textEnd + 1;
    }
    held.copyWithin(0, at, length);
    length -= at;
  };
}
