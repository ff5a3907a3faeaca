/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * Fields that are edited in place. What was typed stays a draft until it is saved or discarded.
 *
 * @module
 */

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Board } from "./board_state.ts";

interface FieldProps {
  readonly board: Board;
  /** Identifies the draft: the entity and the field. */
  readonly draft: string;
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly multiline?: boolean;
  readonly suggestions?: readonly string[];
  /** Replaces `before`; returns whether it succeeded. */
  save(before: string, after: string): Promise<boolean>;
  /** Of a field that is open only while it is edited. */
  readonly close?: () => void;
}

/** A value with a button that edits it. */
export function Editable({ children, ...field }: FieldProps & { children?: ComponentChildren }) {
  const [editing, setEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setEditing(false);
    setTimeout(() => button.current?.focus());
  };
  if (editing) return <TextField {...field} close={close} />;
  const label = `Edit ${field.label}`;
  return (
    <>
      {children}{" "}
      <button
        ref={button}
        class="edit plain"
        aria-label={label}
        title={label}
        onClick={() => setEditing(true)}
      >
        ✎{field.board.drafts.has(field.draft) && <span class="badge warn">draft</span>}
      </button>
    </>
  );
}

/** A text: Enter saves it, Escape keeps it as a draft. Warns if others change it meanwhile. */
export function TextField(props: FieldProps) {
  const { board, draft, label, value, placeholder, multiline, suggestions, save, close } = props;
  const { before, text } = board.drafts.get(draft) ?? { before: value, text: value };
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  useEffect(() => {
    if (close === undefined) return;
    field.current!.focus();
    if (multiline) field.current!.setSelectionRange(0, 0);
  }, []);
  const set = (text: string, from = before) => {
    if (text === value) board.drafts.delete(draft);
    else board.drafts.set(draft, { before: from, text });
    board.draw();
  };
  const discard = () => {
    set(value);
    close?.();
  };
  const isBlocked = value !== before;
  const submit = async () => {
    if (!isBlocked && board.writing === 0 && await save(before, text.trim())) discard();
  };
  const list = `values-of-${label.replaceAll(/\W/g, "-")}`;
  const shared = {
    ref: field,
    "aria-label": label,
    placeholder,
    value: text,
    onInput: () => set(field.current!.value),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === "Enter" && (!multiline || event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        void submit();
      } else if (event.key === "Escape" && close !== undefined) {
        // It closes the field, not the panel, and keeps the draft.
        event.preventDefault();
        event.stopPropagation();
        close();
      }
    },
  };
  const named = (verb: string) => close === undefined ? `${verb} ${label}` : verb;
  return (
    <div class="editor">
      {multiline ? <textarea {...shared} /> : <input {...shared} list={suggestions && list} />}
      {suggestions && <Suggestions id={list} values={suggestions} />}
      {value !== before && (
        <div class="conflict box" role="alert">
          <p>This was changed meanwhile. New value:</p>
          <pre>{value || "empty"}</pre>
          <button onClick={() => set(text, value)}>Keep my text</button>{" "}
          <button onClick={() => set(value)}>Use the new value</button>
        </div>
      )}
      {(text !== value || close !== undefined) && (
        <div class="buttons row">
          <button
            class="small primary"
            aria-label={named("Save")}
            disabled={isBlocked}
            onClick={submit}
          >
            Save
          </button>
          <button class="small" aria-label={named("Discard")} onClick={discard}>Discard</button>
        </div>
      )}
    </div>
  );
}

export function Suggestions({ id, values }: { id: string; values: readonly string[] }) {
  return <datalist id={id}>{values.map((one) => <option key={one} value={one} />)}</datalist>;
}
