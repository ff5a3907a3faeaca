/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * One entity: title, attributes, criteria, text, dependencies, history; edited in place.
 *
 * @module
 */

import { useEffect, useRef, useState } from "preact/hooks";
import type { Board } from "./board_state.ts";
import { type Entity, type Field, valueIn } from "./edits.ts";
import { History } from "./entity_history.tsx";
import { reasonOf } from "./host.ts";
import { chainOf, namesOf } from "./model.ts";
import { Notices, Ref, WithRefs } from "./parts.tsx";
import { Editable } from "./sheet.tsx";
import { Line, sectionsIn, Text, type TextTree } from "./text.tsx";

interface Named {
  id: string;
  title?: string;
  status?: string;
}

interface Opened extends Entity {
  dependencies?: Named[];
  dependents?: Named[];
  references?: Named[];
  mentionedBy?: Named[];
  implementedBy?: Named[];
  byStatus?: { key: string; count: number }[];
}

/** The lists of other entities, and what they are called. */
const LISTS = [
  ["dependencies", "Depends on"],
  ["dependents", "Needed by"],
  ["implementedBy", "Implemented by"],
  ["references", "Refers to"],
  ["mentionedBy", "Mentioned by"],
] as const;

const FIELDS = [
  ...["title", "status", "attributes", "criteria", "sections", "byStatus"],
  ...LISTS.map(([name]) => name),
];

/** The section that the criteria stand in; they have a list of their own. */
const CRITERIA = "acceptance criteria";

/** An entity. It is read again whenever the plan changes. */
export function EntityPanel({ board, id }: { board: Board; id: string }) {
  const [read, setRead] = useState<{ entity: Opened; text: readonly TextTree[] }>();
  const [error, setError] = useState("");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    let current = true;
    Promise.all([
      board.host.call<Opened>("get", { id, fields: FIELDS }),
      board.ask<{ text: TextTree[] }>(id),
    ]).then(([entity, { text }]) => {
      if (current) setRead({ entity, text });
    }, (reason) => setError(reasonOf(reason)));
    return () => {
      current = false;
    };
  }, [id, board.stamp]);
  useEffect(() => heading.current?.focus(), [id]);
  const before = board.opened.at(-2);
  const type = board.cards.get(id)?.type ?? "";
  const edit = (field: Field) => (before: string, after: string) =>
    board.edit({ id, field, before, after });
  const entity = read?.entity;
  return (
    <>
      <div class="head">
        <h2 id="entity-title" ref={heading} tabIndex={-1} data-type={type}>
          <span class="id">{type} {id}</span>
          {entity === undefined
            ? board.cards.get(id)?.title
            : (
              <Editable label="title" value={entity.title ?? ""} save={edit({ kind: "title" })}>
                {entity.title}
              </Editable>
            )}
        </h2>
        <div class="buttons">
          {before !== undefined && <button onClick={() => board.back()}>Back to {before}</button>}
          <button onClick={() => board.close()}>Close</button>
        </div>
      </div>
      <Notices board={board} id="entity-message" />
      {error !== "" && <p class="blocked">{error}</p>}
      {read !== undefined && (
        <>
          <Facts board={board} entity={read.entity} type={type} edit={edit} />
          <Chain board={board} id={id} />
          {board.cards.get(id)?.elsewhere?.map((state) => (
            <p class="elsewhere" key={state}>{state}</p>
          ))}
          <Criteria board={board} entity={read.entity} />
          <Sections board={board} entity={read.entity} text={read.text} edit={edit} />
          {(read.entity.byStatus ?? []).length > 0 && (
            <section>
              <h3>Its entities</h3>
              <p>{read.entity.byStatus!.map(({ key, count }) => `${count} ${key}`).join(" · ")}</p>
            </section>
          )}
          {LISTS.map(([name, title]) => (
            <Links key={name} board={board} title={title} entities={read.entity[name]} />
          ))}
          <History board={board} id={id} />
        </>
      )}
    </>
  );
}

interface EditingProps {
  board: Board;
  entity: Opened;
  edit(field: Field): (before: string, after: string) => Promise<boolean>;
}

