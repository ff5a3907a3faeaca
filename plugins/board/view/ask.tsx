/// <reference lib="dom" />
/** The question before an entity with open criteria is finished, asked in its place. */

import { Fragment, h } from "preact";
import type { Board } from "./board_state.ts";

export function Ask({ board }: { board: Board }) {
  const { writes, question } = board;
  const { text, open, resolution } = question!;
  return (
    <div
      class="ask box row"
      role="group"
      aria-label={text}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        void writes.answer();
      }}
    >
      <p role="alert">
        <strong>{open} {open === 1 ? "criterion" : "criteria"} open</strong>
      </p>
      {resolution === undefined
        ? (
          <>
            <button onClick={() => writes.answer({ check: "all" })}>Tick all</button>
            <button
              onClick={() =>
                board.set({ question: { ...question!, resolution: "" }, wanted: ".ask textarea" })}
            >
              Write a resolution
            </button>
            <button onClick={() => writes.answer({})}>Move anyway</button>
          </>
        )
        : (
          <>
            <textarea
              aria-label="Resolution"
              placeholder="What was done, and why the rest is not needed"
              value={resolution}
              onInput={({ currentTarget: { value } }) =>
                board.set({ question: { ...question!, resolution: value } })}
            />
            <button
              class="primary"
              disabled={resolution.trim() === ""}
              onClick={() => writes.answer({ resolve: resolution.trim() })}
            >
              Save and move
            </button>
          </>
        )}
      <button class="plain" onClick={() => writes.answer()}>Cancel</button>
    </div>
  );
}
