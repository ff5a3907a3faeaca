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
  /** Shown below the title. */
  note?: string;
}

/** A list item that opens an entity. */
export function EntityLink(
  { board, entity: { id, title, status, type }, date, note }: EntityLinkProps,
) {
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
        {note && <span class="waits">{note}</span>}
      </button>
    </li>
  );
}

/** The icons by type: paths in a box of 16. */
const TYPES: Readonly<Record<string, string>> = {
  work: "M2 8l4 4 8-9",
  bug: "M8 2a6 6 0 1 0 .1 0zM8 5v4M8 11v.1",
  spec: "M3 2h10v12H3zM6 6h4M6 10h4",
  decision: "M8 2l6 6-6 6-6-6z",
  milestone: "M4 14V2h9l-3 3 3 3H4",
};

export function TypeIcon({ type }: { type: string }) {
  return (
    <svg class="icon type" data-type={type} viewBox="0 0 16 16" role="img" aria-label={type}>
      <path d={TYPES[type] ?? "M3 3h10v10H3z"} />
    </svg>
  );
}

/** The number of bars of a priority or severity. */
const BARS: Readonly<Record<string, number>> = {
  critical: 4,
  high: 3,
  major: 3,
  medium: 2,
  minor: 1,
  low: 1,
  cosmetic: 1,
};

export function PriorityIcon({ priority = "" }: { priority: string | undefined }) {
  if (priority === "") return null;
  const bars = BARS[priority] ?? 0;
  return (
    <svg
      class="icon priority"
      data-priority={priority}
      viewBox="0 0 16 16"
      role="img"
      aria-label={`priority ${priority}`}
    >
      <title>{priority}</title>
      {bars === 4 ? <path d="M8 2v7M8 12v1.5" /> : [0, 1, 2].map((bar) => (
        <path
          key={bar}
          d={`M${4 + bar * 4} 13v-${3 + bar * 3.5}`}
          class={bar < bars ? "" : "off"}
        />
      ))}
    </svg>
  );
}

/** The initials of a person or an agent, in a colour of its own. */
export function Avatar({ name }: { name: string }) {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? ["?"];
  const [first = "", last = ""] = words.length > 1 ? [words[0]![0], words.at(-1)![0]] : words[0]!;
  const hue = [...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 360, 7);
  return (
    <span
      class="avatar"
      style={{ "--hue": hue }}
      role="img"
      aria-label={name || "unassigned"}
      title={name || "unassigned"}
    >
      {(first + last).toUpperCase()}
    </span>
  );
}

/** Where else an entity has another state. */
export function ElsewhereLines({ states = [] }: { states: readonly string[] | undefined }) {
  return <>{states.map((state) => <span class="elsewhere soft" key={state}>{state}</span>)}</>;
}

/** The last notice, with an undo button; a live region for screen readers. */
export function Notices({ board }: { board: Board }) {
  const { text = "", bad = false, undoable = false } = board.notice ?? {};
  const dismiss = () => {
    board.notice = undefined;
    board.draw();
  };
  return (
    <div class={`notice row${text && " box"}${bad ? " bad" : ""}`}>
      <p id="notice" role="status">{text}</p>
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
