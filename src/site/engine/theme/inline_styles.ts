/** Concatenates the style sheets of a theme for a preview, without imports. */

import type { StyleSheet } from "./theme_styles.ts";

const MOST_CSS = 400_000;

/**
 * Concatenates the style sheets that style the content, with imports resolved and layer order kept.
 */
export function inlineStyles(
  sheets: readonly StyleSheet[],
  present: ReadonlySet<string>,
): { text: string; cut: boolean } {
  const parts: string[] = [];
  const order: string[] = [];
  let size = 0;
  let cut = false;
  for (const { rules, layers, layer } of sheets.filter((each) => isNeeded(each, present))) {
    order.push(...layers);
    if (rules === "") continue;
    if (size + rules.length > MOST_CSS) {
      cut = true;
      continue;
    }
    size += rules.length;
    parts.push(wrapped(rules, layer));
  }
  return { text: [...new Set(order), ...parts].join("\n"), cut };
}

/** A style sheet in a folder of runes is needed if one of them is present; others always. */
function isNeeded({ file, selectors }: StyleSheet, present: ReadonlySet<string>): boolean {
  if (!/(?:^|\/)runes\//.test(file)) return true;
  const hasClasses = selectors.some(({ selector }) => selector.startsWith("."));
  return !hasClasses || selectors.some(({ selector }) => present.has(selector));
}

/** Applies an import's layer and condition. */
function wrapped(text: string, rest: string): string {
  if (rest === "") return text;
  const layer = /^layer(?:\(\s*([\w.-]+)\s*\))?\s*/.exec(rest);
  const condition = (layer === null ? rest : rest.slice(layer[0].length)).trim();
  const supports = /^supports\((.*)\)$/s.exec(condition);
  const inner = layer === null ? text : `@layer ${layer[1] ?? ""} {\n${text}\n}`;
  if (condition === "") return inner;
  return supports === null
    ? `@media ${condition} {\n${inner}\n}`
    : `@supports (${supports[1]}) {\n${inner}\n}`;
}
