/** The views: the board, also for hosts with MCP Apps, and the preview for `view`. */

import type { BrowserView, Plugin } from "../../src/plugin/plugin.ts";
import type { Resource } from "../../src/plugin/resource.ts";

export const PLAN_BOARD_URI = "ui://refrakt/plan-board";

// The documents load on demand.
const boardDocument = async () => (await import("./plan_board.ts")).PLAN_BOARD;

/** The views of a plan. */
const planViews: readonly Resource[] = [{
  uri: PLAN_BOARD_URI,
  name: "plan-board",
  title: "Plan board",
  description: "The plan as a board.",
  mimeType: "text/html;profile=mcp-app",
  fixed: true,
  _meta: { ui: { prefersBorder: true } },
  requires: ["plan"],
  read: async () => ({ text: await boardDocument() }),
}];

/** The views in the order of the help. */
const BROWSER_VIEWS: readonly BrowserView[] = [
  {
    name: "board",
    tool: "plan_board",
    keepsIn: "filter",
    steps: ["open"],
    usage: "board",
    shows: "the plan board",
    tools: ["board", "get", "list", "create", "undo", "update", "claim"]
      .map((tool) => `plan_${tool}`),
    document: boardDocument,
  },
  {
    name: "preview",
    tool: "refrakt_preview",
    fileTool: "refrakt_preview_file",
    steps: ["path", "rune"],
    usage: "preview [page | rune]",
    shows: "a page (content/index.md) or a rune (hint)",
    tools: [],
    document: async () => (await import("./preview.ts")).PREVIEW,
    frame: async () => (await import("./preview.ts")).FRAME,
    input: (target) => /[./\\]/.test(target) ? { path: target } : { rune: target },
  },
];

export const BOARD: Plugin = { name: "board", resources: planViews, views: BROWSER_VIEWS };
