/** The one-shot commands of the plan, each imported when it runs. */

import type { PluginCommand } from "../../../src/plugin/plugin.ts";

export const PLAN_COMMANDS: readonly PluginCommand[] = [
  {
    name: "prime",
    usage: "prime [client]",
    help:
      "Print where work on the plan stands, as the session hook of a client such as gemini-cli " +
      "takes it",
    mostArgs: 1,
    run: async (input) => await (await import("./reports.ts")).prime(input),
  },
  {
    name: "today",
    usage: "today [since]",
    help:
      "Print who has changed what in the plan, as Markdown, since a time such as 7d or a date; " +
      "by default in the last day",
    mostArgs: 1,
    run: async (input) => await (await import("./reports.ts")).today(input),
  },
  {
    name: "claims",
    usage: "claims",
    help: "List the claims of a remote, or free those whose owner is gone",
    mostArgs: 0,
    run: async (input) => await (await import("./claims.ts")).claims(input),
  },
  {
    name: "merge",
    usage: "merge <base> <ours> <theirs>",
    help: "Merge three versions of a plan file by meaning, into the second one",
    needs: [3, "three files; as a merge driver of git: merge %O %A %B"],
    mostArgs: 3,
    run: async (input) => (await import("./merge.ts")).merge(input),
  },
];
