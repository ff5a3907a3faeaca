/** The views as resources, for hosts with MCP Apps. */

import type { Resource } from "../../src/tools/resource.ts";

const VIEW = {
  mimeType: "text/html;profile=mcp-app",
  fixed: true,
  _meta: { ui: { prefersBorder: true } },
} as const;

export const PLAN_BOARD_URI = "ui://refrakt/plan-board";

export const PREVIEW_URI = "ui://refrakt/preview";

/** The views of a plan. The document loads on demand. */
export const planViews: readonly Resource[] = [{
  uri: PLAN_BOARD_URI,
  name: "plan-board",
  title: "Plan board",
  description: "The plan as a board and a timeline.",
  ...VIEW,
  requires: ["plan"],
  read: async () => ({ text: (await import("./plan_board.ts")).PLAN_BOARD }),
}];

export const siteViews: readonly Resource[] = [{
  uri: PREVIEW_URI,
  name: "preview",
  title: "Preview",
  description: "A page or a rune in its theme.",
  ...VIEW,
  requires: ["pages"],
  read: async () => ({ text: (await import("./preview.ts")).PREVIEW }),
}];
