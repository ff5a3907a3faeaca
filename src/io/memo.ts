/** A cache of values: each is made again once a file has changed that was read for it. */

import { fieldOf } from "./json.ts";
import type { OpenKept } from "./kept.ts";
import { allReads, CurrentReads, newReads, noteReads, type Reads, record } from "./reads.ts";

/**
 * Names a value: a text, or a list. A value whose key has objects is dropped once one of them is
 * garbage-collected.
 */
export type MemoKey = string | readonly (string | object)[];

/** How long a value is kept. */
export interface MemoOptions {
  /** How many values with the same objects and the same first text in their keys are kept. */
  readonly most?: number;
  /**
   * Keeps the value for the next start of the server, too.
   *
   * @param shape The schema that a value of an earlier start must match.
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
   * Returns a value; makes it if there is none, or a file that was read for it has changed. A
   * rejected promise is not kept. Callers of a promise share it until it is rejected.
   *
   * A value that is made from another one depends on the same files.
   */
  <Value>(key: MemoKey, make: () => Value, options?: MemoOptions): Value;
  /** Returns the last list with this key if its items are the same: it can be part of keys. */
  same<Item>(key: MemoKey, items: readonly Item[], most?: number): readonly Item[];
  /** Begins a call: looks at every file again, once. */
  begin(): void;
  /**
   * The values for the next start of the server; `undefined` if nothing may be kept.
   *
   * @internal
   */
  readonly kept: OpenKept | undefined;
}

/** How many values of a kind are kept: as many as a large site has pages. */
const MOST_VALUES = 20_000;

/** A value is left to the next start only if it holds longer than this, in milliseconds. */
const KEPT_MS = 60_000;

interface Entry {
  readonly reads: Reads;
  // deno-lint-ignore no-explicit-any -- the values of a key have the type that their caller makes
  value: any;
}

/** The values whose keys have the same objects, by text, and those with a further object. */
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
      addEntry(kind, name, last, most);
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
    addEntry(kind, name, entry, most);
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
      addEntry(kind, name, entry, most);
      return entry.value;
    },
    begin: () => current.begin(),
    kept,
  });
}

/** Adds an entry as the most recently used one; drops the oldest above the limit. */
function addEntry(kind: Map<string, Entry>, name: string, entry: Entry, most: number): void {
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

/** Returns an existing value. If the call that makes it times out, the others make it again. */
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
      // Not the copy that the schema returns, whose keys have another order.
      return last.value;
    }
  }
  const reads = newReads();
  const value = await record(reads, make);
  noteReads(reads);
  const all = allReads(reads);
  if (all.until > Date.now() + KEPT_MS) {
    const until = Math.min(all.until, Number.MAX_SAFE_INTEGER);
    await kept?.put(name, { files: [...all.files], until, value });
  }
  return value;
}
