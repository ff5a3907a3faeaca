import assert from "node:assert/strict";
import type { Frame } from "../npm/playwright.ts";
import axe from "../npm/axe.ts";
import { becomes } from "./expect.ts";

/** Finds what is serious: what it finds right in thousands of elements is not even made a result. */
const serious = (part: string) =>
  `axe.run(${JSON.stringify(part)}, { iframes: false, resultTypes: ["violations"] })
    .then(({ violations }) => violations
      .filter(({ impact }) => ["serious", "critical"].includes(impact))
      .map(({ id, nodes }) => [id, nodes[0].html]))`;

/**
 * Asserts that axe finds nothing serious in a part of a frame, and that nothing overflows its width.
 */
export async function isAccessible(frame: Frame, part = "html"): Promise<void> {
  if (await frame.evaluate("typeof axe") === "undefined") await frame.evaluate(axe.source);
  assert.deepEqual(await frame.evaluate(serious(part)), []);
  const excess = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
  await becomes(() => frame.evaluate(excess), 0);
}
