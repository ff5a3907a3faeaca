/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * Ctrl-K: finds entities and runs commands, such as `094 → review` and `assign ada`.
 *
 * @module
 */

import { useEffect, useRef, useState } from "preact/hooks";
import type { Board } from "./board_state.ts";
import { Modal } from "./keys.tsx";
import { type Card, filterCards, namesOf, sortStatuses } from "./model.ts";

interface Command {
  readonly text: string;
  readonly about?: string;
  run(): unknown;
}

const MOST = 12;

export function Commands({ board }: { board: Board }) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const commands = commandsFor(board, text.trim()).slice(0, MOST);
  const chosen = Math.min(at, commands.length - 1);
  useEffect(() => input.current!.focus(), []);
  useEffect(() => list.current?.children[chosen]?.scrollIntoView({ block: "nearest" }), [chosen]);
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    board.show("");
    // After the dialog has given the focus back.
    setTimeout(() => command.run());
  };
  return (
    <Modal board={board} label="Commands">
      <input
        ref={input}
        role="combobox"
        aria-label="Find an entity or run a command"
        aria-expanded="true"
        aria-controls="commands"
        aria-activedescendant={commands.length > 0 ? `command-${chosen}` : undefined}
        placeholder="094 → review, assign ada, new, timeline …"
        value={text}
        onInput={({ currentTarget: { value } }) => {
          setText(value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step !== undefined) {
            event.preventDefault();
            setAt(Math.max(0, Math.min(commands.length - 1, chosen + step)));
          }
          if (event.key === "Enter") run(commands[chosen]);
        }}
      />
      <ul id="commands" role="listbox" aria-label="Commands" ref={list}>
        {commands.map((command, index) => (
          <li
            key={command.text}
            id={`command-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => run(command)}
          >
            {command.text} <span class="soft">{command.about}</span>
          </li>
        ))}
      </ul>
      {commands.length === 0 && <p class="soft">Nothing matches.</p>}
    </Modal>
  );
}

/** The commands for a text, the most likely first. */
function commandsFor(board: Board, text: string): Command[] {
  const [, before = text, after] = /^(.*?)\s*(?:→|->|>)\s*(.*)$/.exec(text) ?? [];
  if (after !== undefined) {
    return targetsOf(board, before).flatMap((card) => moves(board, card, after));
  }
  const [, name] = /^(?:assign|@)\s*(.*)$/i.exec(text) ?? [];
  if (name !== undefined) return targetsOf(board, "").flatMap((card) => assigns(board, card, name));
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

/** The entity of a number or id; without one, the selected ones, the open one or the focused one. */
function targetsOf(board: Board, name: string): Card[] {
  const { cards, selected, openId } = board;
  if (name === "") {
    const ids = selected.size > 0 ? [...selected] : openId === undefined ? [] : [openId];
    return ids.flatMap((id) => cards.get(id) ?? []);
  }
  const wanted = name.toUpperCase();
  const all = [...cards.values()];
  const exact = all.filter(({ id }) => id.toUpperCase() === wanted);
  return exact.length > 0 ? exact : all.filter(({ id }) => {
    const number = /\d+$/.exec(id)?.[0];
    return number !== undefined && /^\d+$/.test(name) && Number(number) === Number(name);
  });
}

function moves(board: Board, card: Card, status: string): Command[] {
  return sortStatuses(board.statuses[card.type] ?? []).filter((one) => one.startsWith(status))
    .map((one) => ({
      text: `${card.id} → ${one}`,
      about: card.title,
      run: async () => {
        if (!await board.move(card.id, one) && board.question) board.open(card.id);
      },
    }));
}

function assigns(board: Board, card: Card, name: string): Command[] {
  const known = namesOf(board.cards, "assignee").filter((one) => one.startsWith(name));
  return [...new Set([...known, name])].filter(Boolean).map((one) => ({
    text: `Assign ${one}`,
    about: card.id,
    run: () =>
      board.edit({
        id: card.id,
        field: { kind: "attribute", name: "assignee" },
        before: card.assignee ?? "",
        after: one,
      }),
  }));
}

function generalOf(board: Board): Command[] {
  const to = (tab: string) => () => board.choose({ tab });
  return [
    { text: "New entity", about: "n", run: () => board.create() },
    { text: "Now", run: to("now") },
    { text: "Board", run: to("board") },
    { text: "Timeline", run: to("timeline") },
    { text: "Show all entities", run: () => board.clearFilters() },
    { text: "Reset filters", run: () => board.resetFilters() },
    { text: "Undo", about: "Ctrl Z", run: () => board.undo() },
    { text: "Keys", about: "?", run: () => board.show("keys") },
    ...board.host.canFill ? [{ text: "Full screen", run: () => board.host.fill() }] : [],
  ];
}
