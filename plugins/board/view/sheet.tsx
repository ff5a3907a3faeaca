/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * The dialog at the right edge, and fields that are edited in place.
 *
 * @module
 */

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Board } from "./board_state.ts";
import { Notices } from "./parts.tsx";

type SheetProps = { board: Board; children: ComponentChildren };

/** A modal dialog; closing it restores the focus. */
export function Sheet({ board, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    dialog.current!.showModal();
    return () => {
      const id = before instanceof HTMLElement ? before.dataset["id"] : undefined;
      const same = id === undefined
        ? before
        : document.querySelector(`[data-id="${CSS.escape(id)}"]`);
      if (same instanceof HTMLElement) setTimeout(() => same.focus({ preventScroll: true }));
    };
  }, []);
  const close = (event: Event) => {
    event.preventDefault();
    // Closing would discard the text of an open editor.
    if (dialog.current!.querySelector(".editor") === null) board.close();
  };
  return (
    <dialog
      id="entity"
      ref={dialog}
      aria-labelledby="entity-title"
      onCancel={close}
      // The target of a click on the backdrop is the dialog itself.
      onClick={(event) => event.target === dialog.current && close(event)}
    >
      {children}
    </dialog>
  );
}

export function SheetHead({ board, children }: SheetProps) {
  const before = board.creating ? undefined : board.opened.at(-2);
  return (
    <>
      <div class="head">
        {children}
        <div class="buttons row">
          {before !== undefined && <button onClick={() => board.back()}>Back to {before}</button>}
          <button onClick={() => board.close()}>Close</button>
        </div>
      </div>
      <Notices board={board} id="entity-message" />
    </>
  );
}

interface EditorProps {
  readonly label: string;
  readonly value: string;
  readonly multiline?: boolean;
  readonly suggestions?: readonly string[];
  /** Replaces `before`; returns whether it succeeded. */
  save(before: string, after: string): Promise<boolean>;
}

/** A value that can be edited in place, with a warning if others change it meanwhile. */
export function Editable({ children, ...editor }: EditorProps & { children: ComponentChildren }) {
  const [editing, setEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setEditing(false);
    setTimeout(() => button.current?.focus());
  };
  if (editing) return <Editor {...editor} close={close} />;
  const label = `Edit ${editor.label}`;
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
        ✎
      </button>
    </>
  );
}

function Editor(
  { label, value, multiline, suggestions, save, close }: EditorProps & { close(): void },
) {
  const [before, setBefore] = useState(value);
  const [draft, setDraft] = useState(value);
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current!.focus();
    if (multiline) field.current!.setSelectionRange(0, 0);
  }, []);
  const submit = async () => {
    setBusy(true);
    if (await save(before, draft.trim())) close();
    else setBusy(false);
  };
  const list = `values-of-${label.replaceAll(/\W/g, "-")}`;
  const shared = {
    ref: field,
    "aria-label": label,
    value: draft,
    onInput: () => setDraft(field.current!.value),
    onKeyDown: (event: KeyboardEvent) => {
      const isSave = event.key === "Enter" && (!multiline || event.ctrlKey || event.metaKey);
      if (!isSave && event.key !== "Escape") return;
      // Escape closes the editor, not the dialog.
      event.preventDefault();
      event.stopPropagation();
      if (isSave) void submit();
      else close();
    },
  };
  return (
    <div class="editor">
      {multiline
        ? <textarea {...shared} />
        : <input {...shared} list={suggestions ? list : undefined} />}
      {suggestions && <Suggestions id={list} values={suggestions} />}
      {value !== before && (
        <div class="conflict box" role="alert">
          <p>This was changed meanwhile. New value:</p>
          <pre>{value || "empty"}</pre>
          <button onClick={() => setBefore(value)}>Keep my text</button>{" "}
          <button
            onClick={() => {
              setBefore(value);
              setDraft(value);
            }}
          >
            Use the new value
          </button>
        </div>
      )}
      <div class="buttons row">
        <button class="primary" disabled={busy || value !== before} onClick={() => void submit()}>
          Save
        </button>
        <button onClick={close}>Cancel</button>
      </div>
    </div>
  );
}

export function Suggestions({ id, values }: { id: string; values: readonly string[] }) {
  return <datalist id={id}>{values.map((one) => <option key={one} value={one} />)}</datalist>;
}
