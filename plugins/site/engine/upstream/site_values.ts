/** Keeps what is made of a site until one of its inputs, or a file that it read, changes. */

import {
  areCurrent,
  noteReads,
  noteReadsOf,
  type Reads,
  recordInto,
} from "../../../../src/io/reads.ts";

interface Entry {
  readonly inputs: readonly unknown[];
  readonly reads: Reads;
  // deno-lint-ignore no-explicit-any -- all values of one kind have the type that their caller makes
  readonly value: any;
}

/** The one rule of all caches of a site: the same inputs, and the same stamps of the files read. */
export class Kept {
  readonly #byText = new Map<unknown, Map<string, Entry>>();
  readonly #byObject = new WeakMap<object, Map<string, Entry>>();

  /**
   * Returns a value, and makes it again when one of its inputs is another or a file that it read has
   * changed. A rejected promise is forgotten.
   *
   * @param what Names the kind of value: all of one kind have the same type.
   * @param key Tells values of one kind apart; those of an object are forgotten with it.
   */
  of<Value>(what: string, make: () => Value, key?: unknown, ...inputs: unknown[]): Value {
    const entries = this.#entries(key);
    const before = entries.get(what);
    const isSame = before !== undefined && areCurrent(before.reads) &&
      inputs.length === before.inputs.length &&
      inputs.every((input, at) => Object.is(input, before.inputs[at]));
    if (isSame) return noted(before);
    const reads = new OwnReads();
    const entry = { inputs, reads, value: recordInto(reads, make) };
    entries.set(what, entry);
    if (entry.value instanceof Promise) {
      entry.value.catch(() => {
        if (entries.get(what) === entry) entries.delete(what);
      });
    }
    return noted(entry);
  }

  #entries(key: unknown): Map<string, Entry> {
    const isObject = typeof key === "object" && key !== null;
    const known = isObject ? this.#byObject.get(key) : this.#byText.get(key);
    if (known !== undefined) return known;
    const entries = new Map<string, Entry>();
    if (isObject) this.#byObject.set(key, entries);
    else this.#byText.set(key, entries);
    return entries;
  }
}

/** Files of packages do not count: their versions belong to the site, which is then another. */
class OwnReads extends Map<string, string> {
  override set(path: string, stamp: string): this {
    return /[\\/]node_modules[\\/]/.test(path) ? this : super.set(path, stamp);
  }
}

/** Who uses a value has read what it was made of. */
function noted({ value, reads }: Entry) {
  if (value instanceof Promise) noteReadsOf(value, reads);
  else noteReads(reads);
  return value;
}
