/** What the preview shows: the tool's answer, and what the view makes of it. */

import type { FrameScript, Named } from "./frame.ts";

export interface Finding {
  line?: number;
  severity: string;
  code: string;
  message: string;
  /** The line of the finding that it follows from. */
  follows?: number;
  fix?: { text: string; old?: string };
}

export interface Preview {
  kind?: string;
  title?: string;
  path?: string;
  url?: string;
  theme?: string;
  outline: string;
  diagnostics: Finding[];
  elements?: Named[];
  leftOut?: string[];
  warnings?: string[];
}

export interface PageDocument {
  html: string;
  css: string;
  tint: { tint: string | null; mode: string | null; locked: boolean };
  script?: FrameScript;
  context: object;
  /** The files of pages, by address. */
  links: Record<string, string>;
}

export interface Attribute {
  name: string;
  type: "text" | "number" | "boolean";
  values?: string[];
  description?: string;
}

export interface Assets {
  revision: string;
  /** Absent if it has not changed. */
  document?: PageDocument | null;
  attributes?: Attribute[];
  /** Of a rune's example. */
  source?: string;
  choices: { pages: string[]; runes: string[] };
  sites: string[];
  site?: string;
}

export interface Shown {
  preview: Preview;
  assets: Assets;
  document: PageDocument | null;
}

/** The tool's arguments: a page, a rune or a text, and options. */
export type Target = Record<string, unknown>;

export function summaryOf({ preview, document }: Shown, again: boolean): string {
  const { theme = "no theme" } = preview;
  if (document === null) return "Rendering failed: see the findings";
  const { locked, mode } = document.tint;
  const fixed = locked && mode !== null ? `, fixed to ${mode} by the page` : "";
  return `${again ? "Updated" : "Rendered"} with ${theme}${fixed}`;
}

/** A finding with its number, and those that follow from it. */
export interface Listed {
  readonly index: number;
  readonly finding: Finding;
  readonly following: readonly Finding[];
}

/** Folds findings under those that they follow from. */
export function listedOf(findings: readonly Finding[]): Listed[] {
  const following = Map.groupBy(findings, ({ follows }) => follows);
  const taken = new Set<number | undefined>();
  return (following.get(undefined) ?? []).map((finding, index) => {
    const { line } = finding;
    const own = line === undefined || taken.has(line) ? [] : following.get(line) ?? [];
    if (own.length > 0) taken.add(line);
    return { index, finding, following: own };
  });
}

/** The worst severity of each page's findings, from the answer of `refrakt_check`. */
export function marksOf(
  groups: readonly { readonly severity: string; readonly findings: readonly string[] }[],
): Map<string, string> {
  const marks = new Map<string, string>();
  // Errors come first.
  for (const { severity, findings } of groups) {
    for (const finding of findings) {
      const [, path = ""] = /^(.*?\.md):\d/.exec(finding) ?? [];
      if (path !== "" && !marks.has(path)) marks.set(path, severity);
    }
  }
  return marks;
}

/** Where a link of the page leads: a file of the site, another site, or nowhere. */
export function targetOf(
  href: string,
  { url = "/" }: Preview,
  links: PageDocument["links"],
): { path: string; anchor: string } | { visit: string } | undefined {
  const own = "https://site.invalid";
  let address: URL;
  try {
    address = new URL(href, own + url);
  } catch {
    return undefined;
  }
  if (address.origin !== own) {
    return /^https?:$/.test(address.protocol) ? { visit: address.href } : undefined;
  }
  const bare = decoded(address.pathname).replace(/\/+$/, "");
  const path = [bare, `${bare}/`].find((each) => Object.hasOwn(links, each));
  if (path === undefined) return undefined;
  return { path: links[path]!, anchor: decoded(address.hash.slice(1)) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
