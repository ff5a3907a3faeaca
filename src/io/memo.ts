/** Values that are made once, and again when something has changed that was read for them. */

import { fieldOf } from "./json.ts";
import type { OpenKept } from "./kept.ts";
import { allReads, CurrentReads, newReads, noteReads, type Reads, record } from "./reads.ts";

/**
 * Names a value: a text, or a list. A value with objects in its key is forgotten with the first of
 * them.
 */
export type MemoKey = string | readonly (string | object)[];

/** What to do with a value. */
export interface MemoOptions {
  /** How many values with the same objects and the same first text in their keys are kept. */
  readonly most?: number;
  /**
   * Leaves the value to the next start, too.
   *
   * @param shape What a value of an earlier start must have.
   */
  readonly keep?: MemoShape;
}

/** A schema of Zod. */
export interface MemoShape {
  /** Whether a value has the shape. */
  safeParse(value: unknown): { readonly success: boolean };
}

/** The values of one project. */
export interface Memo {
  /**
   * Returns a value, and makes it if there is none, or something has changed that was read for it. An
   * error is not kept. Callers of a promise share it until it is rejected.
   *
   * What is made of the value has read the same.
   */
  <Value>(key: MemoKey, make: () => Value, options?: MemoOptions): Value;
  /** Returns the last list with this key if it has the same items, so that it can be in keys. */
  same<Item>(key: MemoKey, items: readonly Item[], most?: number): readonly Item[];
  /** Begins a call: looks at every file again, once. */
  begin(): void;
  /**
   * What the next start has of the project; `undefined` if nothing may be kept.
   *
   * @internal
   */
  readonly kept: OpenKept | undefined;
}

/** How many values of a kind are kept: a large site has as many pages. */
const MOST_VALUES = 20_000;

/** A value that an earlier start left expires at least so much later, in milliseconds. */
const KEPT_MS = 60_000;

interface Entry {
  readonly reads: Reads;
  // deno-lint-ignore no-explicit-any -- the values of a key have the type that their caller makes
  value: any;
}

/** The values whose keys have the same objects, by their texts; and those with a further object. */
class MemoEntries {
  readonly kinds = new Map<string, Map<string, Entry>>();
  readonly byObject = new WeakMap<object, MemoEntries>();
}

/** Creates a memo without values. */
export function createMemo(kept?: OpenKept): Memo {
  const entries = new MemoEntries();
  const lists = new MemoEntries();
  const current = new CurrentReads();
  const memo = <Value>(key: MemoKey, make: () => Value, options: MemoOptions = {}): Value => {
    const { keep, most = MOST_VALUES } = options;
    const { kind, name } = placeOf(entries, key);
    const last = kind.get(name);
    if (last !== undefined && current.has(last.reads)) {
      keepEntry(kind, name, last, most);
      return reused(last, () => memo(key, make, options));
    }
    const reads = newReads();
    current.add(reads);
    // An error depends on what was read, too.
    noteReads(reads);
    const work = keep === undefined || kept === undefined
      ? make
      : () => keptValue(kept, JSON.stringify(key), make, keep, current) as Value;
    const entry: Entry = { reads, value: record(reads, work) };
    keepEntry(kind, name, entry, most);
    if (entry.value instanceof Promise) {
      entry.value.catch(() => {
        if (kind.get(name) === entry) kind.delete(name);
      });
    }
    return entry.value;
  };
  return Object.assign(memo, {
    same<Item>(key: MemoKey, items: readonly Item[], most = MOST_VALUES): readonly Item[] {
      const { kind, name } = placeOf(lists, key);
      const last = kind.get(name)?.value;
      const isSame = last?.length === items.length &&
        items.every((item, at) => Object.is(item, last[at]));
      const entry = isSame ? kind.get(name)! : { reads: newReads(), value: items };
      keepEntry(kind, name, entry, most);
      return entry.value;
    },
    begin: () => current.begin(),
    kept,
  });
}

/** The one that was used last comes last, and the first one goes. */
function keepEntry(kind: Map<string, Entry>, name: string, entry: Entry, most: number): void {
  kind.delete(name);
  kind.set(name, entry);
  if (kind.size > most) kind.delete(kind.keys().next().value!);
}

function placeOf(entries: MemoEntries, key: MemoKey): { kind: Map<string, Entry>; name: string } {
  const texts: string[] = [];
  for (const part of typeof key === "string" ? [key] : key) {
    if (typeof part === "string") texts.push(part);
    else entries = entries.byObject.getOrInsertComputed(part, () => new MemoEntries());
  }
  const kind = entries.kinds.getOrInsertComputed(texts[0] ?? "", () => new Map());
  return { kind, name: texts.join("\0") };
}

/** Returns a value again: who waits for another caller's does not end with that caller. */
function reused<Value>({ reads, value }: Entry, again: () => Value): Value {
  noteReads(reads);
  if (!reads.isOpen) return value;
  return value.catch((error: unknown) => {
    if (fieldOf(error, "code") !== "TIMEOUT") throw error;
    return again();
  });
}

/** A value with the paths and the stamps of what was read for it. */
type KeptValue<Value> = { files: [string, string][]; until: number; value: Value };

/** Returns the value of an earlier start, or makes it and leaves it to the next one. */
async function keptValue<Value>(
  openKept: OpenKept,
  name: string,
  make: () => Value,
  shape: MemoShape,
  current: CurrentReads,
): Promise<Awaited<Value>> {
  const kept = await openKept();
  const last = await kept?.get(name) as KeptValue<Awaited<Value>> | undefined;
  if (last !== undefined && shape.safeParse(last.value).success) {
    const reads: Reads = { ...newReads(), files: new Map(last.files), until: last.until };
    if (current.has(reads)) {
      noteReads(reads);
      // As it is: with the keys in their order.
      return last.value;
    }
  }
  const reads = newReads();
  const made = await record(reads, make);
  noteReads(reads);
  const all = allReads(reads);
  if (all.until > Date.now() + KEPT_MS) {
    const until = Math.min(all.until, Number.MAX_SAFE_INTEGER);
    await kept?.put(name, { files: [...all.files], until, value: made });
  }
  return made;
}
