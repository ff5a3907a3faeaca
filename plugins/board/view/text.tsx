/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * Renders an entity's text from the server's Markdoc tree, never as HTML.
 *
 * @module
 */

import type { ComponentChildren } from "preact";
import type { Board } from "./board_state.ts";
import { Ref } from "./parts.tsx";

export type TextTree =
  | string
  | { readonly name: string; readonly value?: string; readonly children?: readonly TextTree[] };

/** Elements rendered under their own name; of others only the content is rendered. */
const PLAIN = [
  ...["p", "ul", "ol", "li", "strong", "em", "s", "code", "blockquote", "hr", "br"] as const,
  ...["thead", "tbody", "tr", "th", "td"] as const,
];

/** Splits a text at its level-two headings; repeated headings are numbered as in `plan.get`. */
export function sectionsIn(tree: readonly TextTree[]): Map<string, TextTree[]> {
  let current: TextTree[] = [];
  const sections = new Map([["description", current]]);
  for (const node of tree) {
    if (typeof node === "string" || node.name !== "heading" || Number(node.value) > 2) {
      current.push(node);
      continue;
    }
    const text = headingText(node).trim();
    let heading = text;
    for (let count = 2; sections.has(heading); count++) heading = `${text} (${count})`;
    sections.set(heading, current = []);
  }
  return sections;
}

function headingText(node: TextTree): string {
  if (typeof node === "string") return node;
  return node.name === "ref" ? node.value ?? "" : (node.children ?? []).map(headingText).join("");
}

export function Text({ board, tree }: { board: Board; tree: readonly TextTree[] }) {
  return <>{tree.map((node) => typeof node === "string" ? node : elementOf(board, node))}</>;
}

/** Renders backticks as code. */
export function Line({ text }: { text: string }) {
  return (
    <>
      {text.split(/(`[^`]+`)/).map((part, at) =>
        part.startsWith("`") && part.length > 2 ? <code key={at}>{part.slice(1, -1)}</code> : part
      )}
    </>
  );
}

function elementOf(
  board: Board,
  { name, value = "", children = [] }: Exclude<TextTree, string>,
): ComponentChildren {
  const inside = <Text board={board} tree={children} />;
  const Plain = PLAIN.find((known) => known === name);
  if (Plain === "hr" || Plain === "br") return <Plain />;
  if (Plain !== undefined) return <Plain>{inside}</Plain>;
  switch (name) {
    case "heading":
      return Number(value) <= 3 ? <h4>{inside}</h4> : <h5>{inside}</h5>;
    case "pre":
      return <pre tabIndex={0} data-language={value}><code>{inside}</code></pre>;
    case "table":
      return (
        <div class="table" tabIndex={0}>
          <table>{inside}</table>
        </div>
      );
    case "ref":
      return <Ref board={board} id={value} />;
    case "a": {
      const visit = () => void board.host.visit(value);
      return /^https?:/i.test(value)
        ? <button class="ref" title={value} onClick={visit}>{inside}</button>
        : <span title={value}>{inside}</span>;
    }
    case "img":
      return <span>Image: {inside}</span>;
    case "rune":
      return (
        <div class="rune box">
          <span class="name">{value}</span>
          {inside}
        </div>
      );
    default:
      return inside;
  }
}
