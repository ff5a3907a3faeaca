/**
 * What a package declares, as plain data: a declaration may have getters that throw, half a
 * million keys, or text that hides what it says. Each entry is copied and checked on its own, so
 * that a bad one costs that entry alone.
 *
 * @module
 */

import { z } from "zod";
import { messageOf } from "../errors.ts";
import { asObject, fieldOf } from "../io/json.ts";
import { plainLine, plainText } from "../plain_text.ts";
import type { JsonSchema } from "../tools/schema.ts";
import { nameKey } from "../tools/tool_names.ts";

/** The most commands, resources and prompts of a plugin. */
const MOST_ENTRIES = 200;
/** The longest entry as JSON, and the longest text in it. */
const LONGEST_ENTRY = 100_000;
const LONGEST_TEXT = 4000;

const LINE = z.string().transform((text) => plainLine(text, 120));
const TEXT = z.string().transform((text) => plainText(text, 2000));
const NAME = z.string().regex(/^[\w.-]{1,64}$/);
const FUNCTION = z.literal(true, "has to be a function");
const SCHEMA = z.custom<JsonSchema>().exactOptional();
const HINT = z.boolean().exactOptional();
const ICON = z.object({
  src: z.string(),
  mimeType: z.string().exactOptional(),
  sizes: z.array(z.string()).exactOptional(),
  theme: z.enum(["light", "dark"]).exactOptional(),
});

const COMMAND = z.object({
  name: z.string().min(1).max(64),
  description: TEXT,
  title: LINE.exactOptional(),
  // What is no schema is warned of where schemas are read.
  inputSchema: SCHEMA,
  outputSchema: SCHEMA,
  annotations: z.object({
    readOnlyHint: HINT,
    destructiveHint: HINT,
    idempotentHint: HINT,
    openWorldHint: HINT,
  }).exactOptional(),
  // A picture that is too long was cut, and is none any more.
  icons: z.array(ICON).transform((icons) => icons.filter(({ src }) => src.length < LONGEST_TEXT))
    .exactOptional(),
  _meta: z.record(z.string(), z.unknown()).exactOptional(),
  longRunning: z.boolean().exactOptional(),
  writes: z.array(z.string().max(1024)).max(20).exactOptional(),
  handler: FUNCTION.exactOptional(),
  mcpHandler: FUNCTION.exactOptional(),
});

/** What resources and prompts have in common. */
const SHOWN = {
  title: LINE.exactOptional(),
  description: TEXT.default(""),
  requires: z.array(z.enum(["plan", "site", "ralph"])).exactOptional(),
  complete: FUNCTION.exactOptional(),
};

const RESOURCE = z.object({
  uri: z.string().max(512),
  name: LINE,
  ...SHOWN,
  mimeType: LINE.default("text/plain"),
  query: z.array(NAME).max(20).exactOptional(),
  openQuery: NAME.exactOptional(),
  read: FUNCTION,
});

const PROMPT = z.object({
  name: NAME,
  ...SHOWN,
  arguments: z.array(
    z.object({ name: NAME, description: TEXT.default(""), required: z.boolean().exactOptional() }),
  ).max(50).default([]),
  render: FUNCTION,
});

const SCHEMAS = { commands: COMMAND, resources: RESOURCE, prompts: PROMPT };

/** The lists of a plugin. */
export type ListName = keyof typeof SCHEMAS;

/** An entry as it was declared; functions are `true`. */
export type Declared<List extends ListName> =
  & z.infer<typeof SCHEMAS[List]>
  & { readonly index: number };

/** A plugin as plain data. */
export interface PluginDeclaration {
  readonly namespace: string;
  readonly description?: string;
  readonly commands: readonly Declared<"commands">[];
  readonly resources: readonly Declared<"resources">[];
  readonly prompts: readonly Declared<"prompts">[];
  readonly problems: readonly string[];
}

/**
 * Copies what a module exports as its plugin, with `true` for each function. It may come from a
 * Worker, so nothing is believed before {@linkcode checkPlugin}.
 */
