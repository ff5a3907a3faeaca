/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * The properties of an entity, each edited in place.
 *
 * @module
 */

import type { ComponentChildren } from "preact";
import { TextField } from "./editable.tsx";
import { type Field, valueIn } from "./edits.ts";
import type { PartProps } from "./entity_parts.ts";
import { isTask, namesOf } from "./model.ts";
import { Ref } from "./parts.tsx";

/** The properties with a list of values, by type; a milestone's name is chosen, too. */
const CHOSEN: Readonly<Record<string, readonly string[]>> = {
  work: ["priority", "milestone", "complexity"],
  bug: ["severity", "milestone"],
};

/** The properties with a text, and where its suggestions come from. */
const TEXTS = { assignee: "assignee", tags: "tag" } as const;

/** Shown elsewhere, or by their own control. */
const OWN = ["id", "name", "status", "priority", "severity", "complexity", "milestone"];

export function Properties({ board, entity, type, edit }: PartProps & { type: string }) {
  const { id, attributes = {}, status = "", path } = entity;
  const work = isTask({ type });
  const attribute = (name: string): Field => ({ kind: "attribute", name });
  const texts = Object.entries(TEXTS)
    .filter(([name]) => name === "assignee" ? work : type !== "milestone");
  const others = Object.entries(attributes)
    .filter(([name]) => !OWN.includes(name) && !Object.hasOwn(TEXTS, name));
  const { editor } = board.host;
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
      {texts.map(([name, source]) => (
        <Row key={name} name={name}>
          <TextField
            board={board}
            draft={`${id}/${name}`}
            label={name}
            placeholder="none"
            value={valueIn(entity, attribute(name))}
            suggestions={namesOf(board.cards, source)}
            save={edit(attribute(name))}
          />
        </Row>
      ))}
      {others.map(([name, value]) => (
        <Row key={name} name={name}>
          {/* Ids of entities open them. */}
          {value.split(/([\w.-]+)/).map((part) =>
            board.cards.has(part) ? <Ref key={part} board={board} id={part} /> : part
          )}
        </Row>
      ))}
      {work && <DependsOn board={board} entity={entity} edit={edit} />}
      {path && (
        <Row name="file">
          <span class="id">{path}</span>{" "}
          <button class="small" onClick={() => board.copy(path, "The path")}>Copy path</button>{" "}
          <button class="small" onClick={() => board.copy(id, id)}>Copy ID</button>{" "}
          {editor && (
            <button
              class="small"
              onClick={() => board.host.visit(editor + encodeURI(path))}
            >
              Open in editor
            </button>
          )}
        </Row>
      )}
    </dl>
  );
}

function Row({ name, children }: { name: string; children?: ComponentChildren }) {
  return (
    <div class="fact">
      <dt class="soft">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Choice({ name, value, values, save }: {
  name: string;
  value: string;
  values: readonly string[];
  save(before: string, after: string): Promise<boolean>;
}) {
  return (
    <Row name={name}>
      <select
        id={name}
        aria-label={name}
        value={value}
        onChange={async ({ currentTarget }) => {
          const chosen = currentTarget.value;
          // It may show a newer value by now.
          if (!await save(value, chosen) && currentTarget.value === chosen) {
            currentTarget.value = value;
          }
        }}
      >
        {[...new Set([...values, value])].map((one) => (
          <option key={one} value={one}>{one || "none"}</option>
        ))}
      </select>
    </Row>
  );
}

/** The dependencies, as items of their section. */
function DependsOn({ board, entity, edit }: PartProps) {
  const { id, dependencies = [] } = entity;
  const field: Field = { kind: "section", name: "Dependencies" };
  const text = valueIn(entity, field);
  const lineOf = (id: string) =>
    text.split("\n").find((line) => line.includes(`"${id}"`) || line.trim() === `- ${id}`);
  return (
    <Row name="depends on">
      {dependencies.map(({ id, status }) => {
        const line = lineOf(id);
        const without = text.split("\n").filter((one) => one !== line).join("\n");
        return (
          <span class="dependency row" key={id}>
            <Ref board={board} id={id} /> <span class="soft">{status}</span>
            {line !== undefined && (
              <button
                class="plain small"
                aria-label={`Remove dependency ${id}`}
                onClick={() => edit(field)(text, without.trim())}
              >
                ×
              </button>
            )}
          </span>
        );
      })}
      <TextField
        board={board}
        draft={`${id}/depends on`}
        label="depends on"
        placeholder="Add an ID"
        value=""
        suggestions={[...board.cards.values()].flatMap(({ id, finished }) => finished ? [] : id)}
        save={(_, other) =>
          board.edit({ id, field, before: text, after: "", more: { dependsOn: [other] } })}
      />
    </Row>
  );
}
