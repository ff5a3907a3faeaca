/** What axe-core finds in a frame. */

import assert from "node:assert/strict";
import type { Frame } from "../npm/playwright.ts";
import axe from "../npm/axe.ts";
import { becomes } from "./expect.ts";

interface Finding {
  id: string;
  impact: string;
  nodes: { html: string }[];
}

/** Asserts that axe finds nothing serious in a frame, and that nothing overflows its width. */
export async function isAccessible(frame: Frame): Promise<void> {
  if (await frame.evaluate("typeof axe") === "undefined") await frame.evaluate(axe.source);
  const { violations } = await frame.evaluate("axe.run({ iframes: false })") as {
    violations: Finding[];
  };
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  assert.deepEqual(serious.map(({ id, nodes }) => [id, nodes[0]!.html]), []);
  const excess = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
  await becomes(() => frame.evaluate(excess), 0);
}
