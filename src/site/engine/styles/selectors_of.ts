/**
 * Which selectors a style sheet has, and where.
 *
 * @module
 */

import type { AtRule, Root } from "postcss";

/** A selector of a style sheet. */
export interface StyledSelector {
  /** A class (`.rf-hint--note`) or a data attribute (`[data-rune="hint"]`, `[data-open]`). */
  readonly selector: string;
  readonly file: string;
  readonly line: number;
}

/** An `@import` of a style sheet. */
export interface StyleImport {
  /** What is imported, as written. */
  readonly target: string;
  readonly rest: string;
}

/** Parses a style sheet; `undefined` where it is no CSS. */
export async function parseCss(text: string): Promise<Root | undefined> {
  const { default: postcss } = await import("postcss");
  try {
    return postcss.parse(text);
  } catch {
    return undefined;
  }
}

/** The BEM classes and data attributes that the rules of a style sheet name, nested rules too. */
export function selectorsOf(root: Root, file: string, prefix: string): StyledSelector[] {
  const classes = new RegExp(`\\.${prefix.replace(/[^\w-]/g, "\\$&")}-[\\w-]+`, "g");
  const data =
    /\[\s*(data-[\w-]+)\s*(?:[~|^$*]?=\s*(?:"([^"]*)"|'([^']*)'|([^\]\s]*))\s*[is]?)?\s*\]/g;
  const found: StyledSelector[] = [];
  root.walkRules((rule) => {
    const line = rule.source?.start?.line ?? 1;
    // What stands in a comment or a string of another attribute is no selector.
    const text = rule.selector.replace(/\/\*[\s\S]*?\*\//g, "");
    for (const match of text.matchAll(data)) {
      const [, name, double, single, bare] = match;
      const value = double ?? single ?? bare;
      found.push({
        selector: value === undefined ? `[${name}]` : `[${name}="${value}"]`,
        file,
        line,
      });
    }
    for (const match of text.replace(/"[^"]*"|'[^']*'/g, '""').matchAll(classes)) {
      found.push({ selector: match[0], file, line });
    }
  });
  return found;
}

/** The imports of a style sheet, in order. */
export function importsOf(root: Root): StyleImport[] {
  const found: StyleImport[] = [];
  root.walkAtRules("import", (rule: AtRule) => {
    const match = /^(?:url\(\s*)?(?:"([^"]+)"|'([^']+)'|([^\s")']+))\s*\)?\s*(.*)$/s.exec(
      rule.params,
    );
    const target = match?.[1] ?? match?.[2] ?? match?.[3];
    if (target !== undefined) found.push({ target, rest: match?.[4]?.trim() ?? "" });
  });
  return found;
}
