/**
 * Adds the valid values of statuses and other attributes to the schemas that clients list. A model
 * chooses from them; what a call may give is decided by the loaded plan.
 *
 * @module
 */

import { asObject } from "../../src/io/json.ts";
import { ENTITY_TYPES } from "../../src/project/entities.ts";
import type { CliPluginCommand } from "../../src/tools/plugin.ts";
import { isZod, type JsonSchema, type ZodSchema } from "../../src/tools/schema.ts";
import { USUAL, type Vocabulary } from "./vocabulary.ts";

/** The arguments with known values, by command. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  history: ["type", "status"],
  list: ["type", "status", "priority", "complexity", "severity"],
  update: ["status", "priority", "complexity", "severity"],
};

/** The order in which statuses are listed, by the type that has them. */
const TYPES = ["work", "bug", "spec", "decision", "milestone"] as const;

/**
 * The commands with values in their input schemas: those of the newest known version, and what the
 * loaded one has beside them. So the list stays the same for every known version; what an older
 * one does not have is refused with the values that it has.
 *
 * @param loaded The vocabulary of the loaded plugin.
 */
export function withListedValues(
  commands: readonly CliPluginCommand[],
  loaded?: Vocabulary,
): CliPluginCommand[] {
  const values: Readonly<Record<string, readonly string[]>> = {
    ...Object.fromEntries(
      Object.entries(USUAL.values).map(([name, usual]) => [
        name,
        [...new Set([...usual, ...loaded?.values[name] ?? []])],
      ]),
    ),
    type: ENTITY_TYPES,
    status: [USUAL, loaded].flatMap((each) => TYPES.flatMap((type) => each?.status[type] ?? []))
      .filter((status, index, all) => all.indexOf(status) === index),
  };
  return commands.map((command) => {
    const names = Object.hasOwn(ARGUMENTS, command.name) ? ARGUMENTS[command.name]! : [];
    const { inputSchema } = command;
    if (names.length === 0 || inputSchema === undefined || !isZod(inputSchema)) return command;
    const listed: ZodSchema = {
      safeParse: (value) => inputSchema.safeParse(value),
      toJSONSchema: (options) =>
        withEnums(
          asObject(inputSchema.toJSONSchema(options)),
          names.map((name) => [name, values[name] ?? []]),
        ),
    };
    return { ...command, inputSchema: listed };
  });
}

function withEnums(
  schema: JsonSchema,
  enums: readonly (readonly [name: string, values: readonly string[]])[],
): JsonSchema {
  const properties = { ...asObject(schema["properties"]) };
  for (const [name, values] of enums) {
    const { type, description } = asObject(properties[name]);
    if (!Object.hasOwn(properties, name) || values.length === 0) continue;
    const one = { type: "string", enum: values };
    properties[name] = {
      ...(type === "string" ? one : { type: "array", items: one }),
      ...(description === undefined ? {} : { description }),
    };
  }
  return { ...schema, properties };
}
