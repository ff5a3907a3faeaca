/**
 * Converts results, errors and list entries to the protocol's messages, with bounded texts, as plugins
 * and callers write them; and adds the shell commands of tools that a client's list lacks.
 */

import { RefraktError } from "../errors.ts";
import type { Inventory } from "../host/inventory.ts";
import { isObject } from "../io/json.ts";
import { shortLine, shortText, withEscapes } from "../plain_text.ts";
import type { ListedEntry } from "../plugin/content.ts";
import { isTextResult, withText } from "../plugin/result.ts";
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";

/** Removes `readonly` at any depth. */
type Mutable<Value> = Value extends object
  ? { -readonly [Field in keyof Value]: Mutable<Value[Field]> }
  : Value;

/** A cast: the SDK does not modify what it sends. */
export function mutable<Value>(value: Value): Mutable<Value> {
  return value as Mutable<Value>;
}

export function boundedTitle(title: string): string {
  return shortLine(withEscapes(title), 120);
}

export function boundedDescription(description: string): string {
  return shortText(withEscapes(description), 2000);
}

export function listedFields({ title, description, _meta }: ListedEntry) {
  return {
    title: boundedTitle(title),
    description: boundedDescription(description),
    _meta: _meta && { ..._meta },
  };
}

/** A failed call. `_meta` repeats the code and the hint for clients that drop unknown fields. */
export function errorMessage(error: RefraktError): CallToolResult {
  const { message, fields } = bounded(error);
  const isLong = JSON.stringify(error.data ?? "").length > MOST_TEXT;
  return {
    isError: true,
    content: [{ type: "text", text: fields.hint ? `${message}\n\n${fields.hint}` : message }],
    ...fields,
    _meta: { ...fields, data: isLong ? undefined : error.data },
  };
}

/** Limit for the message, the hint and the data: they may contain input. */
const MOST_TEXT = 10_000;

function bounded({ code, message, hint }: RefraktError) {
  return { message: clip(message), fields: { errorCode: code, hint: hint && clip(hint) } };
}

function clip(text: string): string {
  return text.length <= MOST_TEXT ? text : `${text.slice(0, MOST_TEXT).toWellFormed()}…`;
}

export function isNotFoundCode(code: unknown): boolean {
  return code === "NOT_FOUND" || code === "SPEC_NOT_FOUND";
}

/** A protocol error for a failed read, with the code, the hint and the URI as data. */
export function resourceError(error: RefraktError, uri: string): ProtocolError {
  const { message, fields } = bounded(error);
  const code = isNotFoundCode(error.code)
    ? ProtocolErrorCode.ResourceNotFound
    : error.code === "INVALID_ARGS"
    ? ProtocolErrorCode.InvalidParams
    : ProtocolErrorCode.InternalError;
  const text = fields.hint ? `${message.replace(/\.$/, "")}. ${fields.hint}` : message;
  return new ProtocolError(code, `Failed to read resource: ${text}`, { uri: clip(uri), ...fields });
}

export function requestError(error: RefraktError): ProtocolError {
  const { message, fields } = bounded(error);
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, fields);
}

/** What a client knows of the server. */
export interface Audience {
  readonly inventory: Inventory;
  /** The names of the tools that it knows: those of its list, and one that it has called. */
  readonly knownTools: ReadonlySet<string>;
}

/** The fields of answers that say what to do next; all others have texts of the project. */
const ADVICE = new Set("call enable fix hint message next note notes planStep use".split(" "));

/** Words that may name tools: not in paths, longer words or quotations. */
const NAMES = /"(?:[^"\\\n]|\\.)*"|(?<![\w'./\\@:#-])[a-z][a-z0-9]*_\w+(?![\w'/\\@#-]|\.\w|:\/)/g;

/** Adds to a text how to run the tools in it that are not listed. */
export function completedText(text: string, audience: Audience): string {
  return withSentences(text, commandsIn(text, audience, true));
}

export function completedError(error: RefraktError, audience: Audience): RefraktError {
  const { code, message, hint, data } = error;
  if (hint === undefined) return error;
  const completed = completedText(hint, audience);
  return new RefraktError(code, message, { hint: completed, data, cause: error });
}

/** Adds `notListed` to the answer of a tool if its advice names tools that are not listed. */
export function completedAnswer(answer: unknown, audience: Audience): unknown {
  const data = isTextResult(answer) ? answer.data : answer;
  const notListed = commandsIn(data, audience, false);
  if (Object.keys(notListed).length === 0 || !isObject(data)) return answer;
  if (!isTextResult(answer)) return { ...data, notListed };
  return withText(withSentences(answer.text, notListed), { ...data, notListed });
}

function withSentences(text: string, commands: Readonly<Record<string, string>>): string {
  const sentences = Object.entries(commands)
    .map(([name, command]) => `${name} is not listed here. In a shell: ${command}`);
  return [text, ...sentences].join("\n\n");
}

/** The commands of the unlisted tools that the advice in a value names. */
function commandsIn(
  value: unknown,
  { inventory, knownTools }: Audience,
  isAdvice: boolean,
): Record<string, string> {
  const unlisted = new Map<string, unknown>();
  const add = (name: unknown, args?: unknown) => {
    if (typeof name !== "string" || knownTools.has(name)) return;
    if (inventory.findTool(name)?.name === name) unlisted.set(name, unlisted.get(name) ?? args);
  };
  const collect = (part: unknown, isAdvice: boolean): void => {
    if (typeof part === "string" && isAdvice) {
      for (const [name] of part.matchAll(NAMES)) {
        const isGiven = new RegExp(`jsr:@refrakt/mcp[^\\n]* call ${RegExp.escape(name)}(?!\\w)`)
          .test(part);
        if (!isGiven) add(name);
      }
    } else if (Array.isArray(part)) part.forEach((entry) => collect(entry, isAdvice));
    else if (isObject(part)) {
      if (isAdvice) add(part["tool"], part["arguments"]);
      for (const [key, field] of Object.entries(part)) collect(field, ADVICE.has(key));
    }
  };
  collect(value, isAdvice);
  const { shell } = inventory.project;
  return Object.fromEntries([...unlisted].map(([name, args]) => [name, shell.call(name, args)]));
}
