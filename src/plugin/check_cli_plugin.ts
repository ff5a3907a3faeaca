/**
 * The contract of plugins, for the server and for the linter of packages. Declarations are copied
 * first: they may have throwing getters, half a million keys or misleading text. Each command is
 * checked separately, so that an invalid one affects no other.
 */

import * as z from "zod";
import { messageOf } from "../errors.ts";
import { asObject, fieldOf } from "../io/json.ts";
import { shortLine, shortText } from "../plain_text.ts";
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

/** A declared command, with `true` for functions. */
export type DeclaredCommand = z.infer<typeof COMMAND> & { readonly index: number };

/** What is wrong with a command, which is skipped. */
export interface ContractProblem {
  /** Such as `commands[0].name`. */
  readonly path: string;
  /** Such as `command 1 "run"`. */
  readonly entry: string;
  readonly message: string;
}

export interface PluginDeclaration {
  readonly namespace: string;
  readonly description?: string;
  readonly commands: readonly DeclaredCommand[];
  readonly problems: readonly ContractProblem[];
}

/** Copies a plugin, with `true` for functions. Untrusted until {@linkcode checkPlugin}. */
export function copyPlugin(candidate: unknown): Readonly<Record<string, unknown>> {
  const commands = fieldOf(candidate, "commands");
  const copyCommand = (command: unknown) => {
    try {
      return copyFields(command, Object.keys(COMMAND.shape));
    } catch (error) {
      return { problem: messageOf(error) };
    }
  };
  return {
    ...copyFields(candidate, ["namespace", "description"]),
    commands: Array.isArray(commands)
      ? commands.slice(0, MOST_COMMANDS + 1).map(copyCommand)
      : undefined,
  };
}

/** Copies existing fields as JSON. */
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

/** Checks a copied plugin; throws if it is not one. */
export function checkPlugin(copy: unknown): PluginDeclaration {
  const { namespace, description, commands } = asObject(copy);
  if (typeof namespace !== "string" || !/^[a-z][a-z0-9-]{0,31}$/i.test(namespace)) {
    throw new Error("it has no valid namespace: a letter, then letters, digits and hyphens");
  }
  if (!Array.isArray(commands)) throw new Error("it has no list of commands");
  const problems: ContractProblem[] = [];
  if (commands.length > MOST_COMMANDS) {
    const message = "a plugin has no more";
    problems.push({
      path: "commands",
      entry: `each of the commands after ${MOST_COMMANDS}`,
      message,
    });
  }
  const checkCommand = (command: unknown, index: number): DeclaredCommand[] => {
    const fail = (message: string, path: readonly PropertyKey[] = []) => {
      const name = shortLine(JSON.stringify(fieldOf(command, "name") ?? ""), 80);
      problems.push({
        path: [`commands[${index}]`, ...path.map(String)].join("."),
        entry: `command ${index + 1} ${name}`,
        message: shortLine(message, 300),
      });
    };
    const thrown = fieldOf(command, "problem");
    const { data, error } = COMMAND.safeParse(command);
    if (thrown !== undefined) fail(String(thrown));
    else if (error !== undefined) error.issues.forEach(({ path, message }) => fail(message, path));
    else if ((data.handler ?? data.mcpHandler) === undefined) {
      fail("it has neither a handler nor an mcpHandler");
    } else return [{ ...data, ...annotationsOf(data), index }];
    return [];
  };
  return {
    namespace,
    ...(typeof description === "string" ? { description: TEXT.parse(description) } : {}),
    commands: commands.slice(0, MOST_COMMANDS).flatMap(checkCommand),
    problems,
  };
}

/** A command that declares files to write cannot be read-only. */
function annotationsOf({ annotations, writes = [] }: z.infer<typeof COMMAND>) {
  return writes.length === 0 ? {} : { annotations: { ...annotations, readOnlyHint: false } };
}
