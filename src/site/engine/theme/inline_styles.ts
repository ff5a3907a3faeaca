/** Concatenates the style sheets of a theme for a preview, without imports. */

import { parseCss, type StyleSheet } from "./theme_styles.ts";

const MOST_CSS = 400_000;

/**
 * Concatenates the style sheets that style the content, with imports resolved and layer order kept.
 */
export async function inlineStyles(
  sheets: readonly StyleSheet[],
  present: ReadonlySet<string>,
): Promise<{ text: string; cut: boolean }> {
  const parts: string[] = [];
  const order: string[] = [];
  let size = 0;
  let cut = false;
  for (const sheet of sheets.filter((each) => isNeeded(each, present))) {
    const { text, layers } = await bodyOf(sheet);
    order.push(...layers);
    if (text === "") continue;
    if (size + text.length > MOST_CSS) {
      cut = true;
      continue;
    }
    size += text.length;
    parts.push(wrapped(text, sheet.layer));
  }
  return { text: [...new Set(order), ...parts].join("\n"), cut };
}

/** A style sheet in a folder of runes is needed if one of them is present; others always. */
function isNeeded({ file, selectors }: StyleSheet, present: ReadonlySet<string>): boolean {
  if (!/(?:^|\/)runes\//.test(file)) return true;
  const hasClasses = selectors.some(({ selector }) => selector.startsWith("."));
  return !hasClasses || selectors.some(({ selector }) => present.has(selector));
}

/** The rules without comments and imports, and the `@layer` order statements. */
async function bodyOf({ text }: StyleSheet): Promise<{ text: string; layers: string[] }> {
  const root = await parseCss(text);
  const layers: string[] = [];
  root?.walkComments((comment) => {
    comment.remove();
  });
  root?.walkAtRules(/^(?:import|charset)$/, (rule) => {
    rule.remove();
  });
  root?.walkAtRules("layer", (rule) => {
    if (rule.nodes !== undefined) return;
    layers.push(`@layer ${rule.params};`);
    rule.remove();
  });
  return { text: root?.toString().replace(/\n\s*\n+/g, "\n").trim() ?? "", layers };
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
