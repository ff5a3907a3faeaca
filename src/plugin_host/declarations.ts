/**
 * What a package declares, copied as plain data: a declaration may have getters that
 * throw, half a million keys, or text that hides what it says. Each command is copied
 * on its own, so that a bad one costs that command alone.
 *
 * @module
 */

import { messageOf } from "../errors.ts";
import { asObject, fieldOf, isObject, textsOf } from "../io/json.ts";
import { plainLine, plainText } from "../plain_text.ts";
import type { Icon } from "../tools/content.ts";
import type { CliPluginCommand } from "../tools/plugin.ts";
import type { Prompt } from "../tools/prompt.ts";
import type { Resource } from "../tools/resource.ts";
import type { JsonSchema } from "../tools/schema.ts";
import type { Requirement, ToolAnnotations } from "../tools/tool.ts";
import { nameKey } from "../tools/tool_names.ts";
import { copyJson, LONGEST_TEXT } from "./copy_json.ts";

/** A command as plain data. */
export interface CommandDeclaration
  extends
    Omit<CliPluginCommand, "handler" | "mcpHandler" | "toolName" | "inputSchema" | "outputSchema"> {
  readonly inputSchema?: JsonSchema;
  readonly outputSchema?: JsonSchema;
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
  const { name, description, longRunning, mcpHandler, _meta: meta } = command;
  if (typeof name !== "string" || name === "" || name.length > 64) {
    throw new Error("it has no name");
  }
  if (typeof description !== "string") throw new Error("it has no description");
  // What a Worker copied has no functions any more.
  const isCopy = typeof command["hasMcpHandler"] === "boolean";
  if (!isCopy && typeof command["handler"] !== "function" && typeof mcpHandler !== "function") {
    throw new Error("it has neither a handler nor an mcpHandler");
  }
  if (command["toolName"] !== undefined) {
    problems.push(
      `the toolName of "${plainLine(name, 64)}" is not used: packages cannot choose it`,
    );
  }
  const writes = writesOf(command["writes"]);
  return {
    name,
    description: plainText(description, LONGEST_DESCRIPTION),
    ...given({
      title: lineOf(command["title"]),
      inputSchema: copySchema("inputSchema", command["inputSchema"]),
      outputSchema: copySchema("outputSchema", command["outputSchema"]),
      annotations: annotationsOf(command["annotations"], writes !== undefined),
      icons: iconsOf(command["icons"]),
      _meta: isObject(meta) ? asObject(copyJson(meta, "_meta", 500)) : undefined,
      longRunning: longRunning === true ? true : undefined,
      writes,
    }),
    hasMcpHandler: isCopy ? command["hasMcpHandler"] === true : typeof mcpHandler === "function",
    index: positionOf(command, index),
  };
}

/** The fields that have a value. */
function given<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };
function given(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function lineOf(value: unknown): string | undefined {
  return typeof value === "string" ? plainLine(value, LONGEST_TITLE) : undefined;
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
function annotationsOf(value: unknown, writes: boolean): ToolAnnotations | undefined {
  if (!isObject(value) && !writes) return undefined;
  const annotations = asObject(value);
  const hints = HINTS.filter((hint) => typeof annotations[hint] === "boolean");
  return {
    ...Object.fromEntries(hints.map((hint) => [hint, annotations[hint]])),
    ...(writes ? { readOnlyHint: false } : {}),
  };
}

function iconsOf(value: unknown): readonly Icon[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const copy = copyJson(value, "list of icons", 100);
  return Array.isArray(copy) ? copy.filter(isIcon) : [];
}

function isIcon(value: unknown): value is Icon {
  const { src } = asObject(value);
  return typeof src === "string" && src.length < LONGEST_TEXT;
}

function writesOf(value: unknown): readonly string[] | undefined {
  const paths = textsOf(value).slice(0, MOST_WRITES).filter((path) => path.length <= 1024);
  return paths.length === 0 ? undefined : paths;
}

/** What resources and prompts have in common. */
function copyShown(entry: Readonly<Record<string, unknown>>, name: string, index: number) {
  const { title, description, requires } = entry;
  return {
    title: lineOf(title) ?? plainLine(name, LONGEST_TITLE),
    description: plainText(typeof description === "string" ? description : "", LONGEST_DESCRIPTION),
    ...given({ requires: Array.isArray(requires) ? requires.filter(isRequirement) : undefined }),
    completes: typeof entry["complete"] === "function" || entry["completes"] === true,
    index: positionOf(entry, index),
  };
}

function copyResource(entry: unknown, index: number, namespace: string): ResourceDeclaration {
  if (!isObject(entry)) throw new Error("it is no object");
  const { uri, name, mimeType, query, openQuery } = entry;
  const base = `refrakt://${namespace}`;
  if (typeof uri !== "string" || uri.length > 512 || uri !== base && !uri.startsWith(`${base}/`)) {
    throw new Error(`its uri does not begin with ${base}`);
  }
  if (typeof name !== "string") throw new Error("it has no name");
  return {
    uri,
    name: plainLine(name, LONGEST_TITLE),
    mimeType: lineOf(mimeType) ?? "text/plain",
    ...given({
      query: Array.isArray(query) ? query.filter(isShortText).slice(0, 20) : undefined,
      openQuery: isShortText(openQuery) ? openQuery : undefined,
    }),
    ...copyShown(entry, name, index),
  };
}

function copyPrompt(entry: unknown, index: number, namespace: string): PromptDeclaration {
  if (!isObject(entry)) throw new Error("it is no object");
  const { name, arguments: list } = entry;
  const key = nameKey(namespace);
  if (!isShortText(name) || nameKey(name) !== key && !nameKey(name).startsWith(`${key}_`)) {
    throw new Error(`its name does not begin with ${namespace}_`);
  }
  return {
    name,
    arguments: (Array.isArray(list) ? list.slice(0, 50) : []).map(asObject)
      .flatMap(({ name, description, required }) =>
        isShortText(name)
          ? [{
            name,
            description: plainText(String(description ?? ""), LONGEST_DESCRIPTION),
            ...(required === true ? { required: true } : {}),
          }]
          : []
      ),
    ...copyShown(entry, name, index),
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
