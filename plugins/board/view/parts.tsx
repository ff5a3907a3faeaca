/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * Parts that several sections of the views show.
 *
 * @module
 */

import type { Board } from "./board_state.ts";
import { NONE, type Progress } from "./model.ts";

const UNNAMED: Readonly<Record<string, string>> = {
  milestone: "No milestone",
  assignee: "Unassigned",
  tag: "No tag",
  priority: "No priority",
};

/** What a lane or a choice is called. */
export function nameOf(filter: string, value: string): string {
  return value === NONE ? UNNAMED[filter] ?? value : value;
}

/** How much is done, as a bar and in figures. */
export function Bar({ done, all }: Progress) {
  return <span class="bar" style={{ "--part": all === 0 ? 0 : done / all }}>{done}/{all}</span>;
}

/** The last notice, with a way to undo what it is about; also for screen readers. */
export function Notices({ board, id }: { board: Board; id: string }) {
  const { text = "", bad = false, undoable = false } = board.notice ?? {};
  const dismiss = () => {
    board.notice = undefined;
    board.draw();
  };
  return (
    <div class={`notice${bad ? " bad" : ""}`} data-shown={text !== ""}>
      <p id={id} role="status">{text}</p>
      {undoable && <button onClick={() => void board.undo()}>Undo</button>}
      {text !== "" && <button class="plain" aria-label="Dismiss" onClick={dismiss}>×</button>}
    </div>
  );
}

/** Opens an entity. */
export function Ref({ board, id }: { board: Board; id: string }) {
  return <button class="ref" onClick={() => board.open(id)}>{id}</button>;
}

interface SegmentsProps<Value extends string> {
  label: string;
  values: readonly Value[];
  value: string;
  choose: (value: Value) => void;
}

/** Buttons of which one is pressed. */
export function Segments<Value extends string>(
  { label, values, value, choose }: SegmentsProps<Value>,
) {
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
