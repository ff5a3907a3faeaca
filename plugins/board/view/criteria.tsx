/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * The acceptance criteria: ticked, added, changed, sorted and removed.
 *
 * @module
 */

import { useState } from "preact/hooks";
import { joinCriteria, splitCriteria, textOfBlock, withText } from "./criteria.ts";
import { type Field, valueIn } from "./edits.ts";
import type { PartProps } from "./entity_parts.ts";
import { Line } from "./text.tsx";

const HEADING = "Acceptance Criteria";

export function Criteria({ board, entity, edit, type }: PartProps & { type: string }) {
  const { id, criteria = [], sections = {}, notEditable } = entity;
  const [changed, setChanged] = useState<number>();
  const [dragged, setDragged] = useState<number>();
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
    if (to < 0 || to >= blocks.length || from === to) return;
    const others = blocks.toSpliced(from, 1);
    void save(others.toSpliced(to, 0, blocks[from]!));
  };
  const ticked = criteria.filter(({ checked }) => checked).length;
  return (
    <section>
      <h3>
        Acceptance criteria <span class="count">{ticked} of {criteria.length}</span>
      </h3>
      <ul class="criteria">
        {criteria.map(({ text, checked }, at) => (
          <li
            key={text}
            draggable={isEditable && changed === undefined}
            onDragStart={() => setDragged(at)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => {
              event.preventDefault();
              if (dragged !== undefined) move(dragged, at);
            }}
          >
            {changed === at
              ? (
                <Entry
                  board={board}
                  draft={`${id}/criterion ${text}`}
                  label="Criterion"
                  value={textOfBlock(blocks[at] ?? "")}
                  close={() => setChanged(undefined)}
                  save={(after) => save(blocks.with(at, withText(blocks[at]!, after)))}
                />
              )
              : (
                <>
                  <label>
                    <input
                      type="checkbox"
                      checked={checked}
                      onChange={({ currentTarget }) => void tick(currentTarget, text)}
                    />
                    <span>
                      <Line text={text} />
                    </span>
                  </label>
                  {isEditable && (
                    <span class="tools">
                      {at > 0 && (
                        <Tool
                          name="Move up"
                          at={at}
                          sign="↑"
                          run={() => move(at, at - 1)}
                        />
                      )}
                      {at < blocks.length - 1 && (
                        <Tool
                          name="Move down"
                          at={at}
                          sign="↓"
                          run={() => move(at, at + 1)}
                        />
                      )}
                      <Tool name="Change" at={at} sign="✎" run={() => setChanged(at)} />
                      <Tool
                        name="Remove"
                        at={at}
                        sign="×"
                        run={() => void save(blocks.toSpliced(at, 1))}
                      />
                    </span>
                  )}
                </>
              )}
          </li>
        ))}
      </ul>
      {isEditable && (
        <Entry
          board={board}
          draft={`${id}/new criterion`}
          label="Add criterion"
          value=""
          save={(after) => save([...blocks, withText("", after)])}
        />
      )}
    </section>
  );
}

function Tool({ name, at, sign, run }: {
  name: string;
  at: number;
  sign: string;
  run: () => void;
}) {
  return (
    <button class="plain small" aria-label={`${name} ${at + 1}`} title={name} onClick={run}>
      {sign}
    </button>
  );
}

/** A line of text: Enter saves it, Escape keeps it as a draft. */
function Entry({ board, draft, label, value, save, close }: Pick<PartProps, "board"> & {
  draft: string;
  label: string;
  value: string;
  save(after: string): Promise<boolean>;
  close?: () => void;
}) {
  const text = board.drafts.get(draft)?.text ?? value;
  const set = (text: string) => {
    if (text === value) board.drafts.delete(draft);
    else board.drafts.set(draft, { before: value, text });
    board.draw();
  };
  const submit = async () => {
    if (text.trim() === "" || !await save(text.trim())) return;
    set(value);
    close?.();
  };
  return (
    <div class="entry row">
      <input
        aria-label={label}
        placeholder={label}
        autofocus={close !== undefined}
        value={text}
        onInput={({ currentTarget }) => set(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") void submit();
          if (event.key !== "Escape" || close === undefined) return;
          event.preventDefault();
          close();
        }}
      />
      {text !== value && (
        <>
          <button class="small primary" onClick={() => void submit()}>Save</button>
          <button
            class="small"
            onClick={() => {
              set(value);
              close?.();
            }}
          >
            Discard
          </button>
        </>
      )}
    </div>
  );
}
