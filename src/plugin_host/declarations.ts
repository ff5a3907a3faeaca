/**
 * What a package declares, copied as plain data: a declaration may have getters that
 * throw, half a million keys, or text that hides what it says. Each command is copied
 * on its own, so that a bad one costs that command alone.
 *
 * @module
 */

import { messageOf } from "../errors.ts";
import { asObject, fieldOf, isObject } from "../io/json.ts";
import { plainLine, plainText } from "../plain_text.ts";
import type { Icon, Meta } from "../tools/content.ts";
import type { JsonSchema } from "../tools/schema.ts";
import { nameKey } from "../tools/tool_names.ts";
import type { Prompt } from "../tools/prompt.ts";
import type { Resource } from "../tools/resource.ts";
import type { Requirement, ToolAnnotations } from "../tools/tool.ts";
import { copyJson, LONGEST_TEXT } from "./copy_json.ts";

/** A command as plain data. */
export interface CommandDeclaration {
  /** See `CliPluginCommand.name`. */
  readonly name: string;
  /** See `CliPluginCommand.description`. */
  readonly description: string;
  /** See `CliPluginCommand.title`. */
  readonly title?: string;
  /** See `CliPluginCommand.inputSchema`. */
  readonly inputSchema?: JsonSchema;
  /** See `CliPluginCommand.outputSchema`. */
  readonly outputSchema?: JsonSchema;
  /** See `CliPluginCommand.annotations`. */
  readonly annotations?: ToolAnnotations;
  /** See `CliPluginCommand.icons`. */
  readonly icons?: readonly Icon[];
  /** See `CliPluginCommand._meta`. */
  readonly _meta?: Meta;
  /** See `CliPluginCommand.longRunning`. */
  readonly longRunning?: boolean;
  /** See `CliPluginCommand.writes`. */
  readonly writes?: readonly string[];
  /** Whether it has an `mcpHandler`. */
  readonly hasMcpHandler: boolean;
  /** Where it stands in the package's list. */
  readonly index: number;
}

/** A resource as plain data. */
export interface ResourceDeclaration
  extends Omit<Resource, "read" | "complete" | "fileOf" | "icons" | "_meta"> {
  /** Whether it has a `complete` function. */
  readonly completes: boolean;
  /** Where it stands in the package's list. */
  readonly index: number;
}

/** A prompt as plain data. */
export interface PromptDeclaration extends Omit<Prompt, "render" | "complete" | "icons" | "_meta"> {
  /** Whether it has a `complete` function. */
  readonly completes: boolean;
  /** Where it stands in the package's list. */
  readonly index: number;
}

/** A plugin as plain data. */
export interface PluginDeclaration {
  /** The first part of its tools' names. */
  readonly namespace: string;
  /** What it is for. */
  readonly description?: string;
  /** The commands that can be used. */
  readonly commands: readonly CommandDeclaration[];
  /** Its resources. */
  readonly resources: readonly ResourceDeclaration[];
  /** Its prompts. */
  readonly prompts: readonly PromptDeclaration[];
  /** What is wrong with the others, a sentence each. */
  readonly problems: readonly string[];
}

/** The most commands, resources and prompts of a plugin. */
const MOST_ENTRIES = 200;
/** The longest title and description. */
const LONGEST_TITLE = 120;
const LONGEST_DESCRIPTION = 2000;
/** The most folders that a command may write. */
const MOST_WRITES = 20;

/**
 * Copies what a module declares as its plugin.
 *
 * @param candidate The module's default export, or what a Worker made of it.
 * @throws {Error} Where it is no plugin at all; the message says why.
 */
