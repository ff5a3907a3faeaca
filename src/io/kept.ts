/**
 * Values that one start of the server leaves to the next, in Deno's Cache API: it needs no
 * permission, and lies below `DENO_DIR`. Nothing is kept unless the program allows it, and no code
 * but ours runs in a process that keeps.
 *
 * Each project has a cache of its own, because Deno frees the disk only with a whole cache.
 */

import type { GitPlace } from "./git_ask.ts";

/** The most bytes of all projects, and of one: replaced values take room until a cache is removed. */
export const MOST_KEPT_BYTES = 96_000_000;
const MOST_OF_PROJECT = 32_000_000;
/** The disk space of an entry besides its content. */
const ENTRY_BYTES = 4096;

/** Timeout for git's search for the first commits, in milliseconds; after it, nothing is kept. */
const ROOTS_MS = 1500;

const PREFIX = "refrakt-kept-";
const COUNT = "https://kept.invalid/count";

/** Removes the Cache API before code of a project is loaded: it could read others' values. */
export function dropKept(): void {
  for (const name of ["caches", "CacheStorage", "Cache"]) Reflect.deleteProperty(globalThis, name);
}

/**
 * The number of bytes in each cache, the oldest first. One that cannot be counted, as of an earlier
 * version, is removed.
 */
async function cacheSizes() {
  const sizes: { name: string; bytes: number; time: number }[] = [];
  for (const name of (await caches.keys()).filter((name) => name.startsWith(PREFIX))) {
    const text = await (await (await caches.open(name)).match(COUNT))?.text();
    const { bytes, time } = JSON.parse(text ?? "{}");
    if (Number.isSafeInteger(bytes + time)) sizes.push({ name, bytes, time });
    else await caches.delete(name);
  }
  return sizes.sort((a, b) => a.time - b.time);
}

/** The size of all caches in bytes, as counted when they were written. */
export async function keptBytes(): Promise<number> {
  return (await cacheSizes()).reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Removes what is kept of all projects. */
export async function clearKept(): Promise<void> {
  for (const name of await caches.keys()) {
    if (name.startsWith(PREFIX)) await caches.delete(name);
  }
}

/** Kept values of one project. Nothing is thrown: an unreadable value counts as absent. */
export interface Kept {
  get(name: string): Promise<unknown>;
  put(name: string, value: unknown): Promise<void>;
}

/**
 * Opens what is kept of a project; `undefined` if git names no commit.
 *
 * @param end The signal and the timeout of git.
 */
export type OpenKept = (end?: Omit<GitPlace, "cwd">) => Promise<Kept | undefined>;

/** Returns what opens the values of a project and version; `undefined` if none can be kept. */
export function keptOf(root: string, version: string): OpenKept | undefined {
  if (Deno.build.standalone || !("caches" in globalThis)) return undefined;
  return async (end) => {
    try {
      const { askGit } = await import("./git_ask.ts");
      const place = { ...end, cwd: root, timeoutMs: ROOTS_MS };
      const commits = await askGit(["rev-list", "--max-parents=0", "HEAD", "--"], place);
      const roots = commits.split("\n").sort();
      return keptIn(`${PREFIX}${await hashOf([root, version, Deno.version.deno, roots])}`);
    } catch {
      return undefined;
    }
  };
}

function keptIn(cacheName: string): Kept {
  const address = async (name: string) => `https://kept.invalid/${await hashOf(name)}`;
  const read = async (name: string): Promise<unknown> => {
    if (!await caches.has(cacheName)) return undefined;
    return await (await (await caches.open(cacheName)).match(await address(name)))?.json();
  };
  return {
    get: (name) => read(name).catch(() => undefined),
    put: async (name, value) => {
      const text = JSON.stringify(value);
      try {
        await putText(cacheName, await address(name), text);
      } catch {
        // The next start makes the value again.
      }
    },
  };
}

async function hashOf(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

async function putText(name: string, url: string, text: string): Promise<void> {
  const body = new TextEncoder().encode(text);
  const size = body.length + 2 * ENTRY_BYTES;
  if (size > MOST_OF_PROJECT) return;
  const all = await cacheSizes();
  let usedBytes = all.find((each) => each.name === name)?.bytes ?? 0;
  if (usedBytes + size > MOST_OF_PROJECT) {
    await caches.delete(name);
    usedBytes = 0;
  }
  const others = all.filter((each) => each.name !== name);
  let sum = others.reduce((total, { bytes }) => total + bytes, usedBytes + size);
  for (const { name: oldest, bytes } of others) {
    if (sum <= MOST_KEPT_BYTES) break;
    await caches.delete(oldest);
    sum -= bytes;
  }
  const cache = await caches.open(name);
  // Counted first: a kill may leave it uncounted otherwise.
  const count = { bytes: usedBytes + size, time: Date.now() };
  await cache.put(COUNT, new Response(JSON.stringify(count)));
  await cache.put(url, new Response(body));
}
