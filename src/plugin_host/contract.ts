/** Reads the `cli-plugin` export of a package. */

import { messageOf } from "../errors.ts";
import { fieldOf, textsOf } from "../io/json.ts";
import type { Warning } from "../project/project.ts";
import type { CliPlugin } from "../tools/plugin.ts";
import { checkPlugin, copyPlugin, type ListName, type PluginDeclaration } from "./declarations.ts";

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
    return { plugin: undefined, warnings: [malformed(packageName, messageOf(error))] };
  }
  const { commands, resources, prompts, problems, ...named } = checked;
  const entryAt = (list: ListName, index: number) =>
    fieldOf(fieldOf(candidate, list), String(index));
  const plugin = {
    ...named,
    commands: commands.map(({ index, handler: _handler, mcpHandler: _mcp, ...fields }) => ({
      ...fields,
      ...boundFunctions(entryAt("commands", index), "handler", "mcpHandler"),
    })),
    resources: resources.map(({ index, complete: _complete, read: _read, ...fields }) => ({
      ...fields,
      title: fields.title ?? fields.name,
      ...withTexts(boundFunctions(entryAt("resources", index), "read", "complete")),
    })),
    prompts: prompts.map(({ index, complete: _complete, render: _render, ...fields }) => ({
      ...fields,
      title: fields.title ?? fields.name,
      ...withTexts(boundFunctions(entryAt("prompts", index), "render", "complete")),
    })),
  };
  return {
    // The functions are untyped.
    plugin: plugin as unknown as CliPlugin,
    warnings: problems.map((problem) => malformed(packageName, problem)),
  };
}

type Functions = Readonly<Record<string, (...args: unknown[]) => unknown>>;

/** The named functions of an entry, bound to it. */
function boundFunctions(entry: unknown, ...names: string[]): Functions {
  const bound = names.flatMap((name) => {
    const found = fieldOf(entry, name);
    return typeof found === "function" ? [[name, found.bind(entry)]] : [];
  });
  return Object.fromEntries(bound);
}

/** Keeps only the texts of what `complete` returns. */
function withTexts(functions: Functions): Functions {
  const { complete } = functions;
  if (complete === undefined) return functions;
  return { ...functions, complete: async (...args) => textsOf(await complete(...args)) };
}

function malformed(packageName: string, problem: string): Warning {
  return {
    code: "PLUGIN_MALFORMED",
    message: `${packageName}: ${problem}`,
    hint: "Call refrakt.package_validate on the package to see all problems.",
  };
}
