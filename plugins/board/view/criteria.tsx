/// <reference lib="dom" />
/** The acceptance criteria: ticked, added, changed and removed. */

import { h } from "preact";
import type { Board } from "./board_state.ts";
import { Count, Small } from "./controls.tsx";
import { Editable, TextField } from "./editable.tsx";
import { type Entity, shorten } from "./edits.ts";
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
    const args = { id, [checked ? "check" : "uncheck"]: text };
    const said = `${id}: ${checked ? "ticked" : "unticked"} "${shorten(text)}"`;
    if (!await board.writes.update({ args, text: said })) input.checked = !checked;
  };
  const tickAll = () =>
    board.writes.update({ args: { id, check: "all" }, text: `${id}: all ticked` });
  const ticked = criteria.filter(({ checked }) => checked).length;
  const isFinished = board.cards.get(id)?.finished === true;
  return (
    <section>
      <h3>
        Acceptance criteria <Count of={`${ticked} of ${criteria.length}`} />{" "}
        {isFinished && ticked < criteria.length && <Small text="Tick all" onClick={tickAll} />}
      </h3>
      <ul class="criteria">
        {criteria.map(({ text, checked }, at) => {
          const box = (
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
          );
          return (
            <li key={text}>
              {notEditable ? box : (
                <Editable
                  board={board}
                  draft={`${id}/criterion ${text}`}
                  label={`criterion ${at + 1}`}
                  value={text}
                  save={(after) => change({ reword: { [at + 1]: after } }, "reworded", text)}
                  remove={() => change({ remove: [at + 1] }, "removed", text)}
                >
                  {box}
                </Editable>
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
