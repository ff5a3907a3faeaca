/** Adds the shell command of the tools that advice names and the client's list lacks. */

import { RefraktError } from "../errors.ts";
import { isObject, textOf } from "../io/json.ts";
import { isTextResult, withText } from "../plugin/result.ts";
import type { Inventory } from "../host/inventory.ts";

/** What a client was given. */
export interface Audience {
  readonly inventory: Inventory;
  readonly views: boolean;
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

/** Words that may name tools: not in paths, longer words or quotations. */
const NAMES = /"(?:[^"\\\n]|\\.)*"|(?<![\w'./\\@:#-])[a-z][a-z0-9]*_\w+(?![\w'/\\@#-]|\.\w|:\/)/g;

/** Unlisted tools, with their arguments if the advice has any. */
type Unlisted = Map<string, unknown>;

/** The text, and how to run the tools in it that are not listed. */
export function completedText(text: string, audience: Audience): string {
  const unlisted: Unlisted = new Map();
  collect(text, audience, unlisted, true);
  return [text, ...sentences(commandsOf(unlisted, audience))].join("\n\n");
}

export function completedError(error: RefraktError, audience: Audience): RefraktError {
  const { code, message, hint, data } = error;
  if (hint === undefined) return error;
  return new RefraktError(code, message, {
    hint: completedText(hint, audience),
    ...(data === undefined ? {} : { data }),
    cause: error,
  });
}

/** The answer of a tool, with `notListed` if its advice names such tools. */
export function completedAnswer(answer: unknown, audience: Audience): unknown {
  const unlisted: Unlisted = new Map();
  const data = isTextResult(answer) ? answer.data : answer;
  collect(data, audience, unlisted, false);
  if (unlisted.size === 0 || !isObject(data)) return answer;
  const notListed = commandsOf(unlisted, audience);
  if (!isTextResult(answer)) return { ...data, notListed };
  return withText([answer.text, ...sentences(notListed)].join("\n\n"), { ...data, notListed });
}

function sentences(commands: Readonly<Record<string, string>>): string[] {
  return Object.entries(commands)
    .map(([name, command]) => `${name} is not listed here. In a shell: ${command}`);
}

/** Collects the unlisted tools that the advice in a value names. */
function collect(value: unknown, audience: Audience, unlisted: Unlisted, isAdvice: boolean): void {
  if (typeof value === "string") {
    if (!isAdvice) return;
    for (const [name] of value.matchAll(NAMES)) {
      if (!isUnlisted(name, audience)) continue;
      const isGiven = new RegExp(`jsr:@refrakt/mcp[^\\n]* call ${name}\\b`).test(value);
      if (!isGiven) unlisted.getOrInsert(name, undefined);
    }
  } else if (Array.isArray(value)) {
    for (const entry of value) collect(entry, audience, unlisted, isAdvice);
  } else if (isObject(value)) {
    const { tool, arguments: args } = value;
    const name = textOf(tool);
    if (isAdvice && name !== undefined && isUnlisted(name, audience)) {
      unlisted.set(name, unlisted.get(name) ?? args);
    }
    for (const [key, field] of Object.entries(value)) {
      collect(field, audience, unlisted, ADVICE.has(key));
    }
  }
}

/** Whether a word is the name of a tool that the client's list lacks. */
function isUnlisted(name: string, { inventory, views, called }: Audience): boolean {
  return name !== called && inventory.findTool(name)?.name === name &&
    !inventory.listedTools(views).some((tool) => tool.name === name);
}

function commandsOf(unlisted: Unlisted, { inventory }: Audience): Record<string, string> {
  const { shell } = inventory.project;
  return Object.fromEntries([...unlisted].map(([name, args]) => [name, shell.call(name, args)]));
}