export function copyPlugin(candidate: unknown): PluginDeclaration {
  if (!isObject(candidate)) throw new Error("its cli-plugin is no object");
  const { namespace, description, commands } = candidate;
  if (typeof namespace !== "string" || !/^[a-z][a-z0-9-]{0,31}$/i.test(namespace)) {
    throw new Error("its cli-plugin has no valid namespace");
  }
  if (!Array.isArray(commands)) throw new Error("its cli-plugin has no list of commands");
  const problems: string[] = [];
  const copied = copyEach(
    "command",
    commands,
    problems,
    (entry, index) => copyCommand(entry, index, problems),
  );
  return {
    namespace,
    ...(typeof description === "string"
      ? { description: plainText(description, LONGEST_DESCRIPTION) }
      : {}),
    commands: copied,
    resources: copyEach(
      "resource",
      candidate["resources"],
      problems,
      (entry, index) => copyResource(entry, index, namespace),
    ),
    prompts: copyEach(
      "prompt",
      candidate["prompts"],
      problems,
      (entry, index) => copyPrompt(entry, index, namespace),
    ),
    problems,
  };
}

/** Copies each entry of a list on its own; what is wrong with one is a sentence. */
function copyEach<Copy>(
  what: string,
  entries: unknown,
  problems: string[],
  copy: (entry: unknown, index: number) => Copy,
): Copy[] {
  if (!Array.isArray(entries)) return [];
  const copies: Copy[] = [];
  for (let index = 0; index < Math.min(entries.length, MOST_ENTRIES); index++) {
    try {
      copies.push(copy(entries[index], index));
    } catch (error) {
      problems.push(`${what} ${index + 1} is left out: ${messageOf(error).slice(0, 300)}`);
    }
  }
  if (entries.length > MOST_ENTRIES) {
    problems.push(`the ${what}s after number ${MOST_ENTRIES} are left out`);
  }
  return copies;
}

function copyCommand(command: unknown, index: number, problems: string[]): CommandDeclaration {
  if (!isObject(command)) throw new Error("it is no object");
  const { name, description, title, longRunning, handler, mcpHandler, hasMcpHandler } = command;
  if (typeof name !== "string" || name === "" || name.length > 64) {
    throw new Error("it has no name");
  }
  if (typeof description !== "string") throw new Error("it has no description");
  if (
    typeof handler !== "function" && typeof mcpHandler !== "function" &&
    typeof hasMcpHandler !== "boolean"
  ) {
    throw new Error("it has neither a handler nor an mcpHandler");
  }
  if (command["toolName"] !== undefined) {
    problems.push(
      `the toolName of "${plainLine(name, 64)}" is not used: packages cannot choose it`,
    );
  }
  const inputSchema = copySchema("inputSchema", command["inputSchema"]);
  const outputSchema = copySchema("outputSchema", command["outputSchema"]);
  const position = typeof hasMcpHandler === "boolean" ? Number(command["index"]) : index;
  return {
    name,
    description: plainText(description, LONGEST_DESCRIPTION),
    ...(typeof title === "string" ? { title: plainLine(title, LONGEST_TITLE) } : {}),
    ...(inputSchema === undefined ? {} : { inputSchema }),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...annotationsOf(command["annotations"], writesOf(command["writes"]).writes !== undefined),
    ...iconsOf(command["icons"]),
    ...metaOf(command["_meta"]),
    ...(longRunning === true ? { longRunning } : {}),
    ...writesOf(command["writes"]),
    hasMcpHandler: typeof hasMcpHandler === "boolean"
      ? hasMcpHandler
      : typeof mcpHandler === "function",
    index: position,
  };
}

/** The schema as plain data; `undefined` where there is none. */
function copySchema(name: "inputSchema" | "outputSchema", schema: unknown): JsonSchema | undefined {
  if (schema === undefined || schema === null) return undefined;
  const toJSONSchema = fieldOf(schema, "toJSONSchema");
  const json = typeof toJSONSchema === "function"
    ? toJSONSchema.call(schema, { io: "input" })
    : schema;
  // What is no schema is warned of where schemas are read.
  return copyJson(json, name) as JsonSchema;
}

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

/** The hints; a command that declares what it writes cannot say that it only reads. */
function annotationsOf(value: unknown, writes: boolean): { annotations?: ToolAnnotations } {
  if (!isObject(value) && !writes) return {};
  const given = asObject(value);
  const hints = HINTS.filter((hint) => typeof given[hint] === "boolean");
  return {
    annotations: {
      ...Object.fromEntries(hints.map((hint) => [hint, given[hint]])),
      ...(writes ? { readOnlyHint: false } : {}),
    },
  };
}

