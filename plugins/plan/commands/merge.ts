/** `merge`: merges three versions of a plan file by meaning, as a merge driver of git. */

import { quoted, quotedName } from "../../../src/plain_text.ts";
import type { PluginCommandInput } from "../../../src/plugin/plugin.ts";
import { RefraktError } from "../../../src/errors.ts";
import { isNotFound, realPathOf } from "../../../src/io/paths.ts";
import { refusalToError } from "../../../src/io/permissions.ts";
import { readForChange, type SeenFile } from "../../../src/io/shared_files.ts";
import { writeFolder } from "../../../src/io/write_folder.ts";
import { writeTogether } from "../../../src/io/write_together.ts";
import { mergeEntity } from "../write/merge/merge_entity.ts";

/**
 * Merges `theirs` into `ours`, which is replaced atomically where the permission covers its folder;
 * conflict markers in it show what the sides disagree on.
 *
 * @returns The exit code, 1 for conflicts.
 * @throws {RefraktError} `NOT_FOUND`, `PERMISSION_DENIED`, `FILE_OPERATION_FAILED` or
 * `VALIDATION_ERROR`; nothing is written.
 */
export function merge({ args, terminal }: PluginCommandInput): number {
  const [base = "", ours = "", theirs = ""] = args;
  const root = realPathOf(Deno.cwd());
  const seen = fileAt(root, ours, false);
  const sides = {
    base: fileAt(root, base).text,
    ours: seen.text,
    theirs: fileAt(root, theirs).text,
  };
  // Git gives a merge driver temporary files, whose names say nothing.
  const isDriver = /(?:^|[\\/])\.merge_file_/.test(ours);
  const labels = isDriver ? { ours: "ours", theirs: "theirs" } : { ours, theirs };
  const { source, disagreements, reopened = [] } = mergeEntity(sides, undefined, labels);
  if (source !== seen.text) located(root, ours, () => writeTogether([{ seen, text: source }]));
  const lines = disagreements.map(({ kind, name }) =>
    `Conflict: ${kind === "attribute" ? name : `${kind}, ${name}`}\n`
  );
  lines.push(...reopened.map((text) => `Open again: ${quoted(text)}\n`));
  for (const line of new Set(lines)) terminal.note(line);
  return disagreements.length === 0 ? 0 : 1;
}

/** Reads a file that has no other name, so that nothing outside is read or written by it. */
function fileAt(root: string, path: string, isOnlyRead = true): SeenFile {
  return located(
    root,
    path,
    () => readForChange(writeFolder(root), path, { isOnlyRead, isAlone: true }),
  );
}

function located<Value>(root: string, path: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    if (isNotFound(error)) {
      throw new RefraktError("NOT_FOUND", `No such file: ${quotedName(path)}`, {
        hint: "Usage: merge <base> <ours> <theirs>.",
      });
    }
    throw refusalToError(error, root) ?? error;
  }
}
