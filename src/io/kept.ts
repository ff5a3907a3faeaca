/**
 * What a start leaves to the next one, in Deno's Cache API: it needs no permission, and lies below
 * `DENO_DIR`. All projects of a user share that place, so values are sealed with a key that only a
 * reader of the project can compute. Nothing is kept unless the program allows it.
 *
 * Deno frees the disk only with a whole cache, so there are several: they are filled in turn, and the
 * oldest is emptied for the next.
 */

import { join } from "node:path";
import type { GitPlace } from "./git_ask.ts";

/** How many caches there are, and the most bytes in each: 96 MB in all. */
const [CACHES, MOST_BYTES] = [8, 12_000_000];
export const MOST_KEPT = CACHES * MOST_BYTES;
/** Besides its content, an entry takes some of the disk. */
const ENTRY_BYTES = 4096;
const IV_BYTES = 12;
/** How long git may search for the first commits, in milliseconds: longer, and nothing is kept. */
const ROOTS_MS = 1500;
const COUNT = "https://kept.invalid/count";
/** How many folders are searched for Deno's own. */
const MOST_FOLDERS = 200;
const DENOS = /^(?:location_data|(?:dep_analysis|node_analysis|v8_code)_cache_v\d+)$/;

const cacheName = (at: number) => `refrakt-kept-${at}`;

interface Allowed {
  readonly root: string;
  readonly version: string;
}

let allowed: Allowed | undefined;

/** Allows this process to keep values of a project; only for the program itself. */
export function allowKept(root: string, version: string): void {
  if (!Deno.build.standalone && "caches" in globalThis) allowed = { root, version };
}

export const mayKeep = () =>
  allowed !== undefined && !inside.getOrInsertComputed(allowed.root, hasDeno);

interface Count {
  readonly at: number;
  readonly bytes: number;
  readonly time: number;
}

/** The number of bytes in each cache, the newest first. */
async function counts(): Promise<Count[]> {
  const found = Array.from({ length: CACHES }, async (_, at): Promise<Count> => {
    const none = { at, bytes: 0, time: 0 };
    try {
      if (!await caches.has(cacheName(at))) return none;
      const text = await (await (await caches.open(cacheName(at))).match(COUNT))?.text();
      const [bytes, time] = JSON.parse(text ?? "[]");
      const isCount = [bytes, time].every((one) => Number.isSafeInteger(one) && one >= 0);
      // What cannot be counted is emptied next.
      return isCount ? { at, bytes, time } : { at, bytes: MOST_BYTES, time: 0 };
    } catch {
      return { ...none, bytes: MOST_BYTES };
    }
  });
  return (await Promise.all(found)).sort((a, b) => b.time - a.time);
}

/** How many bytes of all projects are kept, by our own count. */
export async function keptBytes(): Promise<number> {
  return (await counts()).reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Removes what is kept of all projects. */
export async function clearKept(): Promise<void> {
  for (let at = 0; at < CACHES; at++) await caches.delete(cacheName(at));
}

/** Values of one project. It never fails: what cannot be read is absent. */
export interface Kept {
  get(name: string): Promise<unknown>;
  put(name: string, value: unknown): Promise<void>;
}

let opened: Kept | undefined;

/**
 * Opens what is kept of the project; `undefined` if nothing may be kept, or git names no commit.
 *
 * @param end When git is stopped.
 */
export async function openKept(end: Omit<GitPlace, "cwd">): Promise<Kept | undefined> {
  if (allowed === undefined || !mayKeep()) return undefined;
  try {
    return opened ??= await keptOf(allowed, end);
  } catch {
    return undefined;
  }
}

/** The key is made of what only a reader of the project knows, such as its first commits. */
async function keptOf(
  { root, version }: Allowed,
  end: Omit<GitPlace, "cwd">,
): Promise<Kept> {
  const { rootsOf } = await import("./git_ask.ts");
  const roots = await rootsOf({ ...end, cwd: root, timeoutMs: ROOTS_MS }, "HEAD");
  const { ino, birthtime } = Deno.statSync(root);
  // Commits may be public. When the folder was made, and where on the disk, is not.
  const whole = JSON.stringify([version, roots, root, ino, birthtime?.getTime()]);
  const key = await crypto.subtle.importKey(
    "raw",
    await hashOf(`key ${whole}`),
    "AES-GCM",
    false,
    ["encrypt", "decrypt"],
  );
  const address = async (name: string) =>
    `https://kept.invalid/${(await hashOf(`name ${whole} ${name}`)).toHex()}`;
  return {
    get: (name) => address(name).then((url) => getSealed(url, key)).catch(() => undefined),
    put: (name, value) => address(name).then((url) => putSealed(url, key, value)).catch(() => {}),
  };
}

async function hashOf(text: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

/** The address is sealed, too: a value is nothing under another one. */
function sealing(url: string, iv: Uint8Array<ArrayBuffer>): AesGcmParams {
  return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(url) };
}

async function getSealed(url: string, key: CryptoKey): Promise<unknown> {
  for (const { at, time } of await counts()) {
    if (time === 0) return undefined;
    const found = await (await caches.open(cacheName(at))).match(url);
    if (found === undefined) continue;
    const bytes = await found.bytes();
    if (bytes.length > MOST_BYTES) return undefined;
    const [iv, sealed] = [bytes.slice(0, IV_BYTES), bytes.slice(IV_BYTES)];
    const text = await crypto.subtle.decrypt(sealing(url, iv), key, sealed);
    return JSON.parse(new TextDecoder().decode(text));
  }
  return undefined;
}

async function putSealed(url: string, key: CryptoKey, value: unknown) {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const text = new TextEncoder().encode(JSON.stringify(value));
  const size = text.length + 2 * ENTRY_BYTES;
  if (size > MOST_BYTES) return;
  const sealed = await crypto.subtle.encrypt(sealing(url, iv), key, text);
  const all = await counts();
  let { at, bytes, time } = all[0]!;
  const newest = time;
  if (bytes + size > MOST_BYTES) {
    ({ at, time } = all.at(-1)!);
    bytes = 0;
    await caches.delete(cacheName(at));
  }
  const cache = await caches.open(cacheName(at));
  // Counted first: a kill may leave it uncounted otherwise.
  const count = [bytes + size, Math.max(Date.now(), newest + 1)];
  await cache.put(COUNT, new Response(JSON.stringify(count)));
  await cache.put(url, new Response(new Blob([iv, sealed])));
}

/** By project: whether Deno's own folder lies in it, where the repository could have filled it. */
const inside = new Map<string, boolean>();

/** Its address needs a permission to ask; its files have names of their own. */
function hasDeno(root: string): boolean {
  const folders = [root];
  for (const folder of folders) {
    try {
      for (const { name, isDirectory } of Deno.readDirSync(folder)) {
        if (DENOS.test(name)) return true;
        const isSearched = isDirectory && name !== ".git" && name !== "node_modules";
        if (isSearched && folders.length < MOST_FOLDERS) folders.push(join(folder, name));
      }
    } catch {
      // It cannot be read.
    }
  }
  return false;
}
