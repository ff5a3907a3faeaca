/** `merge`: merges three versions of a plan file by meaning, as a merge driver of git. */

import { quoted, quotedName } from "../../../src/plain_text.ts";
import type { PluginCommandInput } from "../../../src/plugin/plugin.ts";
import { RefraktError } from "../../../src/errors.ts";
import { realPathOf } from "../../../src/io/paths.ts";
import { refusalToError } from "../../../src/io/permissions.ts";
import { writeFolder } from "../../../src/io/write_folder.ts";
import { readIfThere, writeTogether } from "../../../src/io/write_together.ts";
import { mergeWithMarkers } from "../write/merge/merge_entity.ts";

/**
 * Merges `theirs` into `ours`, which is replaced atomically where the permission covers its folder;
 * conflict markers in it show what the sides disagree on.
 *
 * @returns The exit code, 1 for conflicts.
 * @throws {RefraktError} `NOT_FOUND`, `PERMISSION_DENIED`, `FILE_OPERATION_FAILED` or
 * `VALIDATION_ERROR`; nothing is written.
 */
export function merge({ args, terminal }: PluginCommandInput): number {
  const root = realPathOf(Deno.cwd());
  try {
    const [base, ours, theirs] = args.map((path, at) => {
      // A file with another name may be outside.
      const seen = readIfThere(writeFolder(root), path, { isOnlyRead: at !== 1, isAlone: true });
      if (seen !== undefined) return seen;
      throw new RefraktError("NOT_FOUND", `No such file: ${quotedName(path)}`, {
        hint: "Usage: merge <base> <ours> <theirs>.",
      });
    });
    const sides = { base: base!.text, ours: ours!.text, theirs: theirs!.text };
    // Git gives a merge driver temporary files, whose names say nothing.
    const isDriver = /(?:^|[\\/])\.merge_file_/.test(args[1]!);
    const labels = isDriver ? undefined : { ours: args[1]!, theirs: args[2]! };
    const { source, disagreements, reopened = [] } = mergeWithMarkers(sides, labels);
    if (source !== sides.ours) writeTogether([{ seen: ours!, text: source }]);
    const lines = disagreements.map(({ kind, name }) =>
      `Conflict: ${kind === "attribute" ? name : `${kind}, ${name}`}\n`
    );
    lines.push(...reopened.map((text) => `Open again: ${quoted(text)}\n`));
    for (const line of new Set(lines)) terminal.note(line);
    return disagreements.length === 0 ? 0 : 1;
  } catch (error) {
    throw refusalToError(error, root) ?? error;
  }
}
