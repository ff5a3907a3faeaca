/** What the preview shows: the server's answer, and what the view makes of it. */

export interface Finding {
  line?: number;
  severity: string;
  code: string;
  message: string;
  fix?: { text: string; old?: string };
}

export interface Choices {
  pages: string[];
  runes: string[];
}

export interface Preview {
  kind: string;
  title: string;
  path?: string;
  url?: string;
  theme: string;
  diagnostics: Finding[];
  leftOut: string[];
  warnings: string[];
  choices: Choices;
}

export interface PageDocument {
  html: string;
  /** The addresses of style sheets, and what follows them. */
  styles: string[];
  css: string;
  tint: { tint: string | null; mode: string | null; locked: boolean };
  /** The address of the packages' behaviours, and what they know of the site. */
  behaviors?: string;
  context: object;
  /** The files of pages, by address. */
  links: Record<string, string>;
}

export interface Shown {
  revision: string;
  preview: Preview;
  /** `null` if it cannot be rendered. */
  document: PageDocument | null;
  sites: string[];
  site: string;
}

/** The server's answer: without a preview, it is that of the revision which the view has seen. */
export type Answer = Pick<Shown, "revision" | "sites" | "site"> & Partial<Shown>;

/** What is asked for: a page or a rune, and options. */
export type Target = Record<string, unknown>;

export function summaryOf({ preview, document }: Shown, isAgain: boolean): string {
  const { theme, diagnostics: { length } } = preview;
  if (document === null) return "Rendering failed: see the findings.";
  const { locked, mode } = document.tint;
  const fixed = locked && mode !== null ? `, fixed to ${mode} by the page` : "";
  const findings = length === 0 ? "no findings" : length === 1 ? "1 finding" : `${length} findings`;
  return `${isAgain ? "Updated" : "Rendered"} with ${theme}${fixed}: ${findings}.`;
}

/** Where a link of the page leads: a file of the site, another site, or nowhere. */
export function targetOf(
  href: string,
  { url = "/" }: Pick<Preview, "url">,
  links: PageDocument["links"],
): { path: string; anchor: string } | { visit: string } | undefined {
  const site = "https://site.invalid";
  const address = URL.parse(href, site + url);
  if (address === null) return undefined;
  if (address.origin !== site) {
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
