/**
 * Tool names. The canonical one is dotted; in calls, dots, underscores and hyphens are equivalent,
 * because several clients reject dots.
 */

/** The key that all spellings of a name share. */
export function nameKey(name: string): string {
  return name.replace(/[._-]/g, "_");
}

/** The spelling for clients that reject dots. */
export function underscored(name: string): string {
  return name.replace(/[^a-zA-Z0-9_]/g, "_");
}

export function isToolName(name: string): boolean {
  return /^[a-zA-Z][a-zA-Z0-9._-]{0,63}$/.test(name);
}

/**
 * Replaces tool names in a text by the client's spelling. What is part of a path, of a longer word
 * or quoted is the project's or the caller's, even where it reads like a tool.
 */
export function respelled(
  text: string,
  isTool: (name: string) => boolean,
  spell: (name: string) => string,
): string {
  return text.replace(
    /"(?:[^"\\\n]|\\.)*"|(?<![\w"'./\\@:#-])[a-z][a-z0-9]*[._][a-z][a-z0-9_-]*(?![\w"'/\\@#-]|\.\w|:\/)/g,
    (name) => isTool(name) ? spell(name) : name,
  );
}
