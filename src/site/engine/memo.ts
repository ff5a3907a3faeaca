/**
 * Values that are computed once for an object and live as long as it does.
 *
 * @module
 */

/** Makes a memo: asked again for the same object, it answers what was computed the first time. */
export function createMemo<Key extends object, Value>(): (key: Key, make: () => Value) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key, make) => {
    let entry = known.get(key);
    if (entry === undefined) {
      entry = { value: make() };
      known.set(key, entry);
    }
    return entry.value;
  };
}
