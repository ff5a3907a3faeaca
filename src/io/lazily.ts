/** Values that are made at their first use. */

/** Returns a function that makes a value at its first call, and returns the same one afterwards. */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
