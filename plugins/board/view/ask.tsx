/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * The question before an entity with open criteria is finished, asked in its place.
 *
 * @module
 */

import { useEffect, useRef, useState } from "preact/hooks";
import type { Board } from "./board_state.ts";

export function Ask({ board }: { board: Board }) {
  const { edit, open } = board.question!;
  const [writing, setWriting] = useState(false);
  const [text, setText] = useState("");
  const group = useRef<HTMLDivElement>(null);
  useEffect(() => group.current?.querySelector<HTMLElement>("button, textarea")?.focus(), [
    writing,
  ]);
  return (
    <div
      class="ask box"
      role="group"
      aria-label={`${edit.id} to ${edit.after}`}
      ref={group}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        void board.answer();
      }}
    >
      <p role="alert">
        <strong>{open} {open === 1 ? "criterion" : "criteria"} open</strong>
      </p>
      {writing
        ? (
          <>
            <textarea
              aria-label="Resolution"
              placeholder="What was done, and why the rest is not needed"
              value={text}
              onInput={({ currentTarget: { value } }) => setText(value)}
            />
            <button
              class="primary"
              disabled={text.trim() === ""}
              onClick={() => void board.answer({ resolve: text.trim() })}
            >
              Save and move
            </button>
          </>
        )
        : (
          <>
            <button onClick={() => void board.answer({ check: "all" })}>Tick all</button>
            <button onClick={() => setWriting(true)}>Write a resolution</button>
            <button onClick={() => void board.answer("move")}>Move anyway</button>
          </>
        )}
      <button class="plain" onClick={() => void board.answer()}>Cancel</button>
    </div>
  );
}
