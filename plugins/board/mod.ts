/** The views: resources for hosts with MCP Apps, and pages for `view`. */

import type { BrowserView } from "../../src/tools/adapter.ts";
import type { Resource } from "../../src/tools/resource.ts";

const VIEW = {
  mimeType: "text/html;profile=mcp-app",
  fixed: true,
  _meta: { ui: { prefersBorder: true } },
} as const;

export const PLAN_BOARD_URI = "ui://refrakt/plan-board";

export const PREVIEW_URI = "ui://refrakt/preview";

// The documents load on demand.
const boardDocument = async () => (await import("./plan_board.ts")).PLAN_BOARD;
const previewDocument = async () => (await import("./preview.ts")).PREVIEW;

/** The views of a plan. */
export const planViews: readonly Resource[] = [{
  uri: PLAN_BOARD_URI,
  name: "plan-board",
  title: "Plan board",
  description: "The plan as a board.",
  ...VIEW,
  requires: ["plan"],
  read: async () => ({ text: await boardDocument() }),
}];

export const siteViews: readonly Resource[] = [{
  uri: PREVIEW_URI,
  name: "preview",
  title: "Preview",
  description: "A page or a rune in its theme.",
  ...VIEW,
  requires: ["pages"],
  read: async () => ({ text: await previewDocument() }),
}];

/** The views in the order of the help. */
export const BROWSER_VIEWS: readonly BrowserView[] = [
  {
    name: "board",
    requires: "plan",
    tool: "plan_board",
    tools: ["board", "get", "list", "create", "undo", "update", "claim"]
      .map((tool) => `plan_${tool}`),
    document: boardDocument,
  },
  {
    name: "preview",
    requires: "pages",
    tool: "refrakt_preview",
    tools: ["refrakt_preview", "refrakt_check"],
    document: previewDocument,
    input: (what) => /[./\\]/.test(what) ? { path: what } : { rune: what },
  },
];
