/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * The head of the board: filters, order, lanes, and a line about what is shown.
 *
 * @module
 */

import { useState } from "preact/hooks";
import type { Board } from "./board_state.ts";
import { Bar, Segments, UNNAMED } from "./parts.tsx";
import {
  ALL,
  type Card,
  choicesOf,
  FILTERS,
  LANES,
  NONE,
  progressOf,
  type Setting,
  SORTS,
} from "./model.ts";

/** The filters that are lists of choices. */
const CHOICES = ["type", "milestone", "assignee", "tag", "priority"] as const;

/** The choice of the view, the search field, the filters, and the button for a new entity. */
export function Head({ board }: { board: Board }) {
  const [open, setOpen] = useState(false);
  const { settings } = board;
  const active = FILTERS.filter((name) => (settings[name] ?? ALL) !== ALL).length;
  return (
    <header>
      <h1>Plan</h1>
      <Segments
        label="View"
        values={["board", "timeline"]}
        value={settings.tab ?? "board"}
        choose={(tab) => board.choose({ tab })}
      />
      <input
        type="search"
        id="search"
        placeholder="Search titles and ids"
        aria-label="Search titles and ids"
        value={settings.text ?? ""}
        onInput={({ currentTarget }) => board.choose({ text: currentTarget.value })}
      />
      <button class="primary" onClick={() => board.create()}>New</button>
      <button class="narrow" aria-expanded={open} onClick={() => setOpen(!open)}>
        Filters{active > 0 ? ` (${active})` : ""}
      </button>
      <div class={`filters${open ? " open" : ""}`}>
        {CHOICES.map((name) => <Choice key={name} board={board} name={name} />)}
        <label class="switch">
          <input
            type="checkbox"
            id="blocked"
            checked={settings.blocked === "yes"}
            onChange={({ currentTarget: { checked } }) =>
              board.choose({ blocked: checked ? "yes" : "" })}
          />
          Blocked
        </label>
        {settings.tab === "board" && (
          <>
            <Select
              board={board}
              name="sort"
              options={Object.keys(SORTS).map((sort) => [sort, sort])}
            />
            <Select
              board={board}
              name="lanes"
              options={[["", "none"], ...LANES.map((by) => [by, by] as const)]}
            />
          </>
        )}
      </div>
    </header>
  );
}

/** A filter; choices without open cards stand last, because few people look for them. */
function Choice({ board, name }: { board: Board; name: typeof CHOICES[number] }) {
  const progress = progressOf(board.cards);
  const choices = choicesOf(board.cards, name);
  const options: [string, string][] = [
    ...choices.filter(([, open]) => open > 0),
    ...choices.filter(([, open]) => !open),
  ]
    .map(([value, open]) => {
      const { done, all } = progress.get(value) ?? { done: 0, all: 0 };
      const label = value === NONE ? UNNAMED[name] ?? value : value;
      const figure = name === "milestone" && all > 0 ? `${done}/${all}` : `${open} open`;
      return [value, `${label} · ${figure}`];
    });
  // A value that the plan no longer has stays visible, so that it can be cleared.
  const chosen = board.settings[name] ?? ALL;
  if (chosen !== ALL && !choices.some(([value]) => value === chosen)) {
    options.unshift([chosen, chosen]);
  }
  return <Select board={board} name={name} options={[[ALL, "all"], ...options]} />;
}

interface SelectProps {
  board: Board;
  name: Setting;
  options: readonly (readonly [value: string, label: string])[];
}

function Select({ board, name, options }: SelectProps) {
  const value = board.settings[name] ?? options[0]![0];
  return (
    <label data-chosen={value !== options[0]![0]}>
      <span>{name[0]!.toUpperCase() + name.slice(1)}</span>
      <select
        id={name}
        value={value}
        onChange={({ currentTarget }) => board.choose({ [name]: currentTarget.value })}
      >
        {options.map(([value, label]) => <option key={value} value={value}>{label}</option>)}
      </select>
    </label>
  );
}

/** How much is shown, the progress of the milestone, and the legend. */
export function Summary({ board, shown }: { board: Board; shown: readonly Card[] }) {
  const { milestone = ALL } = board.settings;
  const progress = progressOf(board.cards);
  const active = [...board.cards.values()].filter(({ type, status, id }) =>
    type === "milestone" &&
    (milestone === ALL ? status === "active" && progress.has(id) : id === milestone)
  );
  const types = [...new Set(shown.map(({ type }) => type))].sort();
  return (
    <div class="summary">
      <span id="message" role="status">{shown.length} of {board.cards.size} entities</span>
      {shown.length < board.cards.size && shown.length > 0 && (
        <button
          class="ref"
          onClick={() => board.clearFilters()}
        >
          Show all
        </button>
      )}
      {active
        .filter(({ id }) => milestone !== ALL || progress.get(id)!.done < progress.get(id)!.all)
        .map(({ id }) => (
          <button
            class="ref"
            key={id}
            data-type="milestone"
            onClick={() => board.open(id)}
          >
            {id} <Bar {...progress.get(id) ?? { done: 0, all: 0 }} />
          </button>
        ))}
      <ul class="legend" aria-label="Legend">
        {types.map((type) => <li key={type} data-type={type}>{type}</li>)}
        <li>
          <span class="bar" style={{ "--part": 0.6 }} /> ticked criteria
        </li>
        <li class="blocked">waits for others</li>
      </ul>
    </div>
  );
}
