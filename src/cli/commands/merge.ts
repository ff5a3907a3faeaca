/** `merge`: merges three versions of a plan file by meaning, as a merge driver of git. */

import { mergeFiles } from "../../../plugins/plan/write/merge/merge_files.ts";
import { printNote } from "../print.ts";
import type { StandaloneCommand } from "./command.ts";

export const merge: StandaloneCommand = {
  name: "merge",
  usage: "merge <base> <ours> <theirs>",
  help: "Merge three versions of a plan file by meaning, into the second one",
  examples: ["merge base.md ours.md theirs.md"],
  needs: [3, "three files; as a merge driver of git: merge %O %A %B"],
  mostArgs: 3,
  runAlone: ({ args: [base = "", ours = "", theirs = ""] }) => {
    const disagreements = mergeFiles(Deno.cwd(), { base, ours, theirs });
    const said = disagreements.map(({ kind, name }) =>
      `Conflict: ${kind === "attribute" ? name : `${kind}, ${name}`}\n`
    );
    for (const line of new Set(said)) printNote(line);
    return disagreements.length === 0 ? 0 : 1;
  },
};
