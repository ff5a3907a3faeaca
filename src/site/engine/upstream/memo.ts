/** Caches what is made of a site, a theme's configuration or another object. */

interface Entry<Value> {
  readonly inputs: readonly unknown[];
  readonly value: Value;
}

/**
 * Returns a function that makes a value for an object and a key, and makes it again when one of its
 * inputs is another. A rejected promise is forgotten.
 */
export function createMemo<Value>() {
  const owners = new WeakMap<object, Map<unknown, Entry<Value>>>();
  return (owner: object, make: () => Value, key?: unknown, ...inputs: unknown[]): Value => {
    const entries = owners.get(owner) ?? new Map<unknown, Entry<Value>>();
    owners.set(owner, entries);
    const before = entries.get(key);
    if (before !== undefined && inputs.every((input, at) => Object.is(input, before.inputs[at]))) {
      return before.value;
    }
    const entry = { inputs, value: make() };
    entries.set(key, entry);
    if (entry.value instanceof Promise) {
      entry.value.catch(() => {
        if (entries.get(key) === entry) entries.delete(key);
      });
    }
    return entry.value;
  };
}
