/** SQL over the tables that plugins declare. */

import type { Plugin } from "../../src/plugin/plugin.ts";

export const QUERY: Plugin = {
  name: "query",
  commands: [{
    name: "query",
    usage: 'query "<select …>"',
    help:
      "Run one SQL statement over the plan, its history and the pages; prints JSON or --csv, or " +
      "a table on a terminal. select * from tables lists the tables",
    needs: [1, 'a statement, such as "select * from tables"'],
    mostArgs: 1,
    run: async (input) => await (await import("./command.ts")).query(input),
  }],
  tools: async () => [(await import("./tool.ts")).queryTool],
  instructions: ({ plan, site }, mayList) => {
    const hasTables = plan !== null || site !== null && site.isTheme !== true;
    if (!hasTables || !mayList("refrakt_query")) return [];
    return [
      "Any other question about the plan, its history or pages (counts, groups, searches, many " +
      "items): one SQL statement with refrakt_query, instead of many calls.",
    ];
  },
};
