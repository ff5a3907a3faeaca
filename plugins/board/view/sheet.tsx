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

interface SheetProps {
  board: Board;
  children: ComponentChildren;
}

/** A modal dialog; what had the focus before gets it back. */
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
    // An editor that is open would lose its text.
    if (dialog.current!.querySelector(".editor") === null) board.close();
  };
  return (
    <dialog
      id="entity"
      ref={dialog}
      aria-labelledby="entity-title"
      onCancel={close}
      // A click on the backdrop has the dialog itself as its target.
      onClick={(event) => event.target === dialog.current && close(event)}
    >
      {children}
    </dialog>
  );
}

/** The head of a dialog, with what was said last. */
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

/** What an editor edits. */
interface EditorProps {
  /** What it is called, such as `title`. */
  readonly label: string;
  /** The present value. */
  readonly value: string;
  readonly multiline?: boolean;
  /** Values to choose from. */
  readonly suggestions?: readonly string[];
  /** Writes the new value in place of the one that was edited; returns whether it was written. */
  save(before: string, after: string): Promise<boolean>;
}

/** A value that becomes a field when it is edited; what others write meanwhile is shown. */
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
      // Escape ends the editing, not the dialog.
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
          <p>Somebody changed this meanwhile. It is now:</p>
          <pre>{value || "empty"}</pre>
          <button onClick={() => setBefore(value)}>Keep my text</button>{" "}
          <button
            onClick={() => {
              setBefore(value);
              setDraft(value);
            }}
          >
            Use this one
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

/** Values that a field offers. */
export function Suggestions({ id, values }: { id: string; values: readonly string[] }) {
  return <datalist id={id}>{values.map((one) => <option key={one} value={one} />)}</datalist>;
}
