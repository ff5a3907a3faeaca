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

interface EditorProps {
  readonly board: Board;
  /** Identifies the draft: the entity and the field. */
  readonly draft: string;
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
  const hasDraft = editor.board.drafts.has(editor.draft);
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
        ✎{hasDraft && <span class="badge draft">draft</span>}
      </button>
    </>
  );
}

function Editor(
  { board, draft: key, label, value, multiline, suggestions, save, close }: EditorProps & {
    close(): void;
  },
) {
  const kept = board.drafts.get(key);
  const [before, setBefore] = useState(kept?.before ?? value);
  const [draft, show] = useState(kept?.text ?? value);
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current!.focus();
    if (multiline) field.current!.setSelectionRange(0, 0);
  }, []);
  const setDraft = (text: string, from = before) => {
    if (text === value) board.drafts.delete(key);
    else board.drafts.set(key, { before: from, text });
    show(text);
  };
  const discard = () => {
    board.drafts.delete(key);
    close();
  };
  const submit = async () => {
    setBusy(true);
    if (await save(before, draft.trim())) discard();
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
      // Escape closes the editor, not the panel, and keeps the draft.
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
          <button
            onClick={() => {
              setBefore(value);
              setDraft(draft, value);
            }}
          >
            Keep my text
          </button>{" "}
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
        <button onClick={discard}>Discard</button>
      </div>
    </div>
  );
}

export function Suggestions({ id, values }: { id: string; values: readonly string[] }) {
  return <datalist id={id}>{values.map((one) => <option key={one} value={one} />)}</datalist>;
}
