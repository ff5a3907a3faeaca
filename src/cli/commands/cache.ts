/** `cache clear`: removes what starts have kept for the next ones. */

import { RefraktError } from "../../errors.ts";
import { clearKept, keptBytes } from "../../io/kept.ts";
import { print } from "../terminal.ts";
import type { Command } from "./command.ts";

export const cache: Command = {
  name: "cache",
  usage: "cache clear",
  help: "Remove what is kept for the next start, of all projects",
  needs: [1, "what to do: clear"],
  mostArgs: 1,
  run: async ({ args: [what] }) => {
    if (what !== "clear") {
      throw new RefraktError("INVALID_ARGS", `cache cannot ${what}`, { hint: "cache clear" });
    }
    if (Deno.build.standalone || !("caches" in globalThis)) {
      print("Nothing is kept here\n");
      return 0;
    }
    const bytes = await keptBytes();
    await clearKept();
    print(`Removed ${(bytes / 1e6).toFixed(1)} MB\n`);
    return 0;
  },
};
