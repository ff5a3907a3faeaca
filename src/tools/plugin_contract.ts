/**
 * The contract of plugins, for the server and for the linter of packages. Declarations are copied
 * first: they may have throwing getters, half a million keys or misleading text. Each entry is
 * checked separately, so that an invalid one affects no other.
 */

import * as z from "zod";
import { messageOf } from "../errors.ts";
import { asObject, fieldOf } from "../io/json.ts";
import { shortLine, shortText } from "../plain_text.ts";
import { type JsonSchema, schemaProblem } from "./json_schema.ts";
import { nameKey } from "./tool_names.ts";

/** Limits of a plugin's lists, of an entry as JSON, and of its texts. */
const MOST_ENTRIES = 200;
const LONGEST_ENTRY = 100_000;
const LONGEST_TEXT = 4000;

const LINE = z.string().transform((text) => shortLine(text, 120));
const TEXT = z.string().transform((text) => shortText(text, 2000));
const NAME = z.string().regex(/^[\w.-]{1,64}$/);
const FUNCTION = z.literal(true, "must be a function");
const SCHEMA = z.custom<JsonSchema>().superRefine((schema, { addIssue }) => {
  const problem = schemaProblem(schema) ??
    ((schema["type"] ?? "object") === "object" ? undefined : 'type: must be "object" at the root');
  if (problem !== undefined) addIssue({ code: "custom", message: problem });
}).exactOptional();
const HINT = z.boolean().exactOptional();
const ICON = z.object({
  src: z.string(),
  mimeType: z.string().exactOptional(),
  sizes: z.array(z.string()).exactOptional(),
  theme: z.enum(["light", "dark"]).exactOptional(),
});

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
  // Icons that are too long have been cut, which breaks them.
  icons: z.array(ICON).transform((icons) => icons.filter(({ src }) => src.length < LONGEST_TEXT))
    .exactOptional(),
  _meta: z.record(z.string(), z.unknown()).exactOptional(),
  longRunning: z.boolean().exactOptional(),
  writes: z.array(z.string().max(1024)).max(20).exactOptional(),
  handler: FUNCTION.exactOptional(),
  mcpHandler: FUNCTION.exactOptional(),
});

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

export type ListName = keyof typeof SCHEMAS;

/** A declared entry, with `true` for functions. */
export type Declared<List extends ListName> =
  & z.infer<typeof SCHEMAS[List]>
  & { readonly index: number };

/** What is wrong with an entry, which is skipped. */
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
  readonly commands: readonly Declared<"commands">[];
  readonly resources: readonly Declared<"resources">[];
  readonly prompts: readonly Declared<"prompts">[];
  readonly problems: readonly ContractProblem[];
}

/** Copies a plugin, with `true` for functions. Untrusted until {@linkcode checkPlugin}. */
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

/** Copies existing fields as JSON. */
function copyFields(value: unknown, names: readonly string[]): Record<string, unknown> {
  const fields = names.map((name) => [name, fieldOf(value, name) ?? undefined]);
  const text = JSON.stringify(Object.fromEntries(fields), plainValue);
  if (text.length > LONGEST_ENTRY) throw new Error(`it is longer than ${LONGEST_ENTRY} characters`);
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
  const checkEach = <List extends ListName>(
    list: List,
    wrong: (entry: Declared<List>) => string | false,
  ): Declared<List>[] => {
    const entries = fieldOf(copy, list);
    if (!Array.isArray(entries)) return [];
    if (entries.length > MOST_ENTRIES) {
      const message = "a plugin has no more";
      problems.push({ path: list, entry: `each of the ${list} after ${MOST_ENTRIES}`, message });
    }
    return entries.slice(0, MOST_ENTRIES).flatMap((entry, index) => {
      const fail = (message: string, ...path: PropertyKey[]) => {
        const at = [`${list}[${index}]`, ...path.map(String)].join(".");
        const name = shortLine(JSON.stringify(fieldOf(entry, "name") ?? ""), 80);
        const what = `${list.slice(0, -1)} ${index + 1} ${name}`;
        problems.push({ path: at, entry: what, message: shortLine(message, 300) });
        return [];
      };
      const thrown = fieldOf(entry, "problem");
      if (thrown !== undefined) return fail(String(thrown));
      const { data, error } = SCHEMAS[list].safeParse(entry);
      if (error !== undefined) {
        return error.issues.flatMap(({ path, message }) => fail(message, ...path));
      }
      const checked = { ...data, index } as Declared<List>;
      const problem = wrong(checked);
      return problem === false ? [checked] : fail(problem);
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
    ).map((command) =>
      // A command that declares files to write cannot be read-only.
      command.writes === undefined || command.writes.length === 0
        ? command
        : { ...command, annotations: { ...command.annotations, readOnlyHint: false } }
    ),
    resources: checkEach(
      "resources",
      (resource) =>
        resource.uri !== uri && !resource.uri.startsWith(`${uri}/`) &&
        `its uri does not begin with ${uri}`,
    ).map((resource) => ({ title: resource.name, ...resource })),
    prompts: checkEach(
      "prompts",
      ({ name }) =>
        nameKey(name) !== key && !nameKey(name).startsWith(`${key}_`) &&
        `its name does not begin with ${namespace}_`,
    ).map((prompt) => ({ title: prompt.name, ...prompt })),
    problems,
  };
}
