/// <reference lib="dom" />
/** Ctrl-K: finds entities and runs commands, such as `094 → review` and `assign ada`. */

import { h } from "preact";
import type { Board } from "./board_state.ts";
import { closeModal, Modal } from "./keys.tsx";
import { type Card, filterCards, TABS } from "./model.ts";
import { titled } from "./parts.tsx";
import { valuesOf } from "./properties.tsx";

interface Command {
  readonly text: string;
  readonly about?: string;
  run(): unknown;
}

const MOST = 12;

export function Commands({ board }: { board: Board }) {
  const commands = commandsFor(board, board.command.trim()).slice(0, MOST);
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    closeModal();
    void command.run();
  };
  return (
    <Modal board={board} label="Commands">
      <div
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step === undefined) return;
          event.preventDefault();
          // Between the input and the commands.
          const all = [...document.querySelectorAll<HTMLElement>(".modal :is(input, button)")];
          all[all.findIndex((one) => one === document.activeElement) + step]?.focus();
        }}
      >
        <input
          aria-label="Find an entity or run a command"
          placeholder="094 → review, assign ada, new, timeline …"
          value={board.command}
          onInput={({ currentTarget: { value } }) => board.set({ command: value })}
          onKeyDown={({ key }) => key === "Enter" && run(commands[0])}
        />
        <ul>
          {commands.map((command) => (
            <li key={command.text}>
              <button class="plain" onClick={() => run(command)}>
                {command.text} <span class="soft">{command.about}</span>
              </button>
            </li>
          ))}
        </ul>
        {commands.length === 0 && <p class="soft">Nothing matches.</p>}
      </div>
    </Modal>
  );
}

/** The commands for a text, the most likely first. */
function commandsFor(board: Board, text: string): Command[] {
  const [, before = text, after] = /^(.*?)\s*(?:→|->|>)\s*(.*)$/.exec(text) ?? [];
  if (after !== undefined) {
    return targetsOf(board, before).flatMap((card) => sets(board, card, "status", after));
  }
  const [, name] = /^(?:assign|@)\s*(.*)$/i.exec(text) ?? [];
  if (name !== undefined) {
    return targetsOf(board, "").flatMap((card) => sets(board, card, "assignee", name));
  }
  const words = text.toLowerCase();
  const general = generalOf(board).filter((one) => one.text.toLowerCase().includes(words));
  const cards = text === "" ? [] : filterCards(board.cards, { text })
    // An id comes before a title that has the same digits.
    .sort((a, b) => Number(b.id.endsWith(text)) - Number(a.id.endsWith(text)))
    .map((card): Command => ({
      text: `${card.id} ${card.title}`,
      about: card.status,
      run: () => board.open(card.id),
    }));
  return words.length > 1 && general.length < 3 ? [...general, ...cards] : [...cards, ...general];
}

/** The entity of a number or id; without one, the selected ones or the open one. */
function targetsOf({ cards, selected, openId }: Board, name: string): Card[] {
  if (name === "") {
    return [...selected.size > 0 ? selected : [openId ?? ""]].flatMap((id) => cards.get(id) ?? []);
  }
  const all = [...cards.values()];
  const exact = all.filter(({ id }) => id.toUpperCase() === name.toUpperCase());
  const number = (text: string) => Number(/^\D*(\d+)$/.exec(text)?.[1] ?? NaN);
  return exact.length > 0 ? exact : all.filter(({ id }) => number(id) === Number(name));
}

/** Commands that set the status or the assignee to a value that begins with a text. */
function sets(
  board: Board,
  { id, type, title }: Card,
  field: "status" | "assignee",
  text: string,
): Command[] {
  const known = valuesOf(board, type, field).filter((one) => one.startsWith(text));
  const values = field === "status" || text === "" ? known : [...new Set([...known, text])];
  return values.map((one) => ({
    text: field === "status" ? `${id} → ${one}` : `${id}: assign ${one}`,
    about: title,
    run: async () => {
      if (!await board.writes.move(id, { [field]: one }) && board.question) board.open(id);
    },
  }));
}

function generalOf(board: Board): Command[] {
  return [
    { text: "New entity", about: "n", run: () => board.create() },
    ...TABS.map((tab) => ({ text: titled(tab), run: () => board.choose({ tab }) })),
    { text: "Show all entities", run: () => board.clearFilters() },
    { text: "Reset filters", run: () => board.resetFilters() },
    { text: "Undo", about: "Ctrl Z", run: () => board.writes.undo() },
    { text: "Keys", about: "?", run: () => board.set({ dialog: "keys" }) },
    ...board.host.canFill ? [{ text: "Full screen", run: () => board.host.fill() }] : [],
  ];
}
