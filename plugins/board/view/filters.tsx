/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * The head of the board: filters, order, lanes and a summary.
 *
 * @module
 */

import { useState } from "preact/hooks";
import type { Board } from "./board_state.ts";
import { Bar, nameOf, Segments } from "./parts.tsx";
import {
  activeMilestones,
  ALL,
  type Card,
  CHOICES,
  choicesOf,
  FILTERS,
  isTask,
  LANES,
  progressOf,
  SORTS,
  TASKS,
} from "./model.ts";
import type { Setting } from "./model.ts";

export function Head({ board }: { board: Board }) {
  const [open, setOpen] = useState(false);
  const { settings } = board;
  const active = FILTERS.filter((name) => (settings[name] ?? ALL) !== ALL).length;
  return (
    <header class="row">
      <h1>Plan</h1>
      <Segments
        label="View"
        values={["now", "board", "timeline"]}
        value={settings.tab ?? "now"}
        choose={(tab) => board.choose({ tab })}
      />
      <input
        type="search"
        id="search"
        placeholder="Search titles, IDs and text"
        aria-label="Search titles, IDs and text"
        title="/"
        value={settings.text ?? ""}
        onInput={({ currentTarget }) =>
          board.choose({
            text: currentTarget.value,
            ...(settings.tab === "now" ? { tab: "board" } : {}),
          })}
      />
      <button class="primary" title="n" onClick={() => board.create()}>New</button>
      <button class="plain help" aria-label="Keys" title="?" onClick={() => board.show("keys")}>
        ?
      </button>
      {board.host.canFill && <button onClick={() => void board.host.fill()}>Full screen</button>}
      {settings.tab !== "now" && (
        <>
          <button class="narrow" aria-expanded={open} onClick={() => setOpen(!open)}>
            Filters{active > 0 ? ` (${active})` : ""}
          </button>
          <Filters board={board} open={open} />
        </>
      )}
    </header>
  );
}

function Filters({ board, open }: { board: Board; open: boolean }) {
  const { settings } = board;
  return (
    <div class={`filters row${open ? " open" : ""}`}>
      {CHOICES.map((name) => <Choice key={name} board={board} name={name} />)}
      <label class="row soft switch">
        <input
          type="checkbox"
          id="blocked"
          checked={settings.blocked === "yes"}
          onChange={({ currentTarget: { checked } }) =>
            board.choose({ blocked: checked ? "yes" : "" })}
        />
        Waiting
      </label>
      {settings.tab === "board" && (
        <>
          <Select board={board} name="sort" options={Object.keys(SORTS).map((by) => [by, by])} />
          <Select
            board={board}
            name="lanes"
            options={[["", "none"], ...LANES.map((by) => [by, by] as const)]}
          />
        </>
      )}
    </div>
  );
}

/** A filter. Choices without open cards come last. */
function Choice({ board, name }: { board: Board; name: typeof CHOICES[number] }) {
  const progress = progressOf(board.cards);
  const choices = choicesOf(board.cards, name).sort(([, a], [, b]) =>
    Number(b > 0) - Number(a > 0)
  );
  const options = choices.map(([value, open]): [string, string] => {
    const { done = 0, all = 0 } = progress.get(value) ?? {};
    const figure = name === "milestone" && all > 0 ? `${done}/${all}` : `${open} open`;
    return [value, `${nameOf(name, value)} · ${figure}`];
  });
  if (name === "type") {
    const open = [...board.cards.values()].filter((card) => isTask(card) && !card.finished);
    options.unshift([TASKS, `work, bugs · ${open.length} open`]);
  }
  // A value that is no longer in the plan stays visible, so that it can be cleared.
  const chosen = board.settings[name] ?? ALL;
  if (chosen !== ALL && !options.some(([value]) => value === chosen)) {
    options.unshift([chosen, chosen]);
  }
  return <Select board={board} name={name} options={[[ALL, "all"], ...options]} />;
}

function Select({ board, name, options }: {
  board: Board;
  name: Setting;
  options: readonly (readonly [value: string, label: string])[];
}) {
  const value = board.settings[name] ?? options[0]![0];
  return (
    <label class="row soft" data-chosen={value !== options[0]![0]}>
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

/** The number of cards, the progress of milestones and the legend. */
export function Summary({ board, shown }: { board: Board; shown: readonly Card[] }) {
  const { milestone = ALL } = board.settings;
  const progress = progressOf(board.cards);
  const milestones = milestone === ALL
    ? activeMilestones(board.cards)
    : [...board.cards.values()].filter(({ type, id }) => type === "milestone" && id === milestone);
  const hiders = FILTERS.filter((name) => (board.settings[name] ?? ALL) !== ALL);
  return (
    <div class="summary row soft">
      <span id="message" role="status">
        {shown.length} of {board.cards.size}{" "}
        entities{hiders.length > 0 && shown.length < board.cards.size
          ? `; the others are hidden by ${hiders.join(", ")}`
          : ""}
      </span>
      {shown.length < board.cards.size && shown.length > 0 && (
        <button
          class="ref"
          onClick={() => board.clearFilters()}
        >
          Show all
        </button>
      )}
      {board.isFiltered && (
        <button class="ref" onClick={() => board.resetFilters()}>Reset filters</button>
      )}
      {milestones.map(({ id }) => (
        <button
          class="ref"
          key={id}
          data-type="milestone"
          onClick={() => board.open(id)}
        >
          {id} <Bar {...progress.get(id) ?? { done: 0, all: 0 }} />
        </button>
      ))}
    </div>
  );
}
