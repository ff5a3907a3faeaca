/// <reference lib="dom" />
/** The acceptance criteria: ticked, added, changed, sorted and removed. */

import { h } from "preact";
import type { Board } from "./board_state.ts";
import { TextField } from "./editable.tsx";
import { type Entity, shorten } from "./edits.ts";
import { Count } from "./parts.tsx";
import { Line } from "./text.tsx";

export function Criteria({ board, entity }: { board: Board; entity: Entity }) {
  const { id, criteria = [], notEditable } = entity;
  if (criteria.length === 0 && board.cards.get(id)?.type !== "work") return null;
  const lines = criteria.map(({ text, checked }) => `- [${checked ? "x" : " "}] ${text}`);
  const change = (criteria: Record<string, unknown>, said: string, about: string) => {
    const args = { id, criteria, if: { criteria: lines.join("\n") } };
    return board.writes.update({ args, text: `${id}: ${said} "${shorten(about)}"` });
  };
  const tick = async (text: string, input: HTMLInputElement) => {
    const { checked } = input;
    // Ticking a ticked criterion is not a conflict.
    const change = { args: { id, [checked ? "check" : "uncheck"]: text } };
    const said = `${id}: ${checked ? "ticked" : "unticked"} "${shorten(text)}"`;
    if (!await board.writes.update({ ...change, text: said })) input.checked = !checked;
  };
  const move = (from: number, to: number) =>
    change({ move: [from + 1, to + 1] }, "moved", criteria[from]!.text);
  const open = criteria.filter(({ checked }) => !checked);
  const draftOf = (text: string) => `${id}/criterion ${text}`;
  const tools = [
    ["Move up", "↑", (at: number) => move(at, at - 1)],
    ["Move down", "↓", (at: number) => move(at, at + 1)],
    ["Change", "✎", (at: number) => board.edit(draftOf(criteria[at]!.text))],
  ] as const;
  return (
    <section>
      <h3>
        Acceptance criteria <Count of={`${criteria.length - open.length} of ${criteria.length}`} />
        {" "}
        {board.cards.get(id)?.finished && open.length > 0 && (
          <button
            class="small"
            onClick={() =>
              board.writes.update({ args: { id, check: "all" }, text: `${id}: all ticked` })}
          >
            Tick all
          </button>
        )}
      </h3>
      <ul class="criteria">
        {criteria.map(({ text, checked }, at) => {
          const draft = draftOf(text);
          return board.editing === draft
            ? (
              <li key={text}>
                <TextField
                  board={board}
                  draft={draft}
                  label="Criterion"
                  value={text}
                  save={(after) => change({ reword: { [at + 1]: after } }, "reworded", text)}
                  remove={() => change({ remove: [at + 1] }, "removed", text)}
                />
              </li>
            )
            : (
              <li key={text}>
                <label>
                  <input
                    type="checkbox"
                    checked={checked === true}
                    onChange={({ currentTarget }) => tick(text, currentTarget)}
                  />
                  <span>
                    <Line text={text} />
                  </span>
                </label>
                {!notEditable && (
                  <span class="tools">
                    {tools.map(([name, sign, run]) => (
                      <button
                        class="plain small"
                        aria-label={`${name} ${at + 1}`}
                        title={name}
                        disabled={name === "Move up" && at === 0 ||
                          name === "Move down" && at === criteria.length - 1}
                        onClick={() => run(at)}
                      >
                        {sign}
                      </button>
                    ))}
                  </span>
                )}
              </li>
            );
        })}
      </ul>
      {!notEditable && (
        <TextField
          board={board}
          draft={`${id}/new criterion`}
          label="Add criterion"
          placeholder="Add criterion"
          value=""
          save={(after) => change({ add: [after] }, "added", after)}
        />
      )}
    </section>
  );
}
