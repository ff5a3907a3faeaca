/**
 * Tool names have underscores, because several clients reject dots. In calls, dots, underscores and
 * hyphens are equivalent.
 */

/** How the list of tools spells names. */
export type NameStyle = "dotted" | "underscore";

/** The name that all spellings share. */
export function nameKey(name: string): string {
  return name.replace(/[._-]/g, "_");
}

/** The name of the tool for a command of a plugin, such as `plan_next_id`. */
export function toolName(namespace: string, command: string): string {
  return nameKey(`${namespace}_${command}`);
}

/** The name in a list: with a dot after the group if clients want dots, such as `plan.next_id`. */
export function listedName(name: string, style: NameStyle = "underscore"): string {
  return style === "dotted" ? name.replace("_", ".") : name;
}

export function isToolName(name: string): boolean {
  return /^[a-zA-Z]\w{0,63}$/.test(name);
}
