/** The one-shot commands of the plan, each imported when it runs. */

import type { PluginCommand } from "../../../src/plugin/adapter.ts";

export const PLAN_COMMANDS: readonly PluginCommand[] = [
  {
    name: "prime",
    usage: "prime [client]",
    help: "Print where work on the plan stands, as the session hook of a client takes it",
    examples: ["prime", "prime gemini-cli"],
    mostArgs: 1,
    run: async (input) => await (await import("./reports.ts")).prime(input),
  },
  {
    name: "today",
    usage: "today [since]",
    help: "Print who has changed what in the plan, as Markdown; by default in the last day",
    examples: ["today", "today 7d", 'today 2026-01-31 --by "Ada Lovelace"'],
    mostArgs: 1,
    run: async (input) => await (await import("./reports.ts")).today(input),
  },
  {
    name: "claims",
    usage: "claims",
    help: "List the claims of a remote, or free those whose owner is gone",
    examples: [
      "claims --remote origin",
      "claims --remote origin --free WORK-12",
      "claims --remote origin --free-idle 14 --yes",
    ],
    mostArgs: 0,
    run: async (input) => await (await import("./claims.ts")).claims(input),
  },
  {
    name: "merge",
    usage: "merge <base> <ours> <theirs>",
    help: "Merge three versions of a plan file by meaning, into the second one",
    examples: ["merge base.md ours.md theirs.md"],
    needs: [3, "three files; as a merge driver of git: merge %O %A %B"],
    mostArgs: 3,
    run: async (input) => (await import("./merge.ts")).merge(input),
  },
];
