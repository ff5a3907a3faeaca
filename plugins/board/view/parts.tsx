/// <reference lib="dom" />
/** Components that several parts of the views share. */

import { type ComponentChildren, Fragment, h, type JSX } from "preact";
import type { Related } from "../../plan/queries/board.ts";
import type { Board } from "./board_state.ts";
import { BARS, NONE } from "./model.ts";

/** The label of a lane or choice. */
export function nameOf(filter: string, value: string): string {
  if (value !== NONE) return value;
  return filter === "assignee" ? "Unassigned" : `No ${filter}`;
}

export const titled = (word: string) => word[0]!.toUpperCase() + word.slice(1);

/** Done and all, such as ticked criteria; nothing without any. */
export function Bar({ of: [done, all] = [0, 0] }: { of: readonly [number, number] | undefined }) {
  return all === 0 ? null : <span class="bar" style={{ "--part": done / all }}>{done}/{all}</span>;
}

export function Count({ of }: { of: ComponentChildren }) {
  return <span class="count">{of}</span>;
}

type OpenProps = JSX.IntrinsicElements["button"] & { board: Board; id: string };

/** A button that opens an entity. */
export function Open({ board, id, children, ...rest }: OpenProps) {
  return (
    <button
      class="ref"
      data-id={id}
      data-type={board.cards.get(id)?.type}
      onClick={() => board.open(id)}
      {...rest}
    >
      {children ?? id}
    </button>
  );
}

/** An id that opens its entity, if that is still there, and a title. */
export function EntityName({ board, id, title }: { board: Board; id: string; title: string }) {
  return (
    <>
      {board.cards.has(id) ? <Open board={board} id={id} /> : <span class="id">{id}</span>}{" "}
      <span class="title" dir="auto">{title}</span>
    </>
  );
}

type SmallProps = JSX.IntrinsicElements["button"] & {
  text: string;
  of?: string | undefined;
};

/** A small button; its name says also what it is about. */
export function Small({ text, of, ...rest }: SmallProps) {
  return <button class="small" aria-label={of && `${text} ${of}`} {...rest}>{text}</button>;
}

/** Entities under a heading, each opened by a click; nothing without any. */
export function EntityList({ board, title, entities }: Related & { board: Board }) {
  if (entities.length === 0) return null;
  return (
    <section>
      <h3>
        {title} <Count of={entities.length} />
      </h3>
      <ul class="entities">
        {entities.map(({ id, title, status = "?", date, note }) => (
          <li key={id}>
            <Open board={board} id={id} class="plain" disabled={status === "missing"}>
              {date && <time>{date}</time>} <span class="id">{id}</span> {title}{" "}
              <span class="badge">{status}</span> {note && <span class="waits">{note}</span>}
            </Open>
          </li>
        ))}
      </ul>
    </section>
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

function Icon({ label, children, ...rest }: JSX.IntrinsicElements["svg"] & { label: string }) {
  return (
    <svg viewBox="0 0 16 16" role="img" aria-label={label} {...rest}>
      <title>{label}</title>
      {children}
    </svg>
  );
}

export function TypeIcon({ type = "" }: { type: string | undefined }) {
  return (
    <Icon class="icon type" data-type={type} label={type}>
      <path d={TYPES[type] ?? "M3 3h10v10H3z"} />
    </Icon>
  );
}

export function PriorityIcon({ priority }: { priority: string | undefined }) {
  if (!priority) return null;
  const bars = BARS[priority] ?? 0;
  return (
    <Icon class="icon priority" data-priority={priority} label={`priority ${priority}`}>
      {bars === 4 ? <path d="M8 2v7M8 12v1.5" /> : [0, 1, 2].map((bar) => (
        <path
          key={bar}
          d={`M${4 + bar * 4} 13v-${3 + bar * 3.5}`}
          class={bar < bars ? "" : "off"}
        />
      ))}
    </Icon>
  );
}

/** The initials of a person or an agent, in a colour of its own. */
export function Avatar({ name }: { name: string }) {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? ["?"];
  const [first = "", last = ""] = words.length > 1 ? [words[0]![0], words.at(-1)![0]] : words[0]!;
  const hue = [...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 360, 7);
  const label = name || "unassigned";
  return (
    <span class="avatar" style={{ "--hue": hue }} role="img" aria-label={label} title={label}>
      {(first + last).toUpperCase()}
    </span>
  );
}

/** Where else an entity has another state. */
export function Elsewhere({ board, id }: { board: Board; id: string }) {
  const { elsewhere = [] } = board.cards.get(id) ?? {};
  return <>{elsewhere.map((state) => <span class="elsewhere soft" key={state}>{state}</span>)}</>;
}

/** The last notice, with an undo button; a live region for screen readers. */
export function Notices({ board }: { board: Board }) {
  const { text = "", bad = false, undoable = false, shows = false } = board.notice ?? {};
  const dismiss = () => board.set({ notice: undefined });
  const show = () => {
    dismiss();
    board.choose({ tab: "now" });
  };
  return (
    <div class={`notice row${text && " box"}${bad ? " bad" : ""}`}>
      <p id="notice" role="status">{text}</p>
      {shows && <button onClick={show}>Show</button>}
      {undoable && <button onClick={() => board.writes.undo()}>Undo</button>}
      {text && <button class="plain" aria-label="Dismiss" onClick={dismiss}>×</button>}
    </div>
  );
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
          {titled(one)}
        </button>
      ))}
    </div>
  );
}

/** A list of choices. */
export function Select({ values, choose, children, ...rest }: {
  values: readonly (readonly [value: string, label: string])[];
  choose(value: string, control: HTMLSelectElement): void;
} & JSX.IntrinsicElements["select"]) {
  return (
    <select onChange={({ currentTarget: one }) => choose(one.value, one)} {...rest}>
      {children}
      {values.map(([value, label]) => <option key={value} value={value}>{label}</option>)}
    </select>
  );
}

export function Panel({ board, isWide, title, children }: {
  board: Board;
  isWide?: boolean;
  title: ComponentChildren;
  children: ComponentChildren;
}) {
  const { openId, opened, creating } = board;
  const before = creating ? undefined : opened.at(-2);
  return (
    <dialog
      id="entity"
      open
      data-id={openId}
      class={isWide ? "wide" : ""}
      aria-labelledby="entity-title"
    >
      <div class="head">
        <h2 id="entity-title" tabIndex={-1} data-type={board.cards.get(openId ?? "")?.type}>
          {title}
        </h2>
        <div class="buttons row">
          {before && (
            <button onClick={() => board.show(opened.slice(0, -1))}>Back to {before}</button>
          )}
          <button onClick={board.close}>Close</button>
        </div>
      </div>
      {children}
    </dialog>
  );
}