export function copyPlugin(candidate: unknown): Readonly<Record<string, unknown>> {
  const copyEach = (list: ListName) => {
    const entries = fieldOf(candidate, list);
    if (!Array.isArray(entries)) return undefined;
    return entries.slice(0, MOST_ENTRIES + 1).map((entry) => {
      try {
        return copyFields(entry, Object.keys(SCHEMAS[list].shape));
      } catch (error) {
        return { problem: messageOf(error) };
      }
    });
  };
  return {
    ...copyFields(candidate, ["namespace", "description"]),
    commands: copyEach("commands"),
    resources: copyEach("resources"),
    prompts: copyEach("prompts"),
  };
}

/** Copies fields of a value as JSON; those that it does not have are left out. */
function copyFields(value: unknown, names: readonly string[]): Record<string, unknown> {
  const fields = names.map((name) => [name, fieldOf(value, name) ?? undefined]);
  const text = JSON.stringify(Object.fromEntries(fields), plainValue);
  if (text.length > LONGEST_ENTRY) throw new Error(`it is longer than ${LONGEST_ENTRY} characters`);
  return asObject(JSON.parse(text));
}

function plainValue(_key: string, value: unknown): unknown {
  if (typeof value === "function") return true;
  if (typeof value === "string") return plainText(value, LONGEST_TEXT);
  const toJSONSchema = fieldOf(value, "toJSONSchema");
  return typeof toJSONSchema === "function" ? toJSONSchema.call(value, { io: "input" }) : value;
}

/** Checks a copy of a plugin; throws where it is none at all. */
export function checkPlugin(copy: unknown): PluginDeclaration {
  const { namespace, description, commands } = asObject(copy);
  if (typeof namespace !== "string" || !/^[a-z][a-z0-9-]{0,31}$/i.test(namespace)) {
    throw new Error("its cli-plugin has no valid namespace");
  }
  if (!Array.isArray(commands)) throw new Error("its cli-plugin has no list of commands");
  const problems: string[] = [];
  const checkEach = <List extends ListName>(
    list: List,
    wrong: (entry: Declared<List>) => string | false,
  ): Declared<List>[] => {
    const entries = fieldOf(copy, list);
    if (!Array.isArray(entries)) return [];
    const what = list.slice(0, -1);
    if (entries.length > MOST_ENTRIES) {
      problems.push(`the ${list} after number ${MOST_ENTRIES} are left out`);
    }
    return entries.slice(0, MOST_ENTRIES).flatMap((entry, index) => {
      const { data, error } = SCHEMAS[list].safeParse(entry);
      const checked = { ...data, index } as Declared<List>;
      const problem = fieldOf(entry, "problem") ??
        (error === undefined ? wrong(checked) : issueOf(error));
      if (problem === false) return [checked];
      problems.push(`${what} ${index + 1} is left out: ${plainLine(String(problem), 300)}`);
      return [];
    });
  };
  const [uri, key] = [`refrakt://${namespace}`, nameKey(namespace)];
  return {
    namespace,
    ...(typeof description === "string" ? { description: TEXT.parse(description) } : {}),
    commands: checkEach(
      "commands",
      ({ handler, mcpHandler }) =>
        (handler ?? mcpHandler) === undefined && "it has neither a handler nor an mcpHandler",
    ).map(withHonestHints),
    resources: checkEach(
      "resources",
      (resource) =>
        resource.uri !== uri && !resource.uri.startsWith(`${uri}/`) &&
        `its uri does not begin with ${uri}`,
    ),
    prompts: checkEach(
      "prompts",
      ({ name }) =>
        nameKey(name) !== key && !nameKey(name).startsWith(`${key}_`) &&
        `its name does not begin with ${namespace}_`,
    ),
    problems,
  };
}

/** A command that declares what it writes cannot say that it only reads. */
function withHonestHints(command: Declared<"commands">): Declared<"commands"> {
  if ((command.writes ?? []).length === 0) return command;
  return { ...command, annotations: { ...command.annotations, readOnlyHint: false } };
}

function issueOf({ issues: [issue] }: z.ZodError): string {
  return issue === undefined ? "it is not valid" : `${issue.path.join(".")}: ${issue.message}`;
}
