/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * Parts that several sections of the views show.
 *
 * @module
 */

import type { Board } from "./board_state.ts";
import type { Progress } from "./model.ts";

/** What a lane or a choice without a value is called. */
export const UNNAMED: Readonly<Record<string, string>> = {
  milestone: "No milestone",
  assignee: "Unassigned",
  tag: "No tag",
  priority: "No priority",
};

/** How much is done, as a bar and in figures. */
export function Bar({ done, all }: Progress) {
  return <span class="bar" style={{ "--part": all === 0 ? 0 : done / all }}>{done}/{all}</span>;
}

/** The last notice, with a way to undo what it is about; also for screen readers. */
export function Notices({ board, id }: { board: Board; id: string }) {
  const { text = "", bad = false, undoable = false } = board.notice ?? {};
  return (
    <div class={`notice${bad ? " bad" : ""}`} data-shown={text !== ""}>
      <p id={id} role="status">{text}</p>
      {undoable && <button onClick={() => void board.undo()}>Undo</button>}
      {text !== "" && (
        <button
          class="plain"
          aria-label="Dismiss"
          onClick={() => {
            board.notice = undefined;
            board.draw();
          }}
        >
          ×
        </button>
      )}
    </div>
  );
}

/** Opens an entity. */
export function Ref({ board, id }: { board: Board; id: string }) {
  return <button class="ref" onClick={() => board.open(id)}>{id}</button>;
}

/** A text in which the ids of entities open them. */
export function WithRefs({ board, text }: { board: Board; text: string }) {
  return (
    <>
      {text.split(/([\w.-]+)/).map((part, at) =>
        board.cards.has(part) ? <Ref key={at} board={board} id={part} /> : part
      )}
    </>
  );
}

interface SegmentsProps<Value extends string> {
  label: string;
  values: readonly Value[];
  value: Value;
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
