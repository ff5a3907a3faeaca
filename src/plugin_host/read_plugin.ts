/** Reads the `cli-plugin` export of a package. */

import { messageOf } from "../errors.ts";
import { fieldOf, textsOf } from "../io/json.ts";
import type { Warning } from "../project/project.ts";
import type { CliPlugin } from "../tools/plugin.ts";
import {
  checkPlugin,
  copyPlugin,
  type ListName,
  type PluginDeclaration,
} from "../tools/plugin_contract.ts";

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
  const { namespace, description, problems } = checked;
  /** The entries of a list, with their functions bound to the package's own objects. */
  const bound = (list: ListName, ...functions: string[]) =>
    checked[list].map(({ index, ...declared }) => {
      const entry = fieldOf(fieldOf(candidate, list), String(index));
      const fields = Object.entries(declared).filter(([name]) => !functions.includes(name));
      return Object.fromEntries([...fields, ...functions.flatMap((name) => boundTo(entry, name))]);
    });
  const plugin = {
    namespace,
    ...(description === undefined ? {} : { description }),
    commands: bound("commands", "handler", "mcpHandler"),
    resources: bound("resources", "read", "complete"),
    prompts: bound("prompts", "render", "complete"),
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

/** The name and the function of an entry, if it has it. `complete` returns only texts. */
function boundTo(entry: unknown, name: string): [string, (...args: unknown[]) => unknown][] {
  const found = fieldOf(entry, name);
  if (typeof found !== "function") return [];
  const call = found.bind(entry);
  if (name !== "complete") return [[name, call]];
  return [[name, async (...args) => textsOf(await call(...args))]];
}

function malformed(packageName: string, problem: string): Warning {
  return {
    code: "PLUGIN_MALFORMED",
    message: `${packageName}: ${problem}`,
    hint: "Call refrakt.package_validate on the package to see all problems.",
  };
}
