/**
 * The sections that the installed plugin knows. Their names differ between versions, and it keeps
 * them to itself: they are taken from what its parser looks through when it comes to a heading.
 */

import { messageOf } from "../../../src/errors.ts";
import { isTextList, textsOf } from "../../../src/io/json.ts";
import { PLAN_PACKAGE } from "../../../src/npm/names.ts";
import type { PackageVersion } from "../../../src/npm/package.ts";
import { ENTITY_TYPES } from "../../../src/project/entities.ts";
import type { Warning } from "../../../src/project/project.ts";
import type { KnownSection, KnownSections } from "../entity/contents.ts";
import type { PlanEntity } from "../entity/entity.ts";

/** The plugin's parser, as far as it is asked. */
export type Parse = (
  source: string,
  file: string,
) => Pick<PlanEntity, "scopedRefs" | "dependencies"> | null;

/**
 * Asks the plugin's parser.
 *
 * @param warnings Receives a warning if this version does not tell.
 */
export function readSections(
  parse: Parse,
  { version }: PackageVersion,
  warnings: Warning[],
): KnownSections {
  let hasDirections = false;
  try {
    const names = new Set(ENTITY_TYPES.flatMap((type) => namesOf(parse, type)));
    if (names.size === 0) throw new TypeError("it has no sections");
    const all = ENTITY_TYPES.map((type) => {
      const sections = new Map<string, KnownSection>();
      const { scopedRefs, dependencies } = parsed(parse, type, [...names]);
      for (const { id, section } of scopedRefs) {
        const direction = dependencies?.find((one) => one.id === id)?.direction;
        if (section !== undefined) sections.set(id, { name: section, direction });
      }
      hasDirections ||= dependencies !== undefined;
      return [type, sections] as const;
    });
    return { byType: Object.fromEntries(all), hasDirections };
  } catch (error) {
    warnings.push({
      code: "PLUGIN_UNFAMILIAR",
      message: `${PLAN_PACKAGE} ${version} does not tell which sections it knows: ` +
        messageOf(error).split("\n")[0],
      hint: "Dependencies are not recognized: look into the items that plan.next offers.",
    });
    return { byType: {}, hasDirections };
  }
}

/** The names and other spellings that the parser compares a heading with, in lower case. */
function namesOf(parse: Parse, type: string): string[] {
  const { entries } = Object;
  const names: string[] = [];
  const listening = (value: object) => {
    const all: [string, unknown][] = entries(value);
    if (all.every(([, others]) => isTextList(others))) {
      names.push(...all.flatMap(([name, others]) => [name, ...textsOf(others)]));
    }
    return all;
  };
  Object.assign(Object, { entries: listening });
  try {
    parsed(parse, type, ["heading"]);
  } finally {
    Object.assign(Object, { entries });
  }
  return names.map((name) => name.toLowerCase());
}

/** Parses an entity whose sections each refer to their own name. */
function parsed(parse: Parse, type: string, names: readonly string[]) {
  const sections = names.map((name) => `## ${name}\n\n{% ref ${JSON.stringify(name)} /%}\n\n`);
  const found = parse(`{% ${type} id="X" %}\n\n${sections.join("")}{% /${type} %}\n`, "");
  if (found === null) throw new TypeError("it finds no entity");
  return found;
}
