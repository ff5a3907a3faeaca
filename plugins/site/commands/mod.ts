/** The one-shot commands of sites, each imported when it runs. */

import type { PluginCommand } from "../../../src/plugin/plugin.ts";

export const SITE_COMMANDS: readonly PluginCommand[] = [];
