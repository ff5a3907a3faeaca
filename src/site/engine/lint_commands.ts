/**
 * What is wrong with the commands of a rune package.
 *
 * @module
 */

import { asObject, isObject, isTextList } from "../../io/json.ts";
import { error, type Findings, warning } from "./findings.ts";

/**
 * The command-line half of a package.
 *
 * @param plugin What `./cli-plugin` exports.
 * @param taken The namespaces that other packages of the project have, with the package.
 * @param found Where the findings go.
 */
export function lintCommands(
  plugin: unknown,
  taken: ReadonlyMap<string, string>,
  found: Findings,
): void {
  const { namespace, commands } = asObject(plugin);
  if (typeof namespace !== "string" || namespace === "") {
    error(found, "cli-plugin.namespace", "Required, a text that is not empty");
  } else lintNamespace(namespace, taken, found);
  if (!Array.isArray(commands)) {
    error(found, "cli-plugin.commands", "Required, a list");
    return;
  }
  if (commands.length === 0) {
    warning(found, "cli-plugin.commands", "No commands: the plugin adds nothing");
  }
  const seen = new Set<unknown>();
  for (const [index, command] of commands.entries()) {
    const path = `cli-plugin.commands[${index}]`;
    if (typeof command !== "object" || command === null) {
      error(found, path, "Has to be an object");
      continue;
    }
    lintCommand(asObject(command), path, seen, found);
  }
}

/** The object that a `./cli-plugin` module exports, where it looks like one. */
export function cliPluginOf(exports: Readonly<Record<string, unknown>>): unknown {
  const candidate = exports["default"] ?? exports;
  const { namespace, commands } = asObject(candidate);
  return namespace === undefined && commands === undefined ? undefined : candidate;
}

function lintNamespace(
  namespace: string,
  taken: ReadonlyMap<string, string>,
  found: Findings,
): void {
  const path = "cli-plugin.namespace";
  if (!/^[A-Za-z0-9_-]+$/.test(namespace)) {
    error(found, path, `"${namespace}" cannot be part of a tool's name: letters, digits, _ and -`);
  }
  if (namespace === "refrakt") {
    error(found, path, 'The namespace "refrakt" belongs to the core tools');
  }
  const owner = taken.get(namespace);
  if (owner !== undefined) {
    warning(
      found,
      path,
      `The namespace "${namespace}" is already taken by ${owner} in this project`,
    );
  }
}

function lintCommand(
  command: Record<string, unknown>,
  path: string,
  seen: Set<unknown>,
  found: Findings,
): void {
  const { name, description, handler, mcpHandler, inputSchema, outputSchema } = command;
  const shown = typeof name === "string" && name !== "" ? `Command "${name}"` : "The command";
  if (typeof name !== "string" || name === "") {
    error(found, `${path}.name`, "Required, a text that is not empty");
  } else if (!/^[A-Za-z0-9_.-]{1,50}$/.test(name)) {
    warning(found, `${path}.name`, `"${name}" cannot be part of a tool's name, so it is left out`);
  }
  if (seen.has(name)) error(found, `${path}.name`, `${shown} is declared twice`);
  seen.add(name);
  if (typeof description !== "string") {
    error(found, `${path}.description`, "Required, a text");
  } else if (description.trim() === "") {
    warning(found, `${path}.description`, "Empty: a model has nothing else to go by");
  }
  if (typeof handler !== "function") error(found, `${path}.handler`, "Required, a function");
  if (mcpHandler !== undefined && typeof mcpHandler !== "function") {
    error(found, `${path}.mcpHandler`, "Has to be a function");
  }
  lintSchema(inputSchema, `${path}.inputSchema`, found);
  lintSchema(outputSchema, `${path}.outputSchema`, found);
  if (inputSchema === undefined) {
    warning(found, path, `${shown} has no inputSchema, so clients cannot tell what it takes`);
  } else if (mcpHandler === undefined) {
    warning(found, path, `${shown} has an inputSchema but no mcpHandler: its input becomes argv`);
  }
}

function lintSchema(schema: unknown, path: string, found: Findings): void {
  if (schema === undefined) return;
  if (!isObject(schema)) {
    error(found, path, "Has to be a JSON Schema, an object");
    return;
  }
  const { type, properties, required, anyOf, oneOf, allOf } = schema;
  if (type === undefined) warning(found, path, 'No "type": clients want "object" at the root');
  else if (type !== "object") {
    error(found, `${path}.type`, `Has to be "object", not ${JSON.stringify(type)}`);
  }
  if (properties !== undefined && !isObject(properties)) {
    error(found, `${path}.properties`, "Has to be an object");
  }
  for (const [name, property] of Object.entries(asObject(properties))) {
    if (!isObject(property) && typeof property !== "boolean") {
      error(found, `${path}.properties.${name}`, "Has to be a JSON Schema");
    }
  }
  if (required !== undefined) {
    if (!isTextList(required)) {
      error(found, `${path}.required`, "Has to be a list of names");
    } else {
      for (const name of required) {
        if (!isObject(properties) || !Object.hasOwn(properties, name)) {
          warning(found, `${path}.required`, `"${name}" is required, but not among the properties`);
        }
      }
    }
  }
  if (anyOf !== undefined || oneOf !== undefined || allOf !== undefined) {
    warning(found, path, "anyOf, oneOf and allOf at the root are refused by some clients");
  }
}
