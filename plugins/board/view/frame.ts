/**
 * The messages between the view and the frame that shows a page.
 *
 * The frame has `sandbox="allow-scripts"`, which its response says, too: an origin of its own, no
 * forms, no popups, no navigation of the view. Its policy allows our script and the packages'
 * behaviours, so no script of the page runs, and the view's policy keeps it from other documents.
 */

/** An element of the structure contract. */
export interface Named {
  selector: string;
  rune: string;
  name: string;
}

/** What the frame shows; addresses are relative to its own. */
export interface FrameContent {
  revision: string;
  /** Names the page: another one is shown from its top. */
  page: string;
  /** Whether it is a whole page and not an example. */
  isPage: boolean;
  html: string;
  /** The addresses of style sheets, and what follows them. */
  styles: readonly string[];
  css: string;
  /** The CSS of {@linkcode elementMarks}. */
  marks: string;
  theme: string;
  tint: { tint: string | null; locked: boolean };
  /** The address of the packages' behaviours, and what they know of the site. */
  behaviors?: string | undefined;
  context: object;
  /** The id to scroll to on another page. */
  anchor?: string | undefined;
}

/** What the frame reports; each message has one of these. */
export interface FromFrame {
  ready?: true;
  /** The revision. */
  shown?: string;
  href?: string;
}

/** Outlines the innermost named element under the pointer with its name, and the marked one. */
export function elementMarks(elements: readonly Named[], marked: string | undefined): string {
  const rules = elements.map(({ selector, rune, name }) => {
    const others = elements.filter((other) => other.selector !== selector);
    const within = `:is(${others.map((other) => other.selector).join(",")}):hover`;
    const here = `:is(${selector}):hover`;
    return `${here}:not(:has(${within})){outline:2px solid #2563eb !important}` +
      `html:has(${here}):not(:has(${here} ${within}))::after` +
      `{content:${cssString(`${rune}: ${name}`)}}`;
  });
  return (marked === undefined ? "" : `${marked}{outline:3px solid #d97706 !important}`) +
    `html::after{position:fixed;left:0;bottom:0;z-index:2147483647;padding:2px 8px;` +
    `font:13px/1.5 monospace;background:#1b1f27;color:#fff}${rules.join("")}`;
}

function cssString(text: string): string {
  return `"${text.replace(/[\\"\n\r\f]/g, (char) => `\\${char.codePointAt(0)!.toString(16)} `)}"`;
}
