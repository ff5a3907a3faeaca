/// <reference lib="dom" />
/**
 * The acceptance criteria: ticked, added, changed, sorted and removed.
 *
 * @module
 */

import { h } from "preact";
import type { Board } from "./board_state.ts";
import { joinCriteria, splitCriteria, textOfBlock, withText } from "./criteria.ts";
import { TextField } from "./editable.tsx";
import { type Entity, sectionIn, shorten, textChange } from "./edits.ts";
import { Count } from "./parts.tsx";
import { Line } from "./text.tsx";

const HEADING = "Acceptance Criteria";

export function Criteria({ board, entity }: { board: Board; entity: Entity }) {
  const { id, criteria = [], sections = {}, notEditable } = entity;
  if (criteria.length === 0 && board.cards.get(id)?.type !== "work") return null;
  const name = Object.keys(sections).find((one) => one.toLowerCase() === HEADING.toLowerCase()) ??
    HEADING;
  const text = sectionIn(entity, name);
  const { head, blocks } = splitCriteria(text);
  // Criteria elsewhere, or in nested lists, can be ticked only.
  const isEditable = blocks.length === criteria.length && !notEditable?.sections.includes(name);
  const save = (blocks: readonly string[]) =>
    board.writes.update(textChange(id, name, text, joinCriteria({ head, blocks })));
  const change = (criteria: Record<string, unknown>, about: string) => {
    const args = { id, criteria, if: { sections: { [name]: text } } };
    const verb = "add" in criteria ? "added" : "removed";
    return board.writes.update({ args, text: `${id}: ${verb} "${shorten(about)}"` });
  };
  const tick = async (text: string, input: HTMLInputElement) => {
    const { checked } = input;
    // Ticking a ticked criterion is not a conflict.
    const change = { args: { id, [checked ? "check" : "uncheck"]: text } };
    const said = `${id}: ${checked ? "ticked" : "unticked"} "${shorten(text)}"`;
    if (!await board.writes.update({ ...change, text: said })) input.checked = !checked;
  };
  const move = (from: number, to: number) =>
    save(blocks.toSpliced(from, 1).toSpliced(to, 0, blocks[from]!));
  const draftOf = (text: string) => `${id}/criterion ${text}`;
  const tools = [
    ["Move up", "↑", (at: number) => move(at, at - 1)],
    ["Move down", "↓", (at: number) => move(at, at + 1)],
    ["Change", "✎", (at: number) => board.edit(draftOf(criteria[at]!.text))],
    ["Remove", "×", (at: number) => change({ remove: [at + 1] }, criteria[at]!.text)],
  ] as const;
  return (
    <section>
      <h3>
        Acceptance criteria{" "}
        <Count of={`${criteria.filter(({ checked }) => checked).length} of ${criteria.length}`} />
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
                  value={textOfBlock(blocks[at] ?? "")}
                  save={(after) => save(blocks.with(at, withText(blocks[at]!, after)))}
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
                {isEditable && (
                  <span class="tools">
                    {tools.map(([name, sign, run]) => (
                      <button
                        class="plain small"
                        aria-label={`${name} ${at + 1}`}
                        title={name}
                        disabled={name === "Move up" && at === 0 ||
                          name === "Move down" && at === blocks.length - 1}
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
      {isEditable && (
        <TextField
          board={board}
          draft={`${id}/new criterion`}
          label="Add criterion"
          placeholder="Add criterion"
          value=""
          save={(after) => change({ add: [after] }, after)}
        />
      )}
    </section>
  );
}
