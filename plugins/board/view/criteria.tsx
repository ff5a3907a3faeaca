/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * The acceptance criteria: ticked, added, changed, sorted and removed.
 *
 * @module
 */

import { useState } from "preact/hooks";
import { joinCriteria, splitCriteria, textOfBlock, withText } from "./criteria.ts";
import { TextField } from "./editable.tsx";
import { type Field, valueIn } from "./edits.ts";
import type { PartProps } from "./entity_parts.ts";
import { Line } from "./text.tsx";

const HEADING = "Acceptance Criteria";

export function Criteria({ board, entity, edit, type }: PartProps & { type: string }) {
  const { id, criteria = [], sections = {}, notEditable } = entity;
  const [changed, setChanged] = useState<number>();
  const name = Object.keys(sections).find((one) => one.toLowerCase() === HEADING.toLowerCase()) ??
    HEADING;
  if (criteria.length === 0 && type !== "work") return null;
  const field: Field = { kind: "section", name };
  const text = valueIn(entity, field);
  const { head, blocks } = splitCriteria(text);
  // Criteria elsewhere, or in nested lists, can be ticked only.
  const isEditable = blocks.length === criteria.length && !notEditable?.sections.includes(name);
  const save = (blocks: readonly string[]) => edit(field)(text, joinCriteria({ head, blocks }));
  const tick = async (input: HTMLInputElement, name: string) => {
    const values = ["", "x"];
    const [before, after] = input.checked ? values : values.reverse();
    if (!await edit({ kind: "criterion", name })(before!, after!)) input.checked = before === "x";
  };
  const move = (from: number, to: number) => {
    const others = blocks.toSpliced(from, 1);
    void save(others.toSpliced(to, 0, blocks[from]!));
  };
  const tools = [
    ["Move up", "↑", (at: number) => move(at, at - 1)],
    ["Move down", "↓", (at: number) => move(at, at + 1)],
    ["Change", "✎", setChanged],
    ["Remove", "×", (at: number) => void save(blocks.toSpliced(at, 1))],
  ] as const;
  const ticked = criteria.filter(({ checked }) => checked).length;
  return (
    <section>
      <h3>
        Acceptance criteria <span class="count">{ticked} of {criteria.length}</span>
      </h3>
      <ul class="criteria">
        {criteria.map(({ text, checked }, at) => (
          <li key={text}>
            {changed === at
              ? (
                <TextField
                  board={board}
                  draft={`${id}/criterion ${text}`}
                  label="Criterion"
                  value={textOfBlock(blocks[at] ?? "")}
                  close={() => setChanged(undefined)}
                  save={(_, after) => save(blocks.with(at, withText(blocks[at]!, after)))}
                />
              )
              : (
                <label>
                  <input
                    type="checkbox"
                    checked={checked}
                    onChange={({ currentTarget }) => tick(currentTarget, text)}
                  />
                  <span>
                    <Line text={text} />
                  </span>
                </label>
              )}
            {isEditable && changed !== at && (
              <span class="tools">
                {tools.map(([name, sign, run]) =>
                  !(name === "Move up" && at === 0) &&
                  !(name === "Move down" && at === blocks.length - 1) && (
                    <button
                      class="plain small"
                      aria-label={`${name} ${at + 1}`}
                      title={name}
                      onClick={() => run(at)}
                    >
                      {sign}
                    </button>
                  )
                )}
              </span>
            )}
          </li>
        ))}
      </ul>
      {isEditable && (
        <TextField
          board={board}
          draft={`${id}/new criterion`}
          label="Add criterion"
          placeholder="Add criterion"
          value=""
          save={(_, after) => save([...blocks, withText("", after)])}
        />
      )}
    </section>
  );
}
