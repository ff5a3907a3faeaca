/**
 * Shortens lists of names in messages.
 *
 * @module
 */

/** A few names, and how many there are beside them: "a, b, c and 12 more". */
export function someOf(names: readonly string[], most = 5): string {
  if (names.length <= most) return names.join(", ");
  return `${names.slice(0, most).join(", ")} and ${names.length - most} more`;
}
