/** The plan's tools. */

import type { CliPluginCommand } from "../../../src/tools/plugin.ts";
import type { PlanPlugin } from "../queries/ask_plugin.ts";
import { claimCommand } from "./claim.ts";
import { createCommand } from "./create.ts";
import { boardCommand } from "./board.ts";
import { discardCommand } from "./discard.ts";
import { getCommand } from "./get.ts";
import { historyCommand } from "./history.ts";
import { initCommand } from "./init.ts";
import { listCommand } from "./list.ts";
import { migrateCommand } from "./migrate.ts";
import { nextCommand, nextIdCommand } from "./next.ts";
import { renumberCommand } from "./renumber.ts";
import { reviewCommand } from "./review.ts";
import { statusCommand } from "./status.ts";
import { updateCommand } from "./update.ts";
import { validateCommand } from "./validate.ts";

export function planTools(plugin: PlanPlugin): CliPluginCommand[] {
  return [
    claimCommand,
    createCommand,
    discardCommand,
    getCommand,
    boardCommand,
    historyCommand,
    initCommand,
    listCommand,
    migrateCommand,
    nextCommand,
    nextIdCommand,
    renumberCommand,
    reviewCommand,
    statusCommand,
    updateCommand,
    validateCommand,
  ]
    .map((declare) => declare(plugin));
}