function iconsOf(value: unknown): { icons?: readonly Icon[] } {
  if (!Array.isArray(value)) return {};
  const copy = copyJson(value, "list of icons", 100);
  return { icons: Array.isArray(copy) ? copy.filter(isIcon) : [] };
}

function isIcon(value: unknown): value is Icon {
  const { src } = asObject(value);
  return typeof src === "string" && src.length < LONGEST_TEXT;
}

function metaOf(value: unknown): { _meta?: Meta } {
  if (!isObject(value)) return {};
  return { _meta: asObject(copyJson(value, "_meta", 500)) };
}

function writesOf(value: unknown): { writes?: readonly string[] } {
  if (!Array.isArray(value)) return {};
  const writes = value.slice(0, MOST_WRITES).filter((path): path is string =>
    typeof path === "string" && path.length <= 1024
  );
  return writes.length === 0 ? {} : { writes };
}

function copyResource(entry: unknown, index: number, namespace: string): ResourceDeclaration {
  if (!isObject(entry)) throw new Error("it is no object");
  const { uri, name, title, description, mimeType, query, openQuery, requires } = entry;
  const base = `refrakt://${namespace}`;
  if (typeof uri !== "string" || uri.length > 512 || uri !== base && !uri.startsWith(`${base}/`)) {
    throw new Error(`its uri does not begin with ${base}`);
  }
  if (typeof name !== "string") throw new Error("it has no name");
  return {
    uri,
    name: plainLine(name, LONGEST_TITLE),
    title: plainLine(typeof title === "string" ? title : name, LONGEST_TITLE),
    description: plainText(typeof description === "string" ? description : "", LONGEST_DESCRIPTION),
    mimeType: typeof mimeType === "string" ? plainLine(mimeType, LONGEST_TITLE) : "text/plain",
    ...(Array.isArray(query) ? { query: query.filter(isShortText).slice(0, 20) } : {}),
    ...(isShortText(openQuery) ? { openQuery } : {}),
    ...(Array.isArray(requires) ? { requires: requires.filter(isRequirement) } : {}),
    completes: typeof entry["complete"] === "function" || entry["completes"] === true,
    index: positionOf(entry, index),
  };
}

function copyPrompt(entry: unknown, index: number, namespace: string): PromptDeclaration {
  if (!isObject(entry)) throw new Error("it is no object");
  const { name, title, description, requires } = entry;
  if (
    !isShortText(name) || nameKey(name) !== nameKey(namespace) &&
      !nameKey(name).startsWith(`${nameKey(namespace)}_`)
  ) {
    throw new Error(`its name does not begin with ${namespace}_`);
  }
  const list = Array.isArray(entry["arguments"]) ? entry["arguments"].slice(0, 50) : [];
  return {
    name,
    title: plainLine(typeof title === "string" ? title : name, LONGEST_TITLE),
    description: plainText(typeof description === "string" ? description : "", LONGEST_DESCRIPTION),
    arguments: list.filter(isObject).flatMap((argument) => {
      const { name } = argument;
      return isShortText(name) ? [{ ...argument, name }] : [];
    })
      .map((argument: Readonly<Record<string, unknown>> & { readonly name: string }) => ({
        name: argument.name,
        description: plainText(String(argument["description"] ?? ""), LONGEST_DESCRIPTION),
        ...(argument["required"] === true ? { required: true } : {}),
      })),
    ...(Array.isArray(requires) ? { requires: requires.filter(isRequirement) } : {}),
    completes: typeof entry["complete"] === "function" || entry["completes"] === true,
    index: positionOf(entry, index),
  };
}

/** What a Worker copied says where it stood; what is copied first stands where it is. */
function positionOf(entry: Readonly<Record<string, unknown>>, index: number): number {
  return typeof entry["index"] === "number" ? entry["index"] : index;
}

function isShortText(value: unknown): value is string {
  return typeof value === "string" && /^[\w.-]{1,64}$/.test(value);
}

function isRequirement(value: unknown): value is Requirement {
  return value === "plan" || value === "site" || value === "ralph";
}
