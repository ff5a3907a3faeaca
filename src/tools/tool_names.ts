/**
 * Names of tools. The canonical one is dotted; dots, underscores and hyphens are
 * the same letter when a tool is called, because several clients refuse dots.
 *
 * @module
 */

/** The same key for every spelling of a name. */
export function nameKey(name: string): string {
  return name.replace(/[._-]/g, "_");
}

/** The spelling for clients that refuse dots. */
export function underscored(name: string): string {
  return name.replace(/[^a-zA-Z0-9_]/g, "_");
}

/** Whether a name can be listed at all: letters, digits, dots, underscores, hyphens, not too long. */
export function isToolName(name: string): boolean {
  return /^[a-zA-Z][a-zA-Z0-9._-]{0,63}$/.test(name);
}

/** A text with the names of tools as a client is given them. */
export function respelled(
  text: string,
  isTool: (name: string) => boolean,
  spell: (name: string) => string,
): string {
  return text.replace(
    /\b[a-z][a-z0-9]*\.[a-z][a-z0-9_-]*/g,
    (name) => isTool(name) ? spell(name) : name,
  );
}
