/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * An entity with its attributes, criteria, text, relations and history; editable in place.
 *
 * @module
 */

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Board } from "./board_state.ts";
import { type Entity, type Field, valueIn } from "./edits.ts";
import { reasonOf } from "./host.ts";
import { chainOf, namesOf } from "./model.ts";
import { EntityLink, Ref } from "./parts.tsx";
import { Editable, SheetHead } from "./sheet.tsx";
import { Line, sectionsIn, Text, type TextTree } from "./text.tsx";

/** Relations and their headings. */
const LISTS = [
  ["dependencies", "Depends on"],
  ["depends", "Needed by"],
  ["source", "Implemented by"],
  ["references", "Refers to"],
  ["mentions", "Mentioned by"],
] as const;

type Named = { id: string; title?: string; status?: string };

interface Opened extends Entity {
  dependencies?: Named[];
  references?: Named[];
  /** What points here; the kinds are names of lists. */
  referencedBy?: (Named & { kind: string })[];
  byStatus?: { key: string; count: number }[];
}

const FIELDS = [
  ...["title", "status", "attributes", "criteria", "sections", "byStatus"],
  ...["dependencies", "references", "referencedBy"],
];

/** The heading of the criteria's section, which is shown as a list. */
const CRITERIA = "acceptance criteria";

function related(entity: Opened, name: typeof LISTS[number][0]): Named[] | undefined {
  if (name === "dependencies" || name === "references") return entity[name];
  return entity.referencedBy?.filter(({ kind }) => kind === name);
}

interface PartProps {
  board: Board;
  entity: Opened;
  edit(field: Field): (before: string, after: string) => Promise<boolean>;
}

/** Reloads when the plan changes. */
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
              <h3>Entities</h3>
              <p>{entity.byStatus.map(({ key, count }) => `${count} ${key}`).join(" · ")}</p>
            </section>
          )}
          {LISTS.map(([name, title]) => (
            <Links key={name} board={board} title={title} entities={related(entity, name)} />
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
            {attributes["assignee"] ? `@${attributes["assignee"]}` : "unassigned"}
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
      <span class="soft">{name}</span> {children}
    </span>
  );
}

function Chain({ board, id }: { board: Board; id: string }) {
  const ids = chainOf(board.cards, id);
  if (ids.length === 0) return null;
  const refs = ids.flatMap((id, at) => [at > 0 && " › ", <Ref key={id} board={board} id={id} />]);
  return <p class="blocked">Blocked by {refs}</p>;
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

function Sections({ board, entity, text, edit }: PartProps & { text: readonly TextTree[] }) {
  const shown = sectionsIn(text);
  const { sections = {}, criteria = [], notEditable } = entity;
  const isBare = (heading: string) => (shown.get(heading) ?? []).length === 0;
  // Sections without text, such as references and criteria, come last: lists show their content.
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

function Links({ board, title, entities = [] }: {
  board: Board;
  title: string;
  entities: readonly Named[] | undefined;
}) {
  if (entities.length === 0) return null;
  return (
    <section>
      <h3>
        {title} <span class="count">{entities.length}</span>
      </h3>
      <ul class="entities">
        {entities.map((entity) => <EntityLink key={entity.id} board={board} entity={entity} />)}
      </ul>
    </section>
  );
}

/** An event of `plan.history`. */
interface HistoryEvent {
  kind: string;
  date: string;
  shortHash: string;
  author: string;
  message: string;
  attributeChanges?: { field: string; from: string | null; to: string | null }[];
  criteriaChanges?: { text: string; action: string }[];
  initialAttributes?: Record<string, string>;
}

/** Renders nothing without git. */
function History({ board, id }: { board: Board; id: string }) {
  const [events, setEvents] = useState<readonly HistoryEvent[]>([]);
  useEffect(() => {
    board.host.call<{ events: HistoryEvent[] }>("history", { id, limit: 20 })
      .then(({ events }) => setEvents(events), () => {});
  }, [id, board.stamp]);
  if (events.length === 0) return null;
  return (
    <section aria-label="History">
      <h3>History</h3>
      <ol class="history">
        {events.map((event) => (
          <li key={event.shortHash}>
            <time>{event.date.slice(0, 10)}</time>
            <span>
              {describe(event)} <small>{event.message} ({event.author}, {event.shortHash})</small>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function describe(event: HistoryEvent): string {
  const { kind, initialAttributes, attributeChanges = [], criteriaChanges = [] } = event;
  const parts = attributeChanges.map(({ field, from, to }) =>
    `${field === "status" ? "" : `${field} `}${from || "none"} → ${to || "none"}`
  );
  if (kind === "created") {
    const status = initialAttributes?.["status"];
    parts.unshift(status === undefined ? "created" : `created as ${status}`);
  }
  for (const { text, action } of criteriaChanges) parts.push(`${action} "${text}"`);
  if (parts.length > 0) return parts.join(", ");
  return kind === "resolution" ? "resolution written" : "text changed";
}
