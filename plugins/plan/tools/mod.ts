/** The plan's tools. */

import type { Tool } from "../../../src/plugin/tool.ts";
import type { Vocabulary } from "../upstream/vocabulary.ts";
import { claimTool } from "./claim.ts";
import { createTool } from "./create.ts";
import { boardTool } from "./board.ts";
import { getTool } from "./get.ts";
import { historyTool } from "./history.ts";
import { initTool } from "./init.ts";
import { listTool } from "./list.ts";
import { mergeTool } from "./merge.ts";
import { migrateTool } from "./migrate.ts";
import { nextTool } from "./next.ts";
import { nextIdTool } from "./next_id.ts";
import { renameTool } from "./rename.ts";
import { reviewTool } from "./review.ts";
import { statusTool } from "./status.ts";
import { undoTool } from "./undo.ts";
import { updateTool } from "./update.ts";
import { validateTool } from "./validate.ts";

export function planTools(vocabulary: Vocabulary): Tool[] {
  return [
    claimTool,
    createTool,
    getTool,
    boardTool,
    historyTool,
    initTool,
    listTool,
    mergeTool,
    // A version without migrations has no such tool.
    ...vocabulary.migrations.length > 0 ? [migrateTool] : [],
    nextTool,
    nextIdTool,
    renameTool,
    reviewTool,
    statusTool,
    undoTool,
    updateTool,
    validateTool,
  ]
    .map((declare) => declare(vocabulary));
}
