/// <reference lib="dom" />
/** Renders an entity's text from the server's Markdoc tree, never as HTML. */

import { type ComponentChildren, Fragment, h } from "preact";
import type { TextTree } from "../../plan/entity/text_tree.ts";
import type { Board } from "./board_state.ts";
import { Open } from "./entities.tsx";

/** Elements rendered under their own name; of others only the content is rendered. */
const PLAIN = [
  ...["p", "ul", "ol", "li", "strong", "em", "s", "code", "blockquote", "hr", "br"] as const,
  ...["thead", "tbody", "tr", "th", "td"] as const,
];

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
  const Plain = PLAIN.find((tag) => tag === name);
  if (Plain === "hr" || Plain === "br") return <Plain />;
  if (Plain !== undefined) return <Plain>{inside}</Plain>;
  switch (name) {
    case "heading":
      return <h4>{inside}</h4>;
    case "pre":
      return <pre tabIndex={0} data-language={value}><code>{inside}</code></pre>;
    case "table":
      return (
        <div class="table" tabIndex={0}>
          <table>{inside}</table>
        </div>
      );
    case "ref":
      return <Open board={board} id={value} />;
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
