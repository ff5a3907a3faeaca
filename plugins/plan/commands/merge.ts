/** `merge`: merges three versions of a plan file by meaning, as a merge driver of git. */

import type { PluginCommandInput } from "../../../src/tools/adapter.ts";
import { mergeFiles } from "../write/merge/merge_files.ts";

/** Merges the named files; returns the exit code, 1 for conflicts. */
export function merge({ args, terminal }: PluginCommandInput): number {
  const [base = "", ours = "", theirs = ""] = args;
  const { disagreements, reopened = [] } = mergeFiles(Deno.cwd(), { base, ours, theirs });
  const lines = disagreements.map(({ kind, name }) =>
    `Conflict: ${kind === "attribute" ? name : `${kind}, ${name}`}\n`
  );
  lines.push(...reopened.map((text) => `Open again: ${text}\n`));
  for (const line of new Set(lines)) terminal.note(line);
  return disagreements.length === 0 ? 0 : 1;
}
