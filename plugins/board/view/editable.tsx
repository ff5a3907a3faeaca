/// <reference lib="dom" />
/** Fields that are edited in place. What was typed stays a draft until it is saved or discarded. */

import { type ComponentChildren, Fragment, h } from "preact";
import type { Board } from "./board_state.ts";
import { Small, Suggestions } from "./controls.tsx";

interface FieldProps {
  readonly board: Board;
  /** Identifies the draft: the entity and the field. */
  readonly draft: string;
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly multiline?: boolean;
  readonly suggestions?: readonly string[];
  /** Writes a new value; returns whether it succeeded. */
  save(after: string, before: string): Promise<boolean>;
  /** Removes what has the value: only here, where no finger gets by chance. */
  remove?(): Promise<boolean>;
}

/** A value with a button that edits it. */
export function Editable({ children, ...field }: FieldProps & { children?: ComponentChildren }) {
  const { board, draft, label } = field;
  if (board.editing === draft) return <TextField {...field} />;
  return (
    <>
      {children}{" "}
      <button
        class="edit plain"
        aria-label={`Edit ${label}`}
        title={`Edit ${label}`}
        onClick={() => board.edit(draft)}
      >
        ✎{board.drafts.has(draft) && <span class="badge warn">draft</span>}
      </button>
    </>
  );
}

/** A text: Enter saves it, Escape keeps it as a draft. Warns if others change it meanwhile. */
export function TextField(props: FieldProps) {
  const { board, draft, label, value, placeholder, multiline, suggestions, save, remove } = props;
  const { before, text } = board.drafts.get(draft) ?? { before: value, text: value };
  // Others are always open.
  const isOpened = board.editing === draft;
  const close = () =>
    isOpened && board.set({ editing: "", wanted: `[aria-label="Edit ${CSS.escape(label)}"]` });
  const set = (text: string, from = before) => {
    if (text === value) board.drafts.delete(draft);
    else board.drafts.set(draft, { before: from, text });
    board.draw();
  };
  const discard = () => {
    set(value);
    close();
  };
  const isBlocked = value !== before;
  const submit = async () => {
    if (!isBlocked && board.writes.running === 0 && await save(text.trim(), before)) discard();
  };
  const list = `values-of-${label.replaceAll(/\W/g, "-")}`;
  const shared = {
    "aria-label": label,
    placeholder,
    value: text,
    onInput: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => set(value),
    onKeyDown: (event: KeyboardEvent) => {
      const { key } = event;
      const saves = key === "Enter" && (!multiline || event.ctrlKey || event.metaKey);
      // It closes the field, not the panel, and keeps the draft.
      const closes = key === "Escape" && isOpened;
      if (!saves && !closes) return;
      event.preventDefault();
      event.stopPropagation();
      void (saves ? submit() : close());
    },
  };
  const about = isOpened ? undefined : label;
  return (
    <div class={`editor${isOpened ? " open" : ""}`}>
      {multiline ? <textarea {...shared} /> : <input {...shared} list={suggestions && list} />}
      {suggestions && <Suggestions id={list} values={suggestions} />}
      {isBlocked && (
        <div class="conflict box" role="alert">
          <p>This was changed meanwhile. New value:</p>
          <pre>{value || "empty"}</pre>
          <button onClick={() => set(text, value)}>Keep my text</button>{" "}
          <button onClick={() => set(value)}>Use the new value</button>
        </div>
      )}
      {(text !== value || isOpened) && (
        <div class="buttons row">
          <Small
            class="small primary"
            text="Save"
            of={about}
            disabled={isBlocked}
            onClick={submit}
          />
          <Small text="Discard" of={about} onClick={discard} />
          {remove && <Small text="Remove" onClick={async () => await remove() && discard()} />}
        </div>
      )}
    </div>
  );
}
