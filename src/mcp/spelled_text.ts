/**
 * Spells the names of tools in what a client gets as in its list, and adds the shell command of those
 * that the list lacks.
 */

import { RefraktError } from "../errors.ts";
import { asObject, isObject, textOf } from "../io/json.ts";
import { isTextResult, withText } from "../tools/result.ts";
import { respelled } from "../tools/tool_names.ts";
import type { ToolList, Workspace } from "../tools/workspace.ts";
import { type NameStyle, spelled } from "./clients.ts";

/** What a client was given. */
export interface Audience {
  readonly toolset: ToolList;
  readonly style: NameStyle;
  readonly views: boolean;
  readonly commandOf: Workspace["shellCommand"];
  /** The tool that was called, which the client knows. */
  readonly called?: string;
}

/** The fields of answers that say what to do next; all others have the project's words. */
const ADVICE = new Set([
  "call",
  "enable",
  "fix",
  "hint",
  "message",
  "next",
  "note",
  "notes",
  "planStep",
  "use",
]);

/** Tools that an advice names and the client's list lacks, with the arguments if it has any. */
type Unlisted = Map<string, unknown>;

export function spelledText(text: string, toolset: ToolList, style: NameStyle): string {
  return respelled(text, isToolIn(toolset), (name) => spelled(name, style));
}

/** The text, and how to run the tools in it that are not listed. */
export async function completedText(text: string, audience: Audience): Promise<string> {
  const unlisted = await commandsFor(namedIn(text, audience), audience);
  const lines = Object.entries(unlisted).map(([name, command]) => asSentence(name, command));
  return [spelledText(text, audience.toolset, audience.style), ...lines].join("\n\n");
}

export async function completedError(
  error: RefraktError,
  audience: Audience,
): Promise<RefraktError> {
  const { code, message, hint, data } = error;
  return new RefraktError(code, spelledText(message, audience.toolset, audience.style), {
    ...(hint === undefined ? {} : { hint: await completedText(hint, audience) }),
    ...(data === undefined ? {} : { data }),
    cause: error,
  });
}

/** The answer of a tool, with `notListed` if its advice names such tools. */
export async function completedAnswer(value: unknown, audience: Audience): Promise<unknown> {
  const found: Unlisted = new Map();
  if (isTextResult(value)) {
    const data = asObject(advised(value.data, audience, found));
    const notListed = await commandsFor(found, audience);
    const lines = Object.entries(notListed).map(([name, command]) => asSentence(name, command));
    return lines.length === 0
      ? withText(value.text, data)
      : withText([value.text, ...lines].join("\n\n"), { ...data, notListed });
  }
  const answer = advised(value, audience, found);
  if (found.size === 0 || !isObject(answer)) return answer;
  return { ...answer, notListed: await commandsFor(found, audience) };
}

function asSentence(name: string, command: string): string {
  return `${name} is not listed here. In a shell: ${command}`;
}

/** A copy with the client's spelling where something changes; `found` gets what is not listed. */
function advised(value: unknown, audience: Audience, found: Unlisted, isAdvice = false): unknown {
  if (typeof value === "string") {
    if (!isAdvice) return value;
    for (const [name] of namedIn(value, audience)) if (!found.has(name)) found.set(name, undefined);
    return spelledText(value, audience.toolset, audience.style);
  }
  if (Array.isArray(value)) return value.map((each) => advised(each, audience, found, isAdvice));
  // A class of the project's packages is left to JSON.
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const { tool, arguments: args } = value;
  const name = textOf(tool);
  if (isAdvice && name !== undefined && isToolIn(audience.toolset)(name)) {
    if (!isListed(name, audience) && found.get(name) === undefined) found.set(name, args);
    return { ...value, tool: spelled(name, audience.style) };
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      advised(each, audience, found, ADVICE.has(key)),
    ]),
  );
}

function isToolIn(toolset: ToolList): (name: string) => boolean {
  return (name) => toolset.findTool(name)?.name === name;
}

function isListed(name: string, { toolset, views, called }: Audience): boolean {
  return name === called || toolset.listedTools(views).some((tool) => tool.name === name);
}

function namedIn(text: string, audience: Audience): Unlisted {
  const found: Unlisted = new Map();
  respelled(text, isToolIn(audience.toolset), (name) => {
    const isGiven = new RegExp(`jsr:@refrakt/mcp[^\\n]* call ${name}\\b`).test(text);
    if (!isGiven && !isListed(name, audience)) found.set(name, undefined);
    return name;
  });
  return found;
}

async function commandsFor(
  found: Unlisted,
  { commandOf, style }: Audience,
): Promise<Record<string, string>> {
  const rows = [...found].map(async ([name, args]) => {
    const given = spelled(name, style);
    return [given, await commandOf(given, args)] as const;
  });
  return Object.fromEntries(await Promise.all(rows));
}
