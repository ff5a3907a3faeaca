/**
 * Tool names have underscores, because several clients reject dots. In calls, dots, underscores and
 * hyphens are equivalent.
 */

/** The key that all spellings of a name share. */
export function nameKey(name: string): string {
  return name.replace(/[._-]/g, "_");
}

/** The name of the tool for a command of a plugin, such as `plan_next_id`. */
export function toolName(namespace: string, command: string): string {
  return `${namespace}_${command}`.replace(/[^a-zA-Z0-9_]/g, "_");
}

/** The spelling of a name with a dot after the group, such as `plan.next_id`. */
export function dotted(name: string): string {
  return name.replace("_", ".");
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
