/**
 * Says once what would be said for each of many: one line a kind, with a count and
 * a few names.
 *
 * @module
 */

/**
 * Makes one line of the items of each kind, in the order in which the kinds first appear.
 *
 * @param items What there is to say.
 * @param kindOf Items of the same kind share a line.
 * @param line Writes the line of a kind; {@linkcode someOf} names a few of its members.
 */
export function oneLineEach<Item>(
  items: Iterable<Item>,
  kindOf: (item: Item) => string,
  line: (members: readonly [Item, ...Item[]]) => string,
): string[] {
  const kinds = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const kind = kindOf(item);
    const members = kinds.get(kind);
    if (members === undefined) kinds.set(kind, [item]);
    else members.push(item);
  }
  return [...kinds.values()].map(line);
}

/** A few names, and how many there are beside them: "a, b, c and 12 more". */
export function someOf(names: readonly string[], most = 5): string {
  if (names.length <= most) return names.join(", ");
  return `${names.slice(0, most).join(", ")} and ${names.length - most} more`;
}
