/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * The form for a new entity.
 *
 * @module
 */

import { useEffect, useRef, useState } from "preact/hooks";
import type { Board } from "./board_state.ts";
import { ALL, namesOf, NONE } from "./model.ts";
import { Suggestions } from "./editable.tsx";
import { PanelHead } from "./panel.tsx";

export function CreateForm({ board }: { board: Board }) {
  const { type: chosen = ALL, milestone: shown = ALL } = board.settings;
  // What was typed stays until the entity is created or the form is cleared.
  const form = board.form ?? {
    type: Object.hasOwn(board.statuses, chosen) ? chosen : "work",
    milestone: shown === ALL || shown === NONE ? "" : shown,
  };
  const setForm = (values: Board["form"]) => {
    board.form = values;
    board.draw();
  };
  const [busy, setBusy] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current!.focus(), []);
  const { type = "work", title = "", description = "", criteria = "", milestone, assignee } = form;
  const isTask = type === "work" || type === "bug";
  const field = (name: string) => ({
    value: form[name] ?? "",
    onInput: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setForm({ ...form, [name]: value }),
  });
  const submit = async () => {
    setBusy(true);
    const attrs = isTask
      ? Object.fromEntries(Object.entries({ milestone, assignee }).filter(([, value]) => value))
      : {};
    const lines = criteria.split("\n").map((line) => line.trim()).filter(Boolean);
    await board.add({
      type,
      title: title.trim(),
      attrs,
      ...(description.trim() === "" ? {} : { sections: { description: description.trim() } }),
      ...(type === "work" && lines.length > 0 ? { criteria: lines } : {}),
    });
    setBusy(false);
  };
  return (
    <>
      <PanelHead board={board}>
        <h2 id="entity-title">New entity</h2>
      </PanelHead>
      <div class="form">
        <label>
          Type
          <select {...field("type")}>
            {Object.keys(board.statuses).map((one) => <option key={one} value={one}>{one}</option>)}
          </select>
        </label>
        <label>
          Title
          <input
            {...field("title")}
            ref={first}
            onKeyDown={({ key }) => key === "Enter" && title.trim() && void submit()}
          />
        </label>
        {isTask && (["milestone", "assignee"] as const).map((name) => (
          <label key={name}>
            {name[0]!.toUpperCase() + name.slice(1)}
            <input {...field(name)} list={`${name}s`} placeholder="none" />
            <Suggestions id={`${name}s`} values={namesOf(board.cards, name)} />
          </label>
        ))}
        <label>
          Description
          <textarea {...field("description")} rows={5} />
        </label>
        {type === "work" && (
          <label>
            Acceptance criteria, one per line
            <textarea {...field("criteria")} rows={4} />
          </label>
        )}
        <div class="buttons row">
          <button class="primary" disabled={busy || !title.trim()} onClick={() => void submit()}>
            Create
          </button>
          {board.form !== undefined && <button onClick={() => setForm(undefined)}>Clear</button>}
        </div>
      </div>
    </>
  );
}
