/**
 * Which attributes an entity may get: those in the lists that the loaded plugin exports.
 *
 * @module
 */

import { RefraktError } from "../../src/errors.ts";
import type { Vocabulary } from "./vocabulary.ts";

/**
 * Refuses what the plugin would refuse, in its words. Without its lists everything is allowed.
 *
 * @throws {RefraktError} `VALIDATION_ERROR`, with what is valid.
 */
export function checkVocabulary(
  type: string,
  attributes: Readonly<Record<string, string>>,
  vocabulary: Vocabulary | undefined,
): void {
  const allowed = vocabulary?.attributes[type];
  for (const [name, value] of Object.entries(attributes)) {
    if (allowed !== undefined && !allowed.includes(name)) {
      throw refusal(`Unknown attribute "${name}" for ${type} rune.`, allowed);
    }
    const values = name === "status" ? vocabulary?.status[type] : vocabulary?.values[name];
    // An empty value removes the attribute.
    if (value === "" || values === undefined || values.includes(value)) continue;
    throw refusal(`Invalid ${name} "${value}" for ${type} rune.`, values);
  }
}

function refusal(what: string, valid: readonly string[]): RefraktError {
  return new RefraktError("VALIDATION_ERROR", `${what} Valid: ${valid.join(", ")}`, {
    hint: `Use one of: ${valid.join(", ")}.`,
  });
}
