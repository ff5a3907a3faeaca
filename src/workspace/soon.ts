/**
 * Waits for work of this process, but not for a slow network.
 *
 * @module
 */

import process from "node:process";
import { importsAreHeld } from "../io/imports.ts";
import { within } from "../io/within.ts";

/** How long work is always given, in milliseconds: an answer is due within a second. */
const LEAST_MS = 500;

/** How long it is given at the most, in milliseconds. */
const MOST_MS = 10_000;

/** How often is looked, in milliseconds. */
const LOOK_MS = 100;

/** Less than this part of a processor, and the process waits for somebody else. */
const IDLE = 0.02;

/** So many looks in a row have to say so: on a busy machine work stands still for longer than one. */
const IDLE_LOOKS = 3;

/** What is there is loaded before this, in milliseconds: it is not asked whether it is downloaded. */
const ASK_AFTER_MS = 150;

/** How the work may be held up. */
export interface Holdups {
  /** Whether it may wait for others; what does not is given all the time. */
  mayStall?(): boolean;
  /** Whether it waits for a download, which keeps the process as busy as loading does. */
  isDownloading?(): Promise<boolean>;
}

/**
 * The value, or `undefined` where it does not come soon: a process that loads modules
 * is busy, and imports what it is asked to; one that waits for a registry is idle, or
 * downloads.
 *
 * @param started When the work began, by `performance.now()`; later questions do not wait again.
 */
export async function soon<Value>(
  pending: Promise<Value>,
  started: number,
  { mayStall = () => true, isDownloading = importsAreHeld }: Holdups = {},
): Promise<Value | undefined> {
  let downloads = false;
  let asking = false;
  const ask = async () => {
    asking = true;
    downloads ||= await isDownloading();
    asking = false;
  };
  for (let idleLooks = 0;;) {
    const before = cpuMs();
    const ready = await within(pending, LOOK_MS);
    if (ready !== undefined) return ready.value;
    const waited = performance.now() - started;
    idleLooks = cpuMs() - before < LOOK_MS * IDLE ? idleLooks + 1 : 0;
    if (!asking && waited > ASK_AFTER_MS && mayStall()) void ask();
    const stalls = waited > LEAST_MS && (downloads || idleLooks >= IDLE_LOOKS) && mayStall();
    if (waited > MOST_MS || stalls) return undefined;
  }
}

/** What the process has computed so far, in milliseconds of one processor. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
