import assert from "node:assert/strict";
import { PATIENCE_MS } from "../npm/patience.ts";
import type { Locator } from "../npm/playwright.ts";

/**
 * Waits until an element has a text. It reads `textContent`, because `innerText` is empty before
 * layout.
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

export async function becomes<T>(read: () => Promise<T>, expected: T): Promise<void> {
  await comesTrue(read, (found) => assert.deepEqual(found, expected));
}

/** Waits until an assertion about the read value holds; throws its error on timeout. */
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
    await new Promise((done) => setTimeout(done, 100));
  }
}
