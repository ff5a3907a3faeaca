/** The one-shot commands of sites, each imported when it runs. */

import type { PluginCommand } from "../../../src/plugin/plugin.ts";

export const SITE_COMMANDS: readonly PluginCommand[] = [{
  name: "check",
  usage: "check [page | folder]",
  help: "Lint the pages of the site; exits with 1 if there are errors",
  mostArgs: 1,
  run: async (input) => await (await import("./check.ts")).check(input),
}];
