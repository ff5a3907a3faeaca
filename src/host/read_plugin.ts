/** Reads the `cli-plugin` export of a package. */

import { messageOf } from "../errors.ts";
import { fieldOf } from "../io/json.ts";
import type { Warning } from "../plugin/project.ts";
import type { CliPlugin } from "../plugin/cli_plugin.ts";
import { checkPlugin, copyPlugin, type PluginDeclaration } from "../plugin/check_cli_plugin.ts";

export interface ReadPlugin {
  /** The plugin with its valid commands, or `undefined` if the export is not a plugin. */
  readonly plugin: CliPlugin | undefined;
  readonly warnings: Warning[];
}

/** Reads a plugin: copies its declarations, and calls its functions on the package's own objects. */
export function readPlugin(
  module: Readonly<Record<string, unknown>>,
  packageName: string,
): ReadPlugin {
  const candidate = module["default"] ?? module;
  let checked: PluginDeclaration;
  try {
    checked = checkPlugin(copyPlugin(candidate));
  } catch (error) {
    return {
      plugin: undefined,
      warnings: [malformed(packageName, `its cli-plugin: ${messageOf(error)}`)],
    };
  }
  const { namespace, description, commands, problems } = checked;
  const plugin = {
    namespace,
    ...(description === undefined ? {} : { description }),
    commands: commands.map(({ index, handler: _handler, mcpHandler: _mcpHandler, ...fields }) => {
      const command = fieldOf(fieldOf(candidate, "commands"), String(index));
      return { ...fields, ...boundTo(command, "handler"), ...boundTo(command, "mcpHandler") };
    }),
  };
  return {
    // The fields were checked, and the functions are untyped.
    plugin: plugin as unknown as CliPlugin,
    warnings: [...Map.groupBy(problems, ({ entry }) => entry)].map(([entry, [first]]) => {
      const { path, message } = first!;
      return malformed(packageName, `${entry} is skipped: ${path}: ${message}`);
    }),
  };
}

/** The function of a command, if it has it, bound to the package's own object. */
function boundTo(command: unknown, name: string): Record<string, unknown> {
  const value = fieldOf(command, name);
  return typeof value === "function" ? { [name]: value.bind(command) } : {};
}

function malformed(packageName: string, problem: string): Warning {
  return {
    code: "PLUGIN_MALFORMED",
    message: `${packageName}: ${problem}`,
    hint: "Correct the declaration in the package.",
  };
}
