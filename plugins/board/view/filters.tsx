/// <reference lib="dom" />
/** The head of the board: filters and a summary. */

import { Fragment, h } from "preact";
import type { Board } from "./board_state.ts";
import { Bar, Segments, Select, titled } from "./controls.tsx";
import { Open } from "./entities.tsx";
import {
  ALL,
  type Card,
  CHOICES,
  choicesOf,
  FILTERS,
  isTask,
  NONE,
  type Setting,
  TABS,
  TASKS,
} from "./model.ts";

/** The filters that hide cards. */
const hiders = ({ settings }: Board) => FILTERS.filter((name) => (settings[name] ?? ALL) !== ALL);

export function Toolbar({ board }: { board: Board }) {
  const { settings, host, filtering, stamp } = board;
  const { length } = hiders(board);
  return (
    <header class="row">
      <h1>
        Plan <span class="soft">{[board.project, board.branch].filter(Boolean).join(" · ")}</span>
      </h1>
      <Segments
        label="View"
        values={TABS}
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
        onInput={({ currentTarget: { value: text } }) => board.choose({ text, tab: "board" })}
      />
      <button class="primary" title="n" onClick={() => board.create()}>New</button>
      <button
        class="plain help"
        aria-label="Keys"
        title="?"
        onClick={() => board.set({ listsKeys: true })}
      >
        ?
      </button>
      {host.canFill && <button onClick={() => host.fill()}>Full screen</button>}
      {stamp !== "" && settings.tab !== "now" && (
        <>
          <button
            class="narrow"
            aria-expanded={filtering}
            onClick={() => board.set({ filtering: !filtering })}
          >
            Filters{length > 0 && ` (${length})`}
          </button>
          <Filters board={board} />
        </>
      )}
    </header>
  );
}

function Filters({ board }: { board: Board }) {
  const { settings, filtering } = board;
  return (
    <div class={`filters row${filtering ? " open" : ""}`}>
      {CHOICES.map((name) => (
        <Choice key={name} board={board} name={name} values={choicesFor(board, name)} />
      ))}
      <label class="row soft">
        <input
          type="checkbox"
          id="blocked"
          checked={settings.blocked === "yes"}
          onChange={({ currentTarget: { checked } }) =>
            board.choose({ blocked: checked ? "yes" : "" })}
        />
        Waiting
      </label>
    </div>
  );
}

/** The label of a choice. */
function nameOf(filter: string, value: string): string {
  if (value !== NONE) return value;
  return filter === "assignee" ? "Unassigned" : `No ${filter}`;
}

type Options = readonly (readonly [value: string, label: string])[];

/** The choices of a filter. Those without open cards come last. */
function choicesFor({ cards, settings }: Board, name: typeof CHOICES[number]): Options {
  const options = choicesOf(cards, name).sort(([, a], [, b]) => Number(b > 0) - Number(a > 0))
    .map(([value, open]): [string, string] => {
      const done = name === "milestone" && cards.get(value)?.criteria;
      return [value, `${nameOf(name, value)} · ${done ? done.join("/") : `${open} open`}`];
    });
  if (name === "type") {
    const open = [...cards.values()].filter((card) => isTask(card) && !card.finished);
    options.unshift([TASKS, `work, bugs · ${open.length} open`]);
  }
  // A value that is no longer in the plan stays visible, so that it can be cleared.
  const chosen = settings[name] ?? ALL;
  if (chosen !== ALL && !options.some(([value]) => value === chosen)) {
    options.unshift([chosen, chosen]);
  }
  return [[ALL, "all"], ...options];
}

function Choice({ board, name, values }: { board: Board; name: Setting; values: Options }) {
  const [first] = values[0]!;
  const value = board.settings[name] ?? first;
  return (
    <label class="row soft" data-chosen={value !== first}>
      <span>{titled(name)}</span>
      <Select
        id={name}
        value={value}
        values={values}
        choose={(value) => board.choose({ [name]: value })}
      />
    </label>
  );
}

/** The number of cards, the filters that hide others, and the progress of milestones. */
export function Summary({ board, visible }: { board: Board; visible: readonly Card[] }) {
  const { cards, plan, settings: { milestone = ALL } } = board;
  const milestones = milestone === ALL || milestone === NONE ? plan.active : [milestone];
  const isPart = visible.length < cards.size;
  const hiding = isPart ? `; the others are hidden by ${hiders(board).join(", ")}` : "";
  return (
    <div class="summary row soft">
      <span id="message" role="status">
        {visible.length} of {cards.size} entities{hiding}
      </span>
      {isPart && <button class="ref" onClick={() => board.clearFilters()}>Show all</button>}
      {milestones.filter((id) => cards.has(id)).map((id) => (
        <Open key={id} board={board} id={id}>
          {id} <Bar of={cards.get(id)?.criteria} />
        </Open>
      ))}
    </div>
  );
}
