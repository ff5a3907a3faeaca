/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * The bar for several selected cards: one change for all, or for none.
 *
 * @module
 */

import type { Board } from "./board_state.ts";
import { namesOf, sortStatuses } from "./model.ts";

export function SelectionBar({ board }: { board: Board }) {
  const cards = [...board.selected].flatMap((id) => board.cards.get(id) ?? []);
  const types = [...new Set(cards.map(({ type }) => type))];
  // Values that every one of the types has.
  const common = (types[0] === undefined ? [] : board.statuses[types[0]] ?? [])
    .filter((status) => types.every((type) => board.statuses[type]?.includes(status)));
  const fields: (readonly [Parameters<Board["changeSelected"]>[0], readonly string[]])[] = [
    ["status", sortStatuses(common)],
    ["milestone", namesOf(board.cards, "milestone")],
    ["assignee", namesOf(board.cards, "assignee")],
    ["priority", types.every((type) => type === "work") ? board.values["priority"] ?? [] : []],
  ];
  return (
    <div class="selection box row" role="toolbar" aria-label="Selected entities">
      <strong role="status">{cards.length} selected</strong>
      {fields.filter(([, values]) => values.length > 0).map(([name, values]) => (
        <select
          key={name}
          aria-label={`Set ${name}`}
          value=""
          onChange={({ currentTarget }) => {
            const { value } = currentTarget;
            currentTarget.value = "";
            void board.changeSelected(name, value === "none" ? "" : value);
          }}
        >
          <option value="" disabled>{name}…</option>
          {values.map((one) => <option key={one} value={one}>{one}</option>)}
          {name !== "status" && <option value="none">none</option>}
        </select>
      ))}
      <button onClick={() => board.clearSelection()}>Clear</button>
    </div>
  );
}
