/** Reads the `cli-plugin` export of a package. */

import { messageOf } from "../errors.ts";
import { fieldOf, textsOf } from "../io/json.ts";
import type { Loaded } from "../npm/load.ts";
import { isExactVersion } from "../npm/names.ts";
import type { Warning } from "../project/project.ts";
import { loadedPackage } from "../sandbox/modules.ts";
import type { DiscoveredPlugin } from "../tools/detection.ts";
import type { CliPlugin, CliPluginCommand } from "../tools/plugin.ts";
import { checkPlugin, copyPlugin, type ListName, type PluginDeclaration } from "./declarations.ts";

/** Which copy of a package was loaded. */
export type LoadedFrom = Pick<DiscoveredPlugin, "packageVersion" | "origin" | "path">;

/** As plain data, with the exact version if a range was requested. */
export function loadedFrom(name: string, loaded: Loaded<unknown>): LoadedFrom {
  const { version, origin, path } = loaded;
  const packageVersion = isExactVersion(version)
    ? version
    : loadedPackage(name)?.version ?? version;
  return { packageVersion, origin, ...(path === undefined ? {} : { path }) };
}

export interface ReadPlugin {
  /** The plugin with its valid commands, or `undefined` if the export is not a plugin. */
  readonly plugin: CliPlugin | undefined;
  readonly warnings: Warning[];
}

/** The position of an entry in the package's object, and its name or URI. */
export interface EntryPlace {
  readonly list: ListName;
  readonly index: number;
  readonly key: string;
}

/** Calls a plugin's functions, in this process or in a Worker. */
export interface PluginFunctions {
  command(
    place: EntryPlace,
    writes: readonly string[] | undefined,
  ): Pick<CliPluginCommand, "handler" | "mcpHandler">;
  /** Calls a function of a resource or a prompt. */
  // deno-lint-ignore no-explicit-any -- what a package's functions return is checked where it is used
  call(place: EntryPlace, name: string, args: readonly unknown[]): any;
}

/** The plugin in a module's exports. */
export function candidateOf(module: Readonly<Record<string, unknown>>): unknown {
  return module["default"] ?? module;
}

/** Reads a plugin: copies its declarations, and calls its functions on the package's own object. */
export function readPlugin(
  module: Readonly<Record<string, unknown>>,
  packageName: string,
): ReadPlugin {
  const candidate = candidateOf(module);
  return pluginOf(() => copyPlugin(candidate), packageName, {
    command: (place) => commandOf(candidate, place),
    call: (place, name, args) => {
      const entry = entryAt(candidate, place);
      return Reflect.apply(fieldOf(entry, name) as () => unknown, entry, args);
    },
  });
}

/** The functions of a command, bound to the package's own object. */
export function commandOf(
  candidate: unknown,
  place: EntryPlace,
): Pick<CliPluginCommand, "handler" | "mcpHandler"> {
  const entry = entryAt(candidate, place);
  const bound = (["handler", "mcpHandler"] as const).flatMap((name) => {
    const found = fieldOf(entry, name);
    return typeof found === "function" ? [[name, found.bind(entry)]] : [];
  });
  return Object.fromEntries(bound);
}

/** Finds an entry; a Worker may have loaded another version of the file. */
export function entryAt(candidate: unknown, { list, index, key }: EntryPlace): unknown {
  const entry = fieldOf(fieldOf(candidate, list), String(index));
  if (fieldOf(entry, list === "resources" ? "uri" : "name") === key) return entry;
  throw new Error("The package has changed since it was loaded");
}

/** Creates a plugin from copied declarations; errors of `copied` become a warning. */
export function pluginOf(
  copied: () => unknown,
  packageName: string,
  functions: PluginFunctions,
): ReadPlugin {
  let checked: PluginDeclaration;
  try {
    checked = checkPlugin(copied());
  } catch (error) {
    const warnings = [malformed(packageName, messageOf(error))];
    return { plugin: undefined, warnings };
  }
  const { commands, resources, prompts, problems, ...named } = checked;
  const functionsOf = (place: EntryPlace, first: "read" | "render", completes: boolean) => ({
    [first]: (...args: unknown[]) => functions.call(place, first, args),
    ...(completes
      ? {
        complete: async (...args: unknown[]) =>
          textsOf(await functions.call(place, "complete", args)),
      }
      : {}),
  });
  const plugin = {
    ...named,
    commands: commands.map(({ index, handler: _handler, mcpHandler: _mcp, ...fields }) => ({
      ...fields,
      ...functions.command({ list: "commands", index, key: fields.name }, fields.writes),
    })),
    resources: resources.map(({ index, complete, ...fields }) => ({
      ...fields,
      title: fields.title ?? fields.name,
      ...functionsOf({ list: "resources", index, key: fields.uri }, "read", complete === true),
    })),
    prompts: prompts.map(({ index, complete, ...fields }) => ({
      ...fields,
      title: fields.title ?? fields.name,
      ...functionsOf({ list: "prompts", index, key: fields.name }, "render", complete === true),
    })),
  };
  return {
    // The functions are untyped.
    plugin: plugin as unknown as CliPlugin,
    warnings: problems.map((problem) => malformed(packageName, problem)),
  };
}

function malformed(packageName: string, problem: string): Warning {
  return {
    code: "PLUGIN_MALFORMED",
    message: `${packageName}: ${problem}`,
    hint: "Call refrakt.package_validate on the package to see all problems.",
  };
}
