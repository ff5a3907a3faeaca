/**
 * The values that the installed plugin's handlers accept. Its schemas lag behind
 * them: some refuse valid statuses, and offer a severity that does not exist.
 *
 * @module
 */

import { PLAN_PACKAGE } from "../../src/packages/names.ts";
import { loadedPackage } from "../../src/sandbox/modules.ts";
import {
  CHECKED_BY_HANDLER,
  isZod,
  type JsonSchema,
  type SchemaSource,
} from "../../src/surface/schema.ts";

/** The plugin's own lists. */
export interface Vocabulary {
  /** Statuses by type. */
  readonly status: Readonly<Record<string, readonly string[]>>;
  /** Values by attribute, for those that are the same for every type. */
  readonly values: Readonly<Record<string, readonly string[]>>;
}

/** Reads the lists from the plugin; `undefined` where this version keeps them elsewhere. */
export async function readVocabulary(): Promise<Vocabulary | undefined> {
  const base = loadedPackage(PLAN_PACKAGE)?.base;
  if (base === undefined) return undefined;
  try {
    const enums = await import(new URL("dist/commands/enums.js", base).href);
    return {
      status: enums.VALID_STATUS,
      values: {
        priority: enums.VALID_PRIORITY,
        severity: enums.VALID_SEVERITY,
        complexity: enums.VALID_COMPLEXITY,
      },
    };
  } catch {
    return undefined;
  }
}

/**
 * Widens the enums of a command's schema to what its handler accepts. Where the
 * lists are not known, the enums go: the handler checks for itself.
 */
export function widenSchema(
  command: string,
  source: SchemaSource | undefined,
  vocabulary: Vocabulary | undefined,
): JsonSchema | undefined {
  if (source === undefined || isZod(source)) return undefined;
  const properties = { ...(source["properties"] as Record<string, JsonSchema> | undefined) };
  if (properties["dir"] !== undefined) {
    properties["dir"] = {
      type: "string",
      description: "Plan directory, inside the project. Default: plan.dir of the config, or plan.",
    };
  }
  if (command === "update") {
    for (const name of ["status", "priority", "severity", "complexity"]) {
      const before = properties[name];
      if (before === undefined && name !== "complexity") continue;
      const { enum: _old, ...rest } = before ?? {};
      const values = name === "status"
        ? [...new Set(Object.values(vocabulary?.status ?? {}).flat())]
        : vocabulary?.values[name];
      properties[name] = {
        [CHECKED_BY_HANDLER]: true,
        type: "string",
        ...rest,
        ...(values === undefined || values.length === 0 ? {} : { enum: [...values] }),
      };
    }
  }
  return { ...source, properties };
}
