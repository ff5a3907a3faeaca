/**
 * The resolution of an entity.
 *
 * @module
 */

import type { Resolution, Section } from "./model.ts";
import { own } from "./tag.ts";

const FACT = /^(Completed|Branch|PR):\s*(.+)$/;

/** Takes the first section apart whose heading the plugin knows as that of a resolution. */
export function resolutionOf(text: string, sections: readonly Section[]): Resolution | undefined {
  for (const [section, { level, heading, start, end }] of sections.entries()) {
    if (level !== 2 || heading !== "Resolution") continue;
    const [first, ...lines] = text.slice(start, end).split(/\r\n?|\n/);
    if (!/^##\s+Resolution\s*$/.test(first!)) continue;
    const facts: Record<string, string> = {};
    const body: string[] = [];
    for (const line of lines) {
      const [, name, value] = FACT.exec(line) ?? [];
      if (name === undefined) body.push(line);
      else if (name === "Completed") facts["date"] = own(value!.trim());
      else if (name === "Branch") facts["branch"] = own(value!.trim().replace(/^`|`$/g, ""));
      else facts["pr"] = own(value!.trim());
    }
    return { ...facts, body: body.join("\n").trim(), section };
  }
  return undefined;
}
