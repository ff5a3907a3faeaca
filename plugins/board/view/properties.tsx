/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * The properties of an entity, each edited in place.
 *
 * @module
 */

import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import type { Board } from "./board_state.ts";
import { Suggestions } from "./editable.tsx";
import { type Field, valueIn } from "./edits.ts";
import type { PartProps } from "./entity_parts.ts";
import { namesOf } from "./model.ts";
import { Ref } from "./parts.tsx";

/** The properties with a list of values, by type; a milestone's name is chosen, too. */
const CHOSEN: Readonly<Record<string, readonly string[]>> = {
  work: ["priority", "milestone", "complexity"],
  bug: ["severity", "milestone"],
};

/** Shown elsewhere, or by their own control. */
const OWN = [
  "id",
  "name",
  "status",
  "assignee",
  "tags",
  "priority",
  "severity",
  "complexity",
  "milestone",
];

/** The section with the dependencies. */
const DEPENDENCIES = "Dependencies";

export function Properties({ board, entity, type, edit }: PartProps & { type: string }) {
  const { id, attributes = {}, status = "" } = entity;
  const isTask = type === "work" || type === "bug";
  const attribute = (name: string): Field => ({ kind: "attribute", name });
  const others = Object.entries(attributes).filter(([name]) => !OWN.includes(name));
  return (
    <dl class="properties">
      <Choice
        name="status"
        value={status}
        values={board.statuses[type] ?? []}
        save={(_, after) => board.move(id, after)}
      />
      {(CHOSEN[type] ?? []).map((name) => (
        <Choice
          key={name}
          name={name}
          value={attributes[name] ?? ""}
          values={[
            "",
            ...name === "milestone" ? namesOf(board.cards, "milestone") : board.values[name] ?? [],
          ]}
          save={edit(attribute(name))}
        />
      ))}
      {isTask && (
        <Words
          board={board}
          draft={`${id}/assignee`}
          name="assignee"
          value={valueIn(entity, attribute("assignee"))}
          values={namesOf(board.cards, "assignee")}
          save={edit(attribute("assignee"))}
        />
      )}
      {type !== "milestone" && (
        <Words
          board={board}
          draft={`${id}/tags`}
          name="tags"
          value={valueIn(entity, attribute("tags"))}
          values={namesOf(board.cards, "tag")}
          save={edit(attribute("tags"))}
        />
      )}
      {others.map(([name, value]) => (
        <Row key={name} name={name}>
          {/* Ids of entities open them. */}
          {value.split(/([\w.-]+)/).map((part, at) =>
            board.cards.has(part) ? <Ref key={at} board={board} id={part} /> : part
          )}
        </Row>
      ))}
      {isTask && <DependsOn board={board} entity={entity} edit={edit} />}
      {entity.path && (
        <Row name="file">
          <span class="id">{entity.path}</span>{" "}
          <button class="small" onClick={() => void board.copy(entity.path!, "The path")}>
            Copy path
          </button>{" "}
          <button class="small" onClick={() => void board.copy(id, id)}>Copy ID</button>
        </Row>
      )}
    </dl>
  );
}

function Row({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div class="fact">
      <dt class="soft">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface PropertyProps {
  readonly name: string;
  readonly value: string;
  readonly values: readonly string[];
  save(before: string, after: string): Promise<boolean>;
}

function Choice({ name, value, values, save }: PropertyProps) {
  return (
    <Row name={name}>
      <select
        id={name === "status" ? name : undefined}
        aria-label={name}
        value={value}
        onChange={async ({ currentTarget }) => {
          if (!await save(value, currentTarget.value)) currentTarget.value = value;
        }}
      >
        {[...new Set([...values, value])].map((one) => (
          <option key={one} value={one}>{one || "none"}</option>
        ))}
      </select>
    </Row>
  );
}

/** A text with suggestions; Enter saves it, Escape keeps it as a draft. */
function Words({ board, draft, name, value, values, save }: PropertyProps & {
  board: Board;
  draft: string;
}) {
  const kept = board.drafts.get(draft);
  const set = (text: string) => {
    if (text === value) board.drafts.delete(draft);
    else board.drafts.set(draft, { before: kept?.before ?? value, text });
    board.draw();
  };
  const submit = async () => {
    const current = board.drafts.get(draft);
    if (current === undefined) return;
    if (await save(current.before, current.text.trim())) set(value);
    board.drafts.delete(draft);
    board.draw();
  };
  const list = `values-of-${name}`;
  return (
    <Row name={name}>
      <input
        aria-label={name}
        placeholder="none"
        list={list}
        value={kept?.text ?? value}
        onInput={({ currentTarget }) => set(currentTarget.value)}
        onKeyDown={({ key }) => key === "Enter" && void submit()}
      />
      <Suggestions id={list} values={values} />
      {kept && (
        <span class="row">
          <button class="small primary" aria-label={`Save ${name}`} onClick={() => void submit()}>
            Save
          </button>
          <button class="small" aria-label={`Discard ${name}`} onClick={() => set(value)}>
            Discard
          </button>
        </span>
      )}
    </Row>
  );
}

/** The dependencies, as items of their section. */
function DependsOn({ board, entity, edit }: PartProps) {
  const { dependencies = [], sections = {} } = entity;
  const field: Field = { kind: "section", name: DEPENDENCIES };
  const text = valueIn(entity, field);
  const [name, setName] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const known = Object.hasOwn(sections, DEPENDENCIES);
  const add = async () => {
    const id = name.trim();
    const more = { dependsOn: [id] };
    const isSaved = await board.edit({
      id: entity.id,
      field: { kind: "attribute", name: "status" },
      before: entity.status ?? "",
      after: entity.status ?? "",
      more,
    });
    if (isSaved) setName("");
    input.current?.focus();
  };
  const lineOf = (id: string) =>
    text.split("\n").find((line) => line.includes(`"${id}"`) || line.trim() === `- ${id}`);
  return (
    <Row name="depends on">
      {dependencies.map(({ id, status }) => {
        const line = known ? lineOf(id) : undefined;
        const without = text.split("\n").filter((one) => one !== line).join("\n");
        return (
          <span class="dependency" key={id}>
            <Ref board={board} id={id} /> <span class="soft">{status}</span>
            {line !== undefined && (
              <button
                class="plain small"
                aria-label={`Remove dependency ${id}`}
                onClick={() => void edit(field)(text, without.trim())}
              >
                ×
              </button>
            )}
          </span>
        );
      })}
      <input
        ref={input}
        aria-label="depends on"
        placeholder="Add an ID"
        list="values-of-ids"
        value={name}
        onInput={({ currentTarget }) => setName(currentTarget.value)}
        onKeyDown={({ key }) => key === "Enter" && name.trim() !== "" && void add()}
      />
      <Suggestions
        id="values-of-ids"
        values={[...board.cards.values()].filter(({ finished }) => !finished).map(({ id }) => id)}
      />
    </Row>
  );
}
