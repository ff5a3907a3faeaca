/** Assertions about a page in a browser: they wait for what they assert. */

import assert from "node:assert/strict";
import type { Locator } from "../npm/playwright.ts";

/** As long as a page may take, in milliseconds. */
const PATIENCE_MS = 30_000;

/**
 * Waits until an element has a text. It reads `textContent`: `innerText` is empty until an
 * element was laid out.
 */
export async function hasText(locator: Locator, expected: string | RegExp): Promise<void> {
  try {
    await locator.filter({ hasText: expected }).first()
      .waitFor({ state: "attached", timeout: PATIENCE_MS });
  } catch {
    const found = await locator.allTextContents();
    assert.fail(`Expected ${expected}, found ${JSON.stringify(found)}`);
  }
}

/** Waits until what is read is what is expected. */
export async function becomes<T>(read: () => Promise<T>, expected: T): Promise<void> {
  await comesTrue(read, (found) => assert.deepEqual(found, expected));
}

/** Waits until an assertion about what is read holds, and throws what it says otherwise. */
export async function comesTrue<T>(
  read: () => Promise<T>,
  check: (found: T) => void,
): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  while (true) {
    try {
      return check(await read());
    } catch (error) {
      if (performance.now() > until) throw error;
    }
    await new Promise((done) => setTimeout(done, 50));
  }
}
