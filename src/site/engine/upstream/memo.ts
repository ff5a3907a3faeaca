/** Caches what is made of a site, a theme's configuration or another object. */

import { noteReads, noteReadsOf, type Reads, recordInto } from "../../../io/reads.ts";

interface Entry<Value> {
  readonly inputs: readonly unknown[];
  readonly reads: Reads;
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
      return noted(before);
    }
    const reads = new Map<string, string>();
    const entry = { inputs, reads, value: recordInto(reads, make) };
    entries.set(key, entry);
    noted(entry);
    if (entry.value instanceof Promise) {
      entry.value.catch(() => {
        if (entries.get(key) === entry) entries.delete(key);
      });
    }
    return entry.value;
  };
}

/** Who uses a value has read what it was made of. */
function noted<Value>({ value, reads }: Entry<Value>): Value {
  if (value instanceof Promise) noteReadsOf(value, reads);
  else noteReads(reads);
  return value;
}
