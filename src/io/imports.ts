/**
 * Whether imports wait for the network. As long as the runtime downloads a package it imports
 * nothing else, so the import of a tiny module tells.
 *
 * @module
 */

import { within } from "./within.ts";

/** How often is looked, in milliseconds. */
const LOOK_MS = 100;

/** A look that comes later than this, in milliseconds, says that this thread was busy, and nothing else. */
const LATE_MS = 50;

/** So many looks in time have to find the import unanswered. */
const LOOKS = 4;

/** Whether one of several threads waits: as soon as one says so, the others are not waited for. */
export async function anyWaits(answers: readonly Promise<boolean>[]): Promise<boolean> {
  return await new Promise((resolve, reject) => {
    for (const answer of answers) answer.then((waits) => waits && resolve(true), reject);
    Promise.all(answers).then((waits) => resolve(waits.includes(true)), reject);
  });
}

let imported = 0;

/** Whether imports are held up; `false` as soon as one has come through. */
export async function importsAreHeld(): Promise<boolean> {
  // A module that is there already would not have to wait.
  const module = import(`data:text/javascript,// ${++imported}`).then(() => {}, () => {});
  for (let unanswered = 0; unanswered < LOOKS;) {
    const before = performance.now();
    if (await within(module, LOOK_MS) !== undefined) return false;
    if (performance.now() - before < LOOK_MS + LATE_MS) unanswered++;
  }
  return true;
}
