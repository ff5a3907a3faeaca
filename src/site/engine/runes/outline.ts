/** Shows rendered trees as an outline of elements or as visible text. */

import { isObject } from "../../../io/json.ts";

const SHOWN_TEXT = 60;

/** Shown beside classes and data attributes. */
const TELLING = new Set(["id", "href", "src", "alt", "open", "type", "role"]);

const INLINE = new Set(
  "a abbr b code em i kbd mark s small span strong sub sup time".split(" "),
);

interface Element {
  readonly name?: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly children?: unknown;
}

/** One element per line, indented by depth, with classes and data attributes. */
export function htmlOutline(tree: unknown): string {
  const lines: string[] = [];
  const visit = (node: unknown, depth: number) => {
    if (Array.isArray(node)) { for (const child of node) visit(child, depth); }
    else if (typeof node === "string" || typeof node === "number") {
      const text = String(node).replace(/\s+/g, " ").trim();
      if (text !== "") lines.push(`${"  ".repeat(depth)}${quoted(text)}`);
    } else if (isElement(node)) {
      const { name, attributes, children } = node;
      const inner = Array.isArray(children) ? children : children === undefined ? [] : [children];
      if (name === undefined || name === "") return visit(inner, depth);
      const head = `${"  ".repeat(depth)}${described(name, attributes ?? {})}`;
      const prose = inner.length > 0 && inner.every(isProse) ? textIn(inner).trim() : "";
      if (prose !== "") lines.push(`${head} ${quoted(prose)}`);
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
      const { name = "", attributes, children } = node;
      if (["meta", "style", "script", "template"].includes(name)) return;
      const inline = INLINE.has(name);
      if (!inline) flush();
      if (name === "img") line += ` [${String(attributes?.["alt"] ?? "image")}] `;
      visit(children ?? []);
      if (!inline) flush();
    }
  };
  visit(tree);
  flush();
  return blocks.join("\n");
}

function described(name: string, attributes: Readonly<Record<string, unknown>>): string {
  let text = name;
  for (const one of String(attributes["class"] ?? "").split(/\s+/)) {
    if (one !== "") text += `.${one}`;
  }
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (!key.startsWith("data-") && !key.startsWith("aria-") && !TELLING.has(key)) continue;
    const shown = String(value);
    text += shown === "" || value === true ? `[${key}]` : `[${key}=${quoted(shown)}]`;
  }
  return text;
}

function isProse(node: unknown): boolean {
  if (typeof node === "string" || typeof node === "number") return true;
  const { name, attributes = {}, children } = isElement(node) ? node : NO_ELEMENT;
  return name !== undefined && INLINE.has(name) && name !== "a" &&
    Object.keys(attributes).length === 0 &&
    (Array.isArray(children) ? children : []).every(isProse);
}

const NO_ELEMENT: Element = {};

function isElement(node: unknown): node is Element {
  return isObject(node);
}

function textIn(node: unknown): string {
  if (Array.isArray(node)) return node.map(textIn).join("");
  if (isElement(node)) return textIn(node.children ?? []);
  return typeof node === "string" || typeof node === "number" ? String(node) : "";
}

function quoted(text: string): string {
  const flat = text.replace(/\s+/g, " ");
  return JSON.stringify(flat.length > SHOWN_TEXT ? `${flat.slice(0, SHOWN_TEXT - 1)}…` : flat);
}
