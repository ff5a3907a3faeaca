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
import { Notices } from "./parts.tsx";
import { Suggestions } from "./sheet.tsx";

/** Creates an entity with `plan.create`, and opens it. */
export function CreateForm({ board }: { board: Board }) {
  const { type: chosen = ALL, milestone: shown = ALL } = board.settings;
  const types = Object.keys(board.statuses);
  const [form, setForm] = useState<Record<string, string>>({
    type: chosen === ALL ? "work" : chosen,
    milestone: shown === ALL || shown === NONE ? "" : shown,
  });
  const [busy, setBusy] = useState(false);
  const title = useRef<HTMLInputElement>(null);
  useEffect(() => title.current!.focus(), []);
  const isTask = form["type"] === "work" || form["type"] === "bug";
  const field = (name: string, more: Record<string, unknown> = {}) => ({
    name,
    value: form[name] ?? "",
    onInput: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setForm({ ...form, [name]: value }),
    ...more,
  });
  const submit = async () => {
    setBusy(true);
    const { type, title = "", description = "", criteria = "", milestone, assignee } = form;
    const attrs = Object.fromEntries(
      Object.entries({ milestone, assignee }).filter(([, value]) => isTask && value),
    );
    const lines = criteria.split("\n").map((line) => line.trim()).filter(Boolean);
    let id = "";
    const created = await board.write(async () => {
      ({ id } = await board.host.call<{ id: string }>("create", {
        type,
        title: title.trim(),
        ...(Object.keys(attrs).length === 0 ? {} : { attrs }),
        ...(description.trim() === "" ? {} : { sections: { description: description.trim() } }),
        ...(type === "work" && lines.length > 0 ? { criteria: lines } : {}),
      }));
    });
    setBusy(false);
    if (!created) return;
    board.open(id);
    board.say(`${id} was created.`);
  };
  return (
    <>
      <div class="head">
        <h2 id="entity-title">New entity</h2>
        <div class="buttons">
          <button onClick={() => board.close()}>Close</button>
        </div>
      </div>
      <Notices board={board} id="entity-message" />
      <div class="form editor-like">
        <label>
          Type
          <select {...field("type")}>
            {types.map((type) => <option key={type} value={type}>{type}</option>)}
          </select>
        </label>
        <label>
          Title
          <input
            {...field("title")}
            ref={title}
            onKeyDown={({ key }) => key === "Enter" && form["title"]?.trim() && void submit()}
          />
        </label>
        {isTask && (
          <>
            <label>
              Milestone
              <input {...field("milestone", { list: "milestones" })} placeholder="none" />
            </label>
            <label>
              Assignee
              <input {...field("assignee", { list: "assignees" })} placeholder="nobody" />
            </label>
          </>
        )}
        <label>
          Description
          <textarea {...field("description")} rows={5} />
        </label>
        {form["type"] === "work" && (
          <label>
            Acceptance criteria, one a line
            <textarea {...field("criteria")} rows={4} />
          </label>
        )}
        <Suggestions id="milestones" values={namesOf(board.cards, "milestone")} />
        <Suggestions id="assignees" values={namesOf(board.cards, "assignee")} />
        <div class="buttons">
          <button
            class="primary"
            disabled={busy || !form["title"]?.trim()}
            onClick={() => void submit()}
          >
            Create
          </button>
        </div>
      </div>
    </>
  );
}
