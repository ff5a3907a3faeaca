/// <reference lib="dom" />
/** The bar for several selected cards: one change for all, or for none. */

import { h } from "preact";
import type { Board } from "./board_state.ts";
import { NONE } from "./model.ts";
import { Select } from "./parts.tsx";
import { valuesOf } from "./properties.tsx";

const FIELDS = ["status", "milestone", "assignee", "priority"] as const;

export function SelectionBar({ board }: { board: Board }) {
  const cards = [...board.selected].flatMap((id) => board.cards.get(id) ?? []);
  if (cards.length === 0) return null;
  return (
    <div class="selection box row" role="toolbar" aria-label="Selected entities">
      <strong role="status">{cards.length} selected</strong>
      {FIELDS.map((name) => {
        // Values that every one of them can have.
        const values = cards.map(({ type }) => valuesOf(board, type, name))
          .reduce((all, others) => all.filter((one) => others.includes(one)));
        if (name !== "status" && values.length > 0) values.push(NONE);
        return values.length > 0 && (
          <Select
            key={name}
            aria-label={`Set ${name}`}
            value=""
            values={values.map((one) => [one, one])}
            choose={(value, control) => {
              control.value = "";
              void board.writes.changeSelected(name, value === NONE ? "" : value);
            }}
          >
            <option value="" disabled>{name}…</option>
          </Select>
        );
      })}
      <button onClick={() => board.set({ selected: new Set() })}>Clear</button>
    </div>
  );
}
