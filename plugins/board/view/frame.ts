/**
 * The document of the nested frame: the project's HTML and CSS, and labels for its elements.
 *
 * The frame has `sandbox=""`: its own origin, no scripts, no forms, no navigation. Labels therefore
 * use CSS only, and the project's HTML and CSS cannot affect anything outside the frame.
 */

/** An element of the structure contract. */
export interface Named {
  selector: string;
  rune: string;
  name: string;
}

export interface FrameContent {
  html: string;
  css: string;
  theme: string;
  /** The elements to label on hover. */
  elements: readonly Named[];
  /** The selector to highlight. */
  marked?: string | undefined;
}

/** Nothing loads from the network, and links cannot navigate. */
const HEAD = `<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:">
<meta name="viewport" content="width=device-width"><base target="_top">`;

/** The document for `srcdoc`. */
export function frameDocument({ html, css, theme, elements, marked }: FrameContent): string {
  const shown = theme === "dark" ? "dark" : "light";
  const marks = marked === undefined ? "" : `${marked}{outline:3px solid #d97706 !important}`;
  return `<!doctype html><html data-theme="${shown}" data-color-scheme="${shown}"><head>${HEAD}
<style>:root{color-scheme:${shown}}body{margin:16px;background:var(--rf-color-bg,Canvas);color:var(--rf-color-text,CanvasText)}</style>
<style>${forStyle(css)}</style><style>${forStyle(marks + hoverNames(elements))}</style>
</head><body>${html}</body></html>`;
}

/**
 * Outlines the innermost named element under the pointer and shows its name at the frame's edge.
 */
function hoverNames(elements: readonly Named[]): string {
  const rules = elements.map(({ selector, rune, name }) => {
    const others = elements.filter((other) => other.selector !== selector);
    const within = `:is(${others.map((other) => other.selector).join(",")}):hover`;
    const here = `:is(${selector}):hover`;
    return `${here}:not(:has(${within})){outline:2px solid #2563eb !important}` +
      `html:has(${here}):not(:has(${here} ${within}))::after` +
      `{content:${cssString(`${rune}: ${name}`)}}`;
  });
  return `html::after{position:fixed;left:0;bottom:0;z-index:2147483647;padding:2px 8px;` +
    `font:13px/1.5 monospace;background:#1b1f27;color:#fff}${rules.join("")}`;
}

function cssString(text: string): string {
  return `"${text.replace(/[\\"\n\r\f]/g, (char) => `\\${char.codePointAt(0)!.toString(16)} `)}"`;
}

/** CSS allows an escaped slash, so the text cannot contain an end tag. */
function forStyle(css: string): string {
  return css.replaceAll("</", "<\\/");
}
