/**
 * The views that hosts of MCP Apps show, as resources.
 *
 * @module
 */

import type { Resource } from "../../src/tools/resource.ts";

/** The address of the plan board. */
export const PLAN_BOARD_URI = "ui://refrakt/plan-board";

/** The address of the preview. */
export const PREVIEW_URI = "ui://refrakt/preview";

/** The views of a plan. The document is loaded when a host asks for it. */
export const planViews: readonly Resource[] = [{
  uri: PLAN_BOARD_URI,
  name: "plan-board",
  title: "Plan board",
  description: "The plan as a board and a timeline, for hosts that show views.",
  mimeType: "text/html;profile=mcp-app",
  fixed: true,
  requires: ["plan"],
  _meta: { ui: { prefersBorder: true } },
  read: async () => ({ text: (await import("./plan_board.ts")).PLAN_BOARD }),
}];

/** The views of a site. */
export const siteViews: readonly Resource[] = [{
  uri: PREVIEW_URI,
  name: "preview",
  title: "Preview",
  description: "A page or a rune in its theme, for hosts that show views.",
  mimeType: "text/html;profile=mcp-app",
  fixed: true,
  requires: ["site"],
  _meta: { ui: { prefersBorder: true } },
  read: async () => ({ text: (await import("./preview.ts")).PREVIEW }),
}];
