/** Merges three files by meaning, in the way of `git merge-file`. */

import { RefraktError } from "../../../../src/errors.ts";
import { decodeText } from "../../../../src/io/decode.ts";
import { isNotFound } from "../../../../src/io/paths.ts";
import { refusalToError } from "../../../../src/io/permissions.ts";
import { SIZE_LIMITS } from "../../../../src/io/read.ts";
import { type Disagreement, mergeEntity } from "./merge_entity.ts";

/** The paths of the three versions. */
export interface MergedPaths {
  readonly base: string;
  /** The file that receives the result. */
  readonly ours: string;
  readonly theirs: string;
}

/**
 * Merges `theirs` into `ours`. The file is written in place, because git passes a temporary file
 * that only this process may write.
 *
 * @returns What the sides disagree on; conflict markers in `ours` show it.
 * @throws {RefraktError} `NOT_FOUND`, `PERMISSION_DENIED` or `VALIDATION_ERROR`; nothing is written.
 */
export function mergeFiles({ base, ours, theirs }: MergedPaths): readonly Disagreement[] {
  const sides = { base: textAt(base), ours: textAt(ours), theirs: textAt(theirs) };
  // Git gives a merge driver temporary files, whose names say nothing.
  const isDriver = /(?:^|[\\/])\.merge_file_/.test(ours);
  const labels = isDriver ? { ours: "ours", theirs: "theirs" } : { ours, theirs };
  const { source, disagreements } = mergeEntity(sides, {}, labels);
  if (source === sides.ours) return disagreements;
  try {
    Deno.writeTextFileSync(ours, source);
  } catch (error) {
    throw refusalToError(error, Deno.cwd()) ?? error;
  }
  return disagreements;
}

function textAt(path: string): string {
  let bytes: Uint8Array;
  try {
    bytes = Deno.readFileSync(path);
  } catch (error) {
    if (isNotFound(error)) {
      throw new RefraktError("NOT_FOUND", `No such file: ${path}`, {
        hint: "Usage: merge <base> <ours> <theirs>.",
      });
    }
    throw refusalToError(error, Deno.cwd()) ?? error;
  }
  if (bytes.length > SIZE_LIMITS.plan) {
    throw new RefraktError("VALIDATION_ERROR", `Larger than ${SIZE_LIMITS.plan} bytes: ${path}`, {
      hint: "Merge it with git merge-file.",
    });
  }
  return decodeText(bytes, path);
}
