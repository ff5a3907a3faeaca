/**
 * Looks at what a package exports as its `cli-plugin`, and keeps what is a plugin.
 *
 * @module
 */

import { messageOf } from "../errors.ts";
import { fieldOf } from "../io/json.ts";
import type { Loaded } from "../npm/load.ts";
import { isExactVersion } from "../npm/names.ts";
import type { Warning } from "../project/project.ts";
import { loadedPackage } from "../sandbox/modules.ts";
import type { DeclaredCommand, DiscoveredPlugin } from "../tools/discovered_plugin.ts";
import type { CliPlugin, CliPluginCommand } from "../tools/plugin.ts";
import type { Prompt } from "../tools/prompt.ts";
import type { Resource } from "../tools/resource.ts";
import {
  type CommandDeclaration,
  copyPlugin,
  type PluginDeclaration,
  type PromptDeclaration,
  type ResourceDeclaration,
} from "./declarations.ts";

/** Commands in short; see {@linkcode DeclaredCommand}. */
export function declaredOf(
  commands: readonly (CliPluginCommand & { readonly hasMcpHandler?: boolean })[],
): DeclaredCommand[] {
  return commands.map((command) => ({
    name: command.name,
    description: command.description,
    hasInputSchema: command.inputSchema !== undefined,
    hasOutputSchema: command.outputSchema !== undefined,
    hasMcpHandler: command.hasMcpHandler ?? command.mcpHandler !== undefined,
  }));
}

/** Which copy of a package was loaded. */
export type LoadedFrom = Pick<DiscoveredPlugin, "packageVersion" | "origin" | "path">;

/** Which copy it was, in plain data; a range that was asked for is made exact by what was loaded. */
export function loadedFrom(name: string, loaded: Loaded<unknown>): LoadedFrom {
  const { version, origin, path } = loaded;
  const packageVersion = isExactVersion(version)
    ? version
    : loadedPackage(name)?.version ?? version;
  return { packageVersion, origin, ...(path === undefined ? {} : { path }) };
}

/** What was read of a package. */
export interface ReadPlugin {
  /** The plugin with its well-formed commands, or `undefined` where it is none. */
  readonly plugin: CliPlugin | undefined;
  /** What is wrong with it. */
  readonly warnings: Warning[];
}

/** What runs a plugin's functions: in this process, or in a Worker. */
export interface PluginFunctions {
  /** The functions of a command. */
  command(declared: CommandDeclaration): Pick<CliPluginCommand, "handler" | "mcpHandler">;
  /** The functions of a resource. */
  resource(declared: ResourceDeclaration): Pick<Resource, "read" | "complete">;
  /** The functions of a prompt. */
  prompt(declared: PromptDeclaration): Pick<Prompt, "render" | "complete">;
}

/**
 * Reads a module's plugin: its declarations are copied, its functions stay its own.
 *
 * @param module What the import gave.
 * @param packageName For the warnings.
 */
export function readPlugin(module: Record<string, unknown>, packageName: string): ReadPlugin {
  const candidate = module["default"] ?? module;
  return pluginOf(candidate, packageName, {
    command: ({ index }) => functionsOf(candidate, "commands", index, ["handler", "mcpHandler"]),
    resource: ({ index }) => functionsOf(candidate, "resources", index, ["read", "complete"]),
    prompt: ({ index }) => functionsOf(candidate, "prompts", index, ["render", "complete"]),
  });
}

/**
 * Makes a plugin of what a package declares.
 *
 * @param candidate The declarations: the package's object, or a Worker's copy of it.
 * @param packageName For the warnings.
 * @param functions What runs it.
 */
export function pluginOf(
  candidate: unknown,
  packageName: string,
  functions: PluginFunctions,
): ReadPlugin {
  let declared: PluginDeclaration;
  try {
    declared = copyPlugin(candidate);
  } catch (error) {
    return { plugin: undefined, warnings: [malformed(packageName, messageOf(error))] };
  }
  const warnings = declared.problems.map((problem) => malformed(packageName, problem));
  const complete = <Given extends { complete?: unknown }>(completes: boolean, given: Given) => {
    const { complete: _left, ...rest } = given;
    return completes ? given : rest as Given;
  };
  const { namespace, description } = declared;
  return {
    plugin: {
      namespace,
      ...(description === undefined ? {} : { description }),
      commands: declared.commands.map((command) => ({
        ...commandFields(command),
        ...functions.command(command),
      })),
      resources: declared.resources.map((resource) => {
        const { completes, index: _index, ...fields } = resource;
        return { ...fields, ...complete(completes, functions.resource(resource)) };
      }),
      prompts: declared.prompts.map((prompt) => {
        const { completes, index: _index, ...fields } = prompt;
        return { ...fields, ...complete(completes, functions.prompt(prompt)) };
      }),
    },
    warnings,
  };
}

function commandFields({ index: _index, hasMcpHandler: _has, ...fields }: CommandDeclaration) {
  return fields;
}

type Lists = "commands" | "resources" | "prompts";

/** The functions of an entry by name, to be called on the package's own object. */
function functionsOf<Name extends string>(
  candidate: unknown,
  list: Lists,
  index: number,
  names: readonly Name[],
  // deno-lint-ignore no-explicit-any -- what a package's functions take and return is checked where they are called
): Record<Name, any> {
  const entry = fieldOf(fieldOf(candidate, list), String(index));
  const functions: Partial<Record<Name, unknown>> = {};
  for (const name of names) {
    const found = fieldOf(entry, name);
    if (typeof found === "function") functions[name] = found.bind(entry);
  }
  return functions as Record<Name, unknown>;
}

function malformed(packageName: string, problem: string): Warning {
  return {
    code: "PLUGIN_MALFORMED",
    message: `${packageName}: ${problem}`,
    hint: "Call refrakt.package_validate on the package to see all that is wrong.",
  };
}
