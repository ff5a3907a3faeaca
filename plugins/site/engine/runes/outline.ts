/** Shows rendered trees as an outline of elements or as visible text. */

import { shortText } from "../../../../src/plain_text.ts";
import { INLINE_ELEMENTS, isElement } from "../upstream/elements.ts";

const SHOWN_TEXT = 60;

/** Attributes that an outline shows, besides classes and data attributes. */
const TELLING = new Set(["id", "href", "src", "alt", "open", "type", "role"]);

/**
 * One element per line, indented by depth, with classes and data attributes. Inline elements without
 * those are part of their paragraph's text, as in Markdown.
 */
export function htmlOutline(tree: unknown): string {
  const lines: string[] = [];
  const visit = (node: unknown, depth: number) => {
    if (Array.isArray(node)) { for (const child of node) visit(child, depth); }
    else if (typeof node === "string" || typeof node === "number") {
      const text = String(node).replace(/\s+/g, " ").trim();
      if (text !== "") lines.push(`${"  ".repeat(depth)}${shortQuote(text)}`);
    } else if (isElement(node)) {
      const { name, attributes, children } = node;
      const inner = Array.isArray(children) ? children : children === undefined ? [] : [children];
      const head = `${"  ".repeat(depth)}${elementSelector(name, attributes)}`;
      const parts = inner.map(proseOf);
      const prose = parts.every((part) => part !== undefined) ? parts.join("").trim() : "";
      if (prose !== "") lines.push(`${head} ${shortQuote(prose)}`);
      else {
        lines.push(head);
        visit(inner, depth + 1);
      }
    }
  };
  visit(tree, 0);
  return lines.join("\n");
}

/** The text that a reader sees, one block per line. */
export function visibleText(tree: unknown): string {
  const blocks: string[] = [];
  let line = "";
  const flush = () => {
    const text = line.replace(/\s+/g, " ").trim();
    if (text !== "") blocks.push(text);
    line = "";
  };
  const visit = (node: unknown) => {
    if (Array.isArray(node)) node.forEach(visit);
    else if (typeof node === "string" || typeof node === "number") line += String(node);
    else if (isElement(node)) {
      const { name, attributes, children } = node;
      if (["meta", "style", "script", "template"].includes(name)) return;
      const inline = INLINE_ELEMENTS.has(name);
      if (!inline) flush();
      if (name === "img") line += ` [${String(attributes["alt"] ?? "image")}] `;
      visit(children ?? []);
      if (!inline) flush();
    }
  };
  visit(tree);
  flush();
  return blocks.join("\n");
}

function elementSelector(name: string, attributes: Readonly<Record<string, unknown>>): string {
  let text = name;
  for (const className of String(attributes["class"] ?? "").split(/\s+/)) {
    if (className !== "") text += `.${className}`;
  }
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (!key.startsWith("data-") && !key.startsWith("aria-") && !TELLING.has(key)) continue;
    const valueText = String(value);
    // Quotes as in CSS, only where needed: they are escaped in JSON.
    const needsQuotes = !/^[a-z_][\w-]*$/i.test(valueText);
    text += valueText === "" || value === true
      ? `[${key}]`
      : `[${key}=${needsQuotes ? shortQuote(valueText) : valueText}]`;
  }
  return text;
}

/** The text of a string or an inline element in Markdown; `undefined` for other elements. */
function proseOf(node: unknown): string | undefined {
  if (typeof node === "string" || typeof node === "number") return String(node);
  if (!isElement(node)) return node === null || node === undefined ? "" : undefined;
  const { name, attributes, children } = node;
  if (!INLINE_ELEMENTS.has(name)) return undefined;
  const parts = [children ?? []].flat().map(proseOf);
  if (parts.includes(undefined)) return undefined;
  const text = parts.join("");
  const { href, ...others } = attributes;
  if (elementSelector(name, others) !== name) return undefined;
  if (name === "a") return href === undefined ? undefined : `[${text}](${href})`;
  const mark = MARKS[name] ?? "";
  return `${mark}${text}${mark}`;
}

const MARKS: Readonly<Record<string, string>> = {
  b: "**",
  code: "`",
  em: "*",
  i: "*",
  strong: "**",
};

function shortQuote(text: string): string {
  return JSON.stringify(shortText(text.replace(/\s+/g, " "), SHOWN_TEXT));
}
