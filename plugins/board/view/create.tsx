/// <reference lib="dom" />
/** The form for a new entity. */

import { h } from "preact";
import type { Board } from "./board_state.ts";
import { Select, Suggestions, titled } from "./controls.tsx";
import { ALL, isTask, namesOf, NONE } from "./model.ts";
import { Panel } from "./panel.tsx";

export function CreateForm({ board }: { board: Board }) {
  const { type: chosen = ALL, milestone: chosenMilestone = ALL } = board.settings;
  const { statuses } = board.plan;
  // What was typed stays until the entity is created or the form is cleared.
  const form = board.form ?? {
    type: chosen in statuses ? chosen : "work",
    milestone: chosenMilestone === ALL || chosenMilestone === NONE ? "" : chosenMilestone,
  };
  const { type = "work", title = "", description = "", criteria = "" } = form;
  const attributes = isTask({ type }) ? ["milestone", "assignee"] : [];
  const set = (name: string, value: string) => board.set({ form: { ...form, [name]: value } });
  const field = (name: string) => ({
    value: form[name] ?? "",
    onInput: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      set(name, value),
  });
  const isReady = title.trim() !== "" && board.writes.running === 0;
  const submit = () => {
    const lines = criteria.split("\n").map((line) => line.trim()).filter(Boolean);
    const entered = attributes.flatMap((name) => form[name] ? [[name, form[name]]] : []);
    void board.writes.add({
      type,
      title: title.trim(),
      // A milestone begins with its name: "v1.2.0 — What it brings".
      id: type === "milestone" ? title.trim().split(/\s/, 1)[0] : undefined,
      attrs: Object.fromEntries(entered),
      sections: description.trim() ? { description: description.trim() } : undefined,
      criteria: type === "work" && lines.length > 0 ? lines : undefined,
    });
  };
  return (
    <Panel board={board} title="New entity">
      <div class="form">
        <label>
          Type
          <Select
            value={type}
            values={Object.keys(statuses).map((status) => [status, status])}
            choose={(value) => set("type", value)}
          />
        </label>
        <label>
          Title
          <input
            {...field("title")}
            id="new-title"
            onKeyDown={({ key }) => key === "Enter" && isReady && submit()}
          />
        </label>
        {attributes.map((name) => (
          <label key={name}>
            {titled(name)}
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
          <button class="primary" disabled={!isReady} onClick={submit}>Create</button>
          {board.form && <button onClick={() => board.set({ form: undefined })}>Clear</button>}
        </div>
      </div>
    </Panel>
  );
}