function Facts({ board, entity, type, edit }: EditingProps & { type: string }) {
  const { status = "", attributes = {} } = entity;
  const known = board.statuses[type] ?? [];
  const assignee: Field = { kind: "attribute", name: "assignee" };
  const others = Object.entries(attributes)
    .filter(([name]) => !["id", "name", "status", "assignee"].includes(name));
  const select = useRef<HTMLSelectElement>(null);
  return (
    <div class="facts">
      <label>
        Status{" "}
        <select
          id="status"
          ref={select}
          value={status}
          onChange={async ({ currentTarget: { value } }) => {
            const field: Field = { kind: "attribute", name: "status" };
            if (!await edit(field)(status, value)) select.current!.value = status;
          }}
        >
          {[...new Set([...known, status])].map((one) => (
            <option key={one} value={one}>{one}</option>
          ))}
        </select>
      </label>
      {type !== "milestone" && (
        <span class="fact">
          <span>assignee</span>{" "}
          <Editable
            label="assignee"
            value={valueIn(entity, assignee)}
            suggestions={namesOf(board.cards, "assignee")}
            save={edit(assignee)}
          >
            {attributes["assignee"] ? `@${attributes["assignee"]}` : "nobody"}
          </Editable>
        </span>
      )}
      {others.map(([name, value]) => (
        <span class="fact" key={name}>
          <span>{name}</span> <WithRefs board={board} text={value} />
        </span>
      ))}
    </div>
  );
}

/** What an entity waits for, and what that waits for. */
function Chain({ board, id }: { board: Board; id: string }) {
  const ids = chainOf(board.cards, id);
  if (ids.length === 0) return null;
  return (
    <p class="blocked">
      Waits for {ids.map((other, at) => (
        <span key={other}>
          {at > 0 && " › "}
          <Ref board={board} id={other} />
        </span>
      ))}
    </p>
  );
}

function Criteria({ board, entity: { id, criteria = [] } }: { board: Board; entity: Opened }) {
  if (criteria.length === 0) return null;
  const tick = async (input: HTMLInputElement, text: string) => {
    const after = input.checked ? "x" : "";
    const before = input.checked ? "" : "x";
    const field: Field = { kind: "criterion", name: text };
    if (!await board.edit({ id, field, before, after })) input.checked = before === "x";
  };
  return (
    <section>
      <h3>
        Acceptance criteria{" "}
        <span class="count">
          {criteria.filter(({ checked }) => checked).length} of {criteria.length}
        </span>
      </h3>
      <ul class="criteria">
        {criteria.map(({ text, checked }) => (
          <li key={text}>
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
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The text, section by section. */
function Sections({ board, entity, text, edit }: EditingProps & { text: readonly TextTree[] }) {
  const shown = new Map(sectionsIn(text).map(({ heading, tree }) => [heading, tree]));
  const { sections = {}, criteria = [], notEditable } = entity;
  const isBare = (heading: string) => (shown.get(heading) ?? []).length === 0;
  // What has only references or criteria is shown in lists of its own.
  const headings = [...new Set([...shown.keys(), ...Object.keys(sections)])]
    .filter((heading) => criteria.length === 0 || heading.toLowerCase() !== CRITERIA)
    .sort((a, b) => Number(isBare(a)) - Number(isBare(b)));
  return (
    <div class="prose">
      {notEditable && <p class="blocked">{notEditable.reason}: sections cannot be edited here.</p>}
      {headings.map((heading) => {
        const content = <Text board={board} tree={shown.get(heading) ?? []} />;
        const title = heading === "description" ? "Description" : heading;
        const field: Field = { kind: "section", name: heading };
        const isEditable = !notEditable?.sections.includes(heading) &&
          (heading === "description" || Object.hasOwn(sections, heading));
        return (
          <section key={heading} aria-label={title} class={isBare(heading) ? "bare" : ""}>
            <h3 class={heading === "description" ? "quiet" : ""}>{title}</h3>
            {!isEditable
              ? content
              : (
                <Editable label={title} value={valueIn(entity, field)} multiline save={edit(field)}>
                  {content}
                </Editable>
              )}
          </section>
        );
      })}
    </div>
  );
}

interface LinksProps {
  board: Board;
  title: string;
  entities: readonly Named[] | undefined;
}

function Links({ board, title, entities = [] }: LinksProps) {
  if (entities.length === 0) return null;
  return (
    <section>
      <h3>
        {title} <span class="count">{entities.length}</span>
      </h3>
      <ul class="entities">
        {entities.map(({ id, title, status }) => (
          <li key={id}>
            <button disabled={status === "missing"} onClick={() => board.open(id)}>
              <span class="id">{id}</span> {title} <span class="badge">{status ?? "?"}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
