/**
 * The contract of plugins, for the server and for the linter of packages. Declarations are copied
 * first: they may have throwing getters, half a million keys or misleading text. Each command is
 * checked separately, so that an invalid one affects no other.
 */

import * as z from "zod";
import { messageOf } from "../errors.ts";
import { asObject, fieldOf } from "../io/json.ts";
import { shortLine, shortText } from "../plain_text.ts";
import type { CliPluginCommand } from "./cli_plugin.ts";
import { type JsonSchema, schemaProblem } from "./json_schema.ts";

/** Limits of a plugin's commands, of a command as JSON, and of its texts. */
const MOST_COMMANDS = 200;
const LONGEST_COMMAND = 100_000;
const LONGEST_TEXT = 4000;

const LINE = z.string().transform((text) => shortLine(text, 120));
const TEXT = z.string().transform((text) => shortText(text, 2000));
const FUNCTION = z.literal(true, "must be a function");
const SCHEMA = z.custom<JsonSchema>().superRefine((schema, { addIssue }) => {
  const problem = schemaProblem(schema) ??
    ((schema["type"] ?? "object") === "object" ? undefined : 'type: must be "object" at the root');
  if (problem !== undefined) addIssue({ code: "custom", message: problem });
}).exactOptional();
const HINT = z.boolean().exactOptional();
const COMMAND = z.object({
  name: z.string().regex(/^[\w.-]{1,50}$/, "may have 1 to 50 letters, digits, dots, _ and -"),
  description: TEXT.default(""),
  title: LINE.exactOptional(),
  inputSchema: SCHEMA,
  outputSchema: SCHEMA,
  annotations: z.object({
    readOnlyHint: HINT,
    destructiveHint: HINT,
    idempotentHint: HINT,
    openWorldHint: HINT,
  }).exactOptional(),
  longRunning: z.boolean().exactOptional(),
  writes: z.array(z.string().max(1024)).max(20).exactOptional(),
  handler: FUNCTION.exactOptional(),
  mcpHandler: FUNCTION.exactOptional(),
});

/** A problem of a command, which is then skipped. */
interface ContractProblem {
  /** Such as `commands[0].name`. */
  readonly path: string;
  /** Such as `command 1 "run"`. */
  readonly entry: string;
  readonly message: string;
}

/**
 * Returns the valid commands of a package's export, each with its index in the package's list, and
 * the problems of the others; throws if the export is no plugin.
 */
export function checkPlugin(candidate: unknown) {
  const { namespace } = copyFields(candidate, ["namespace"]);
  const commands = fieldOf(candidate, "commands");
  if (typeof namespace !== "string" || !/^[a-z][a-z0-9-]{0,31}$/i.test(namespace)) {
    throw new Error("it has no valid namespace: a letter, then letters, digits and hyphens");
  }
  if (!Array.isArray(commands)) throw new Error("it has no list of commands");
  const problems: ContractProblem[] = [];
  if (commands.length > MOST_COMMANDS) {
    const entry = `each of the commands after ${MOST_COMMANDS}`;
    problems.push({ path: "commands", entry, message: "a plugin has no more" });
  }
  const checked = commands.slice(0, MOST_COMMANDS).flatMap((command: unknown, index) => {
    const copy = checkCommand(command, index, problems);
    return copy === undefined ? [] : { ...copy, index };
  });
  return { namespace, commands: checked, problems };
}

/** Checks a command: its declaration is a copy, and its functions are called on the package's object. */
function checkCommand(
  command: unknown,
  index: number,
  problems: ContractProblem[],
): CliPluginCommand | undefined {
  let name: unknown = "";
  const report = (message: string, path: readonly PropertyKey[] = []) => {
    problems.push({
      path: [`commands[${index}]`, ...path.map(String)].join("."),
      entry: `command ${index + 1} ${shortLine(JSON.stringify(name ?? ""), 80)}`,
      message: shortLine(message, 300),
    });
  };
  try {
    const copy = copyFields(command, Object.keys(COMMAND.shape));
    name = copy["name"];
    const { data, error } = COMMAND.safeParse(copy);
    for (const { path, message } of error?.issues ?? []) report(message, path);
    if (data === undefined) return undefined;
    const { handler: _handler, mcpHandler: _mcpHandler, ...checked } = data;
    // A command that declares files to write cannot be read-only.
    if (data.writes?.length) checked.annotations = { ...data.annotations, readOnlyHint: false };
    const functions: Record<string, unknown> = {};
    for (const key of ["handler", "mcpHandler"]) {
      const value = fieldOf(command, key);
      if (typeof value === "function") functions[key] = value.bind(command);
    }
    if (Object.keys(functions).length > 0) return { ...checked, ...functions };
    report("it has neither a handler nor an mcpHandler");
  } catch (error) {
    report(messageOf(error));
  }
  return undefined;
}

/** Copies existing fields as JSON, with `true` for functions. */
function copyFields(value: unknown, names: readonly string[]): Record<string, unknown> {
  const fields = names.map((name) => [name, fieldOf(value, name) ?? undefined]);
  const text = JSON.stringify(Object.fromEntries(fields), plainValue);
  if (text.length > LONGEST_COMMAND) {
    throw new Error(`it is longer than ${LONGEST_COMMAND} characters`);
  }
  return asObject(JSON.parse(text));
}

function plainValue(_key: string, value: unknown): unknown {
  if (typeof value === "function") return true;
  if (typeof value === "string") return shortText(value, LONGEST_TEXT);
  const toJSONSchema = fieldOf(value, "toJSONSchema");
  return typeof toJSONSchema === "function" ? toJSONSchema.call(value, { io: "input" }) : value;
}
