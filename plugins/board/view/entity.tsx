/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * One entity: title, attributes, criteria, text, dependencies, history; edited in place.
 *
 * @module
 */

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Board } from "./board_state.ts";
import { type Entity, type Field, valueIn } from "./edits.ts";
import { History } from "./entity_history.tsx";
import { reasonOf } from "./host.ts";
import { chainOf, namesOf } from "./model.ts";
import { Ref } from "./parts.tsx";
import { Editable, SheetHead } from "./sheet.tsx";
import { Line, sectionsIn, Text, type TextTree } from "./text.tsx";

/** The lists of other entities, and what they are called. */
const LISTS = [
  ["dependencies", "Depends on"],
  ["dependents", "Needed by"],
  ["implementedBy", "Implemented by"],
  ["references", "Refers to"],
  ["mentionedBy", "Mentioned by"],
] as const;

interface Named {
  id: string;
  title?: string;
  status?: string;
}

interface Opened extends Entity, Partial<Record<typeof LISTS[number][0], Named[]>> {
  byStatus?: { key: string; count: number }[];
}

const FIELDS = [
  ...["title", "status", "attributes", "criteria", "sections", "byStatus"],
  ...LISTS.map(([name]) => name),
];

/** The section that the criteria stand in; they have a list of their own. */
const CRITERIA = "acceptance criteria";

interface PartProps {
  board: Board;
  entity: Opened;
  edit(field: Field): (before: string, after: string) => Promise<boolean>;
}

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
    ]).then(
      ([entity, { text }]) => current && setRead({ entity, text }),
      (reason) => current && setError(reasonOf(reason)),
    );
    return () => {
      current = false;
    };
  }, [id, board.stamp]);
  useEffect(() => heading.current?.focus(), [id]);
  const { type = "", title } = board.cards.get(id) ?? {};
  const edit = (field: Field) => (before: string, after: string) =>
    board.edit({ id, field, before, after });
  const entity = read?.entity;
  const name: Field = { kind: "title", name: "title" };
  return (
    <>
      <SheetHead board={board}>
        <h2 id="entity-title" ref={heading} tabIndex={-1} data-type={type}>
          <span class="id">{type} {id}</span>
          {!entity
            ? title
            : (
              <Editable label="title" value={valueIn(entity, name)} save={edit(name)}>
                {entity.title}
              </Editable>
            )}
        </h2>
      </SheetHead>
      {error !== "" && <p class="blocked">{error}</p>}
      {read && entity && (
        <>
          <Facts board={board} entity={entity} type={type} edit={edit} />
          <Chain board={board} id={id} />
          {board.cards.get(id)?.elsewhere?.map((state) => (
            <p class="elsewhere" key={state}>{state}</p>
          ))}
          <Criteria entity={entity} edit={edit} />
          <Sections board={board} entity={entity} text={read.text} edit={edit} />
          {entity.byStatus && entity.byStatus.length > 0 && (
            <section>
              <h3>Its entities</h3>
              <p>{entity.byStatus.map(({ key, count }) => `${count} ${key}`).join(" · ")}</p>
            </section>
          )}
          {LISTS.map(([name, title]) => (
            <Links key={name} board={board} title={title} entities={entity[name]} />
          ))}
          <History board={board} id={id} />
        </>
      )}
    </>
  );
}

function Facts({ board, entity, type, edit }: PartProps & { type: string }) {
  const { status = "", attributes = {} } = entity;
  const statuses = new Set([...board.statuses[type] ?? [], status]);
  const assignee: Field = { kind: "attribute", name: "assignee" };
  const save = edit({ kind: "attribute", name: "status" });
  return (
    <div class="row">
      <label>
        Status{" "}
        <select
          id="status"
          value={status}
          onChange={async ({ currentTarget }) => {
            if (!await save(status, currentTarget.value)) currentTarget.value = status;
          }}
        >
          {[...statuses].map((one) => <option key={one} value={one}>{one}</option>)}
        </select>
      </label>
      {type !== "milestone" && (
        <Fact name="assignee">
          <Editable
            label="assignee"
            value={valueIn(entity, assignee)}
            suggestions={namesOf(board.cards, "assignee")}
            save={edit(assignee)}
          >
            {attributes["assignee"] ? `@${attributes["assignee"]}` : "nobody"}
          </Editable>
        </Fact>
      )}
      {Object.entries(attributes)
        .filter(([name]) => !["id", "name", "status", "assignee"].includes(name))
        .map(([name, value]) => (
          <Fact key={name} name={name}>
            {/* Ids of entities open them. */}
            {value.split(/([\w.-]+)/).map((part, at) =>
              board.cards.has(part) ? <Ref key={at} board={board} id={part} /> : part
            )}
          </Fact>
        ))}
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <span class="fact">
      <span>{name}</span> {children}
    </span>
  );
}

/** What an entity waits for, and what that waits for. */
function Chain({ board, id }: { board: Board; id: string }) {
  const ids = chainOf(board.cards, id);
  if (ids.length === 0) return null;
  const refs = ids.flatMap((id, at) => [at > 0 && " › ", <Ref key={id} board={board} id={id} />]);
  return <p class="blocked">Waits for {refs}</p>;
}

function Criteria({ entity: { criteria = [] }, edit }: Omit<PartProps, "board">) {
  if (criteria.length === 0) return null;
  const tick = async (input: HTMLInputElement, name: string) => {
    const values = ["", "x"];
    const [before, after] = input.checked ? values : values.reverse();
    if (!await edit({ kind: "criterion", name })(before!, after!)) input.checked = before === "x";
  };
  const ticked = criteria.filter(({ checked }) => checked).length;
  return (
    <section>
      <h3>
        Acceptance criteria <span class="count">{ticked} of {criteria.length}</span>
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
function Sections({ board, entity, text, edit }: PartProps & { text: readonly TextTree[] }) {
  const shown = sectionsIn(text);
  const { sections = {}, criteria = [], notEditable } = entity;
  const isBare = (heading: string) => (shown.get(heading) ?? []).length === 0;
  // What has only references or criteria is shown in lists of its own.
  const headings = [...new Set([...shown.keys(), ...Object.keys(sections)])]
    .filter((heading) => criteria.length === 0 || heading.toLowerCase() !== CRITERIA)
    .sort((a, b) => Number(isBare(a)) - Number(isBare(b)));
  return (
    <div class="prose">
      {notEditable && <p class="blocked">{notEditable.reason}: sections cannot be edited here.</p>}
      {headings.map((name) => {
        const content = <Text board={board} tree={shown.get(name) ?? []} />;
        const title = name === "description" ? "Description" : name;
        const field: Field = { kind: "section", name };
        const isEditable = !notEditable?.sections.includes(name) &&
          (name === "description" || Object.hasOwn(sections, name));
        return (
          <section key={name} aria-label={title} class={isBare(name) ? "bare" : ""}>
            <h3 class={name === "description" ? "quiet" : ""}>{title}</h3>
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
            <button class="plain" disabled={status === "missing"} onClick={() => board.open(id)}>
              <span class="id">{id}</span> {title} <span class="badge">{status ?? "?"}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
