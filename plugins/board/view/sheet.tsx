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

/** A modal dialog; what had the focus before gets it back. */
export function Sheet({ board, children }: { board: Board; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = () => {
    // An editor that is open would lose its text.
    if (dialog.current!.querySelector(".editor") === null) board.close();
  };
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
  return (
    <dialog
      id="entity"
      ref={dialog}
      aria-labelledby="entity-title"
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={(event) => {
        // A click on the backdrop has the dialog itself as its target.
        if (event.target === dialog.current) close();
      }}
    >
      {children}
    </dialog>
  );
}

/** What an editor edits. */
export interface EditorProps {
  /** What it is called, such as `title`. */
  readonly label: string;
  /** The present value. */
  readonly value: string;
  /** Whether it has several lines. */
  readonly multiline?: boolean;
  /** Values to choose from. */
  readonly suggestions?: readonly string[];
  /** Writes the new value in place of the one that was edited; returns whether it was written. */
  save(before: string, after: string): Promise<boolean>;
  /** What is shown while nothing is edited. */
  readonly children: ComponentChildren;
}

/** A value that becomes a field when it is edited; what others write meanwhile is shown. */
export function Editable({ children, ...editor }: EditorProps) {
  const [editing, setEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const [returning, setReturning] = useState(false);
  useEffect(() => {
    if (returning && !editing) button.current?.focus();
  }, [editing]);
  if (editing) {
    return (
      <Editor
        {...editor}
        close={() => {
          setReturning(true);
          setEditing(false);
        }}
      />
    );
  }
  return (
    <>
      {children}{" "}
      <button
        ref={button}
        class="edit"
        aria-label={`Edit ${editor.label}`}
        title={`Edit ${editor.label}`}
        onClick={() => setEditing(true)}
      >
        ✎
      </button>
    </>
  );
}

type OpenEditorProps = Omit<EditorProps, "children"> & { close(): void };

function Editor({ label, value, multiline, suggestions, save, close }: OpenEditorProps) {
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
    onInput: (event: Event) => {
      if (event.currentTarget instanceof HTMLInputElement) setDraft(event.currentTarget.value);
      if (event.currentTarget instanceof HTMLTextAreaElement) setDraft(event.currentTarget.value);
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === "Escape") {
        // It ends the editing, not the dialog.
        event.preventDefault();
        event.stopPropagation();
        close();
      }
      if (event.key === "Enter" && (!multiline || event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        void submit();
      }
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
          <p>
            Somebody changed this meanwhile. It is now:
          </p>
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
      <div class="buttons">
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
