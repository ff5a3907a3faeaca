/** The Worker program for one npm plugin. */

// Before any code of the repository.
import { type GuestContext, serveMethods } from "../sandbox/guest.ts";
import { messageOf, RefraktError } from "../errors.ts";
import { fieldOf } from "../io/json.ts";
import { loadVersion } from "../npm/load.ts";
import type { PackageVersion } from "../npm/package.ts";
import { candidateOf, commandOf, entryAt, type EntryPlace, loadedFrom } from "./contract.ts";
import { copyPlugin } from "./declarations.ts";
import { runCommand } from "./run_command.ts";

interface EntryParams {
  readonly version: PackageVersion;
  readonly place: EntryPlace;
}

async function load(version: PackageVersion): Promise<unknown> {
  return candidateOf((await loadVersion(version, "cli-plugin")).module);
}

/** The context for a plugin's function; the project has only its directory. */
function contextOf({ root, ...channels }: GuestContext) {
  return { cwd: root, project: { cwd: root }, ...channels };
}

serveMethods({
  describe: async ({ version }: { version: PackageVersion }) => {
    try {
      const loaded = await loadVersion(version, "cli-plugin");
      return {
        copied: copyPlugin(candidateOf(loaded.module)),
        loaded: loadedFrom(version.name, loaded),
      };
    } catch (error) {
      const cause = fieldOf(error, "cause");
      if (error instanceof RefraktError && cause === undefined) throw error;
      // The server describes failed imports.
      return { failed: messageOf(cause ?? error) };
    }
  },
  run: async (
    { version, place, input, planDir }: EntryParams & {
      input: Record<string, unknown>;
      planDir: string | null;
    },
    context,
  ) => {
    const command = commandOf(await load(version), place);
    return await runCommand(command, input, { ...contextOf(context), planDir });
  },
  call: async (
    { version, place, name, args, contextAt }: EntryParams & {
      name: string;
      args: unknown[];
      contextAt: number;
    },
    context,
  ) => {
    const entry = entryAt(await load(version), place);
    const given = args.with(contextAt, contextOf(context));
    return await Reflect.apply(fieldOf(entry, name) as () => unknown, entry, given);
  },
});
