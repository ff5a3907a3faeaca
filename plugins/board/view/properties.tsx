/// <reference lib="dom" />
/** The properties of an entity, each edited in place. */

import { type ComponentChildren, h } from "preact";
import type { Board } from "./board_state.ts";
import { Select, Small } from "./controls.tsx";
import { TextField } from "./editable.tsx";
import { attributeChange, type Entity } from "./edits.ts";
import { Open } from "./entities.tsx";
import { namesOf } from "./model.ts";

/** The properties with a list of values, by type. */
const CHOSEN: Readonly<Record<string, readonly string[]>> = {
  work: ["status", "priority", "milestone", "complexity"],
  bug: ["status", "severity", "milestone"],
};

/** The properties with a text, by type. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  work: ["assignee", "tags"],
  bug: ["assignee", "tags"],
  milestone: [],
};

/** Shown elsewhere. */
const HIDDEN = ["id", "name"];

/** The values that a property of a type can have: the plugin's, or those of other entities. */
function suggestionsFor({ plan, cards }: Board, type: string, name: string): string[] {
  if (name === "status") return [...plan.statuses[type] ?? []];
  if (name === "assignee" || name === "milestone") return namesOf(cards, name);
  if (name === "tags") return namesOf(cards, "tag");
  return CHOSEN[type]?.includes(name) ? [...plan.values[name] ?? []] : [];
}

export function Properties({ board, entity }: { board: Board; entity: Entity }) {
  const { id, attributes = {}, status = "", path } = entity;
  const { host, writes } = board;
  const edit = () => host.visit(host.editor + encodeURI(path!));
  const { type = "" } = board.cards.get(id) ?? {};
  const chosen = CHOSEN[type] ?? ["status"];
  const texts = TEXTS[type] ?? ["tags"];
  const listed = [...chosen, ...texts, ...HIDDEN];
  const others = Object.entries(attributes).filter(([name]) => !listed.includes(name));
  const save = (name: string) => (after: string, before: string) =>
    writes.update(attributeChange(id, { [name]: before }, { [name]: after }));
  return (
    <dl class="properties">
      {chosen.map((name) => {
        const value = name === "status" ? status : attributes[name] ?? "";
        const none = name === "status" ? [] : [""];
        const values = [...new Set([...none, ...suggestionsFor(board, type, name), value])];
        return (
          <PropertyRow key={name} name={name}>
            <Select
              id={name}
              aria-label={name}
              value={value}
              values={values.map((option) => [option, option || "none"])}
              choose={async (after, control) => {
                const isSaved = name === "status"
                  ? writes.move(id, after)
                  : save(name)(after, value);
                // It may show a newer value by now.
                if (!await isSaved && control.value === after) control.value = value;
              }}
            />
          </PropertyRow>
        );
      })}
      {texts.map((name) => (
        <PropertyRow key={name} name={name}>
          <TextField
            board={board}
            draft={`${id}/${name}`}
            label={name}
            placeholder="none"
            value={attributes[name] ?? ""}
            suggestions={suggestionsFor(board, type, name)}
            save={save(name)}
          />
        </PropertyRow>
      ))}
      {others.map(([name, value]) => (
        <PropertyRow key={name} name={name}>
          {/* Ids of entities open them. */}
          {value.split(/([\w.-]+)/).map((part) =>
            board.cards.has(part) ? <Open key={part} board={board} id={part} /> : part
          )}
        </PropertyRow>
      ))}
      {path && (
        <PropertyRow name="file">
          <div class="id">{path}</div>
          <Small text="Copy path" onClick={() => board.copy(path, "The path")} />{" "}
          <Small text="Copy ID" onClick={() => board.copy(id, id)} />{" "}
          {host.editor && <Small text="Open in editor" onClick={edit} />}
        </PropertyRow>
      )}
    </dl>
  );
}

function PropertyRow({ name, children }: { name: string; children?: ComponentChildren }) {
  return (
    <div class="fact">
      <dt class="soft">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
