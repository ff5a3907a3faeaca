/**
 * The program of a Worker that runs one npm plugin.
 *
 * @module
 */

// Before any code of the repository.
import { type GuestContext, serveMethods } from "../sandbox/guest.ts";
import { messageOf, RefraktError } from "../errors.ts";
import { fieldOf } from "../io/json.ts";
import { importVersion, loadVersion } from "../npm/load.ts";
import type { PackageVersion } from "../npm/package.ts";
import type { CallContext } from "../tools/context.ts";
import type { CliPlugin, McpHandlerContext } from "../tools/plugin.ts";
import { loadedFrom, readPlugin } from "./contract.ts";
import { copyPlugin } from "./declarations.ts";
import { runCommand } from "./run_command.ts";

/** What every message to the Worker says: which package is meant. */
export interface PluginParams {
  /** The package at the project's version. */
  readonly version: PackageVersion;
}

/** A message about one entry of the plugin. */
export interface EntryParams extends PluginParams {
  /** The name of the command or prompt, or the URI of the resource. */
  readonly entry: string;
}

let loading: Promise<CliPlugin> | undefined;

function load({ version }: PluginParams): Promise<CliPlugin> {
  return loading ??= importVersion(version, "cli-plugin").then((module) => {
    const { plugin, warnings } = readPlugin(module, version.name);
    if (plugin === undefined) throw new Error(warnings[0]?.message);
    return plugin;
  });
}

function find<Entry>(
  entries: readonly Entry[] | undefined,
  isIt: (entry: Entry) => boolean,
): Entry {
  const found = entries?.find(isIt);
  if (found === undefined) throw new Error("The package declares something else now");
  return found;
}

/** What a handler is told; the project is known by its directory alone. */
function contextOf(context: GuestContext): McpHandlerContext & CallContext {
  const { root, ...channels } = context;
  return { cwd: root, project: { cwd: root } as CallContext["project"], ...channels };
}

serveMethods({
  describe: async ({ version }: PluginParams) => {
    try {
      const loaded = await loadVersion(version, "cli-plugin");
      const { module } = loaded;
      return {
        declared: copyPlugin(module["default"] ?? module),
        loaded: loadedFrom(version.name, loaded),
      };
    } catch (error) {
      const cause = fieldOf(error, "cause");
      if (error instanceof RefraktError && cause === undefined) throw error;
      // What a failed import means is said by the server, in words of its own.
      return { failed: messageOf(cause ?? error) };
    }
  },
  run: async (
    params: EntryParams & { input: Record<string, unknown>; planDir: string | null },
    context,
  ) => {
    const { commands } = await load(params);
    const command = find(commands, ({ name }) => name === params.entry);
    const { input, planDir } = params;
    return await runCommand(command, input, { ...contextOf(context), planDir });
  },
  read: async (params: EntryParams & { params: Record<string, string> }, context) => {
    const resource = find((await load(params)).resources, ({ uri }) => uri === params.entry);
    return await resource.read(params.params, contextOf(context));
  },
  render: async (params: EntryParams & { args: Record<string, string> }, context) => {
    const prompt = find((await load(params)).prompts, ({ name }) => name === params.entry);
    return await prompt.render(params.args, contextOf(context));
  },
  complete: async (
    params: EntryParams & {
      of: "prompts" | "resources";
      argument: string;
      value: string;
      others: Record<string, string>;
    },
    context,
  ) => {
    const plugin = await load(params);
    const { of, entry, argument, value, others } = params;
    const call = contextOf(context);
    if (of === "prompts") {
      const prompt = find(plugin.prompts, ({ name }) => name === entry);
      return await prompt.complete?.(argument, value, call, others) ?? [];
    }
    const resource = find(plugin.resources, ({ uri }) => uri === entry);
    return await resource.complete?.(argument, value, call, others) ?? [];
  },
});
