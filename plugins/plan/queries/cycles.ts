/** Finds cycles in a graph, in linear time and without recursion. */

/** The place in the path of what has been searched. */
const DONE = -1;

/**
 * Searches depth first, each node once.
 *
 * @param visit Is called for each cycle: the path to its last node, and where in it the first one is.
 * @param leave Is called with each node after all that can be reached from it.
 * @returns The number of nodes of the longest path.
 */
export function searchCycles<Node>(
  nodes: Iterable<Node>,
  nextOf: (node: Node) => readonly Node[],
  visit: (path: readonly Node[], start: number) => void,
  leave: (node: Node) => void = () => {},
): number {
  const placeOf = new Map<Node, number>();
  const path: Node[] = [];
  const remaining: Iterator<Node>[] = [];
  let longest = 0;
  const enter = (node: Node) => {
    placeOf.set(node, path.length);
    path.push(node);
    remaining.push(nextOf(node).values());
    longest = Math.max(longest, path.length);
  };
  for (const node of nodes) {
    if (!placeOf.has(node)) enter(node);
    while (path.length > 0) {
      const next = remaining.at(-1)!.next();
      if (next.done === true) {
        const left = path.pop()!;
        placeOf.set(left, DONE);
        remaining.pop();
        leave(left);
        continue;
      }
      const start = placeOf.get(next.value);
      if (start === undefined) enter(next.value);
      else if (start !== DONE) visit(path, start);
    }
  }
  return longest;
}
