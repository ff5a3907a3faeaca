/**
 * The document of the nested frame, and the messages between it and the view.
 *
 * The frame has `sandbox="allow-scripts"`: an origin of its own, no forms, no popups, no navigation of
 * the view. Its policy allows two scripts by their hashes, ours and the packages' behaviours, so no
 * script of the page runs. The view's own policy keeps the frame from loading another document.
 */

/** An element of the structure contract. */
export interface Named {
  selector: string;
  rune: string;
  name: string;
}

/** A finding that has a place in the page. */
export interface FramePin {
  index: number;
  line: number;
  severity: string;
  message: string;
}

/** A script, and its hash for the policy. */
export interface FrameScript {
  text: string;
  hash: string;
}

export interface FrameContent {
  revision: string;
  /** Names the page: another one is shown from its top. */
  page: string;
  /** Whether it is a whole page and not an example. */
  isPage: boolean;
  html: string;
  css: string;
  /** The CSS of {@linkcode elementMarks}. */
  marks: string;
  theme: string;
  tint: { tint: string | null; locked: boolean };
  context: object;
  findings: readonly FramePin[];
  /** The id to scroll to on another page. */
  anchor?: string | undefined;
}

/** What the frame reports; each message has one of these. */
export interface FromFrame {
  ready?: true;
  /** The revision. */
  shown?: string;
  href?: string;
  line?: number;
  finding?: number;
}

/** The document for `srcdoc`. */
export function frameDocument(scripts: readonly FrameScript[]): string {
  const hashes = scripts.map(({ hash }) => `'${hash}'`).join(" ");
  const policy =
    `default-src 'none'; script-src ${hashes || "'none'"}; style-src 'unsafe-inline'; ` +
    "img-src data:; font-src data:; form-action 'none'; base-uri 'none'";
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
    `<meta http-equiv="content-security-policy" content="${policy}">` +
    `<meta name="viewport" content="width=device-width"><title>Preview</title></head><body></body>` +
    scripts.map(({ text }) => `<script>${text}</script>`).join("") + "</html>";
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
