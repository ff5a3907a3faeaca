/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * Components that several parts of the views share.
 *
 * @module
 */

import type { Board } from "./board_state.ts";
import { NONE, type Progress } from "./model.ts";

/** The label of a lane or choice. */
export function nameOf(filter: string, value: string): string {
  if (value !== NONE) return value;
  return filter === "assignee" ? "Unassigned" : `No ${filter}`;
}

export function Bar({ done, all }: Progress) {
  return <span class="bar" style={{ "--part": all === 0 ? 0 : done / all }}>{done}/{all}</span>;
}

interface EntityLinkProps {
  board: Board;
  entity: { id: string; title?: string; status?: string; type?: string };
  date?: string;
}

/** A list item that opens an entity. */
export function EntityLink({ board, entity: { id, title, status, type }, date }: EntityLinkProps) {
  const open = () => board.open(id);
  return (
    <li>
      <button
        class="plain"
        data-id={id}
        data-type={type}
        disabled={status === "missing"}
        onClick={open}
      >
        {date && <time>{date}</time>} <span class="id">{id}</span> {title}{" "}
        <span class="badge">{status ?? "?"}</span>
      </button>
    </li>
  );
}

/** The last notice, with an undo button; a live region for screen readers. */
export function Notices({ board, id }: { board: Board; id: string }) {
  const { text = "", bad = false, undoable = false } = board.notice ?? {};
  const dismiss = () => {
    board.notice = undefined;
    board.draw();
  };
  return (
    <div class={`notice row${text && " box"}${bad ? " bad" : ""}`}>
      <p id={id} role="status">{text}</p>
      {undoable && <button onClick={() => void board.undo()}>Undo</button>}
      {text !== "" && <button class="plain" aria-label="Dismiss" onClick={dismiss}>×</button>}
    </div>
  );
}

export function Ref({ board, id }: { board: Board; id: string }) {
  return <button class="ref" onClick={() => board.open(id)}>{id}</button>;
}

/** A group of buttons with one pressed. */
export function Segments<Value extends string>({ label, values, value, choose }: {
  label: string;
  values: readonly Value[];
  value: string;
  choose: (value: Value) => void;
}) {
  return (
    <div class="segments" id={label.toLowerCase()} role="group" aria-label={label}>
      {values.map((one) => (
        <button
          key={one}
          aria-pressed={one === value}
          onClick={() => choose(one)}
        >
          {one[0]!.toUpperCase() + one.slice(1)}
        </button>
      ))}
    </div>
  );
}
