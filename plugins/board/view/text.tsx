/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * An entity's text as elements, from the tree that the server makes of its Markdoc. Text is only
 * ever set as text.
 *
 * @module
 */

import type { ComponentChildren } from "preact";
import type { Board } from "./board_state.ts";
import { Ref } from "./parts.tsx";

/** A text, or an element with its name, its value and its children. */
export type TextTree =
  | string
  | { readonly name: string; readonly value?: string; readonly children?: readonly TextTree[] };

/** Elements that are shown under their own name; of any other only the content is shown. */
const PLAIN = [
  ...["p", "ul", "ol", "li", "strong", "em", "s", "code", "blockquote", "hr", "br"] as const,
  ...["thead", "tbody", "tr", "th", "td"] as const,
];

/** A part of an entity's text under one heading. */
export interface TextSection {
  /** The heading; `description` for what comes first. */
  readonly heading: string;
  /** Its content. */
  readonly tree: readonly TextTree[];
}

/** Divides a text at its headings of level two; repeated headings are numbered as in `plan.get`. */
export function sectionsIn(tree: readonly TextTree[]): TextSection[] {
  const sections: { heading: string; tree: TextTree[] }[] = [{ heading: "description", tree: [] }];
  const seen = new Map<string, number>();
  for (const node of tree) {
    if (typeof node === "string" || node.name !== "heading" || Number(node.value) > 2) {
      sections.at(-1)!.tree.push(node);
      continue;
    }
    const text = plainText(node.children ?? []).trim();
    const count = (seen.get(text) ?? 0) + 1;
    seen.set(text, count);
    sections.push({ heading: count === 1 ? text : `${text} (${count})`, tree: [] });
  }
  return sections;
}

/** The text without its elements. */
function plainText(tree: readonly TextTree[]): string {
  return tree.map((node) =>
    typeof node === "string"
      ? node
      : node.name === "ref"
      ? node.value
      : plainText(node.children ?? [])
  ).join("");
}

/** A text. */
export function Text({ board, tree }: { board: Board; tree: readonly TextTree[] }) {
  return <>{tree.map((node) => typeof node === "string" ? node : elementOf(board, node))}</>;
}

/** A line with code between backticks. */
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
    case "a":
      return /^https?:/i.test(value)
        ? (
          <button class="ref" title={value} onClick={() => void board.host.visit(value)}>
            {inside}
          </button>
        )
        : <span title={value}>{inside}</span>;
    case "img":
      return <span class="image">Image: {inside}</span>;
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
