/**
 * Misspelt names: what was probably meant, and whether that is certain.
 *
 * @module
 */

/**
 * The one name that is a single edit away (a letter too many, too few, wrong, or two swapped),
 * or differs in case alone; `undefined` where there are several or none.
 */
export function certainName(wanted: string, names: Iterable<string>): string | undefined {
  const close = [...new Set(names)].filter((name) => isOneEditAway(wanted, name));
  const same = close.filter((name) => name.toLowerCase() === wanted.toLowerCase());
  const found = same.length > 0 ? same : close;
  return found.length === 1 ? found[0] : undefined;
}

/** Whether a single edit makes one name of the other, or they differ in case alone. */
export function isOneEditAway(a: string, b: string): boolean {
  if (a === b || a.length < 3 || b.length < 3) return false;
  if (a.toLowerCase() === b.toLowerCase()) return true;
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  return restA.slice(1) === restB || restA === restB.slice(1) ||
    restA.slice(1) === restB.slice(1) ||
    restA.slice(2) === restB.slice(2) && restA[0] === restB[1] && restA[1] === restB[0];
}
