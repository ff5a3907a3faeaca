/** SQL over the tables that plugins declare. */

import type { Plugin } from "../../src/plugin/plugin.ts";

export const QUERY: Plugin = {
  name: "query",
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
