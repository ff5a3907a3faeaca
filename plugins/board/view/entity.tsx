/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * An entity with its attributes, criteria, text, relations and history; editable in place.
 *
 * @module
 */

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Board } from "./board_state.ts";
import { type Field, valueIn } from "./edits.ts";
import { reasonOf } from "./host.ts";
import { chainOf, changeText } from "./model.ts";
import { ElsewhereLines, EntityLink, Ref, TypeIcon } from "./parts.tsx";
import { Ask } from "./ask.tsx";
import { Criteria } from "./criteria.tsx";
import { Editable } from "./editable.tsx";
import type { Named, Opened, PartProps } from "./entity_parts.ts";
import { Milestone } from "./milestone.tsx";
import { PanelHead } from "./panel.tsx";
import { Properties } from "./properties.tsx";
import { sectionsIn, Text, type TextTree } from "./text.tsx";

/** Relations and their headings. */
const LISTS = [
  ["depends", "Needed by"],
  ["source", "Implemented by"],
  ["references", "Refers to"],
  ["mentions", "Mentioned by"],
] as const;

const FIELDS = [
  ...["title", "status", "path", "attributes", "criteria", "sections"],
  ...["dependencies", "references", "referencedBy"],
];

/** The headings of sections that are shown as lists. */
const SHOWN_ABOVE = ["acceptance criteria", "dependencies"];

function related(entity: Opened, name: typeof LISTS[number][0]): Named[] | undefined {
  if (name === "references") return entity.references;
  return entity.referencedBy?.filter(({ kind }) => kind === name);
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
  }, [id, board.version]);
  useLayoutEffect(() => heading.current?.focus(), [id]);
  useEffect(() => {
    if (read === undefined || board.wanted === "") return;
    const control = document.querySelector<HTMLElement>(`#entity ${board.wanted}`);
    board.wanted = "";
    control?.focus();
    if (control instanceof HTMLButtonElement) control.click();
  }, [read, board.wanted]);
  const { type = "", title } = board.cards.get(id) ?? {};
  const edit = (field: Field) => (before: string, after: string) =>
    board.edit({ id, field, before, after });
  const entity = read?.entity;
  const name: Field = { kind: "title", name: "title" };
  return (
    <>
      <PanelHead board={board}>
        <h2
          id="entity-title"
          ref={heading}
          tabIndex={-1}
          data-type={type}
        >
          <span class="id">
            <TypeIcon type={type} /> {type} {id}
          </span>
          {!entity ? title : (
            <Editable
              board={board}
              draft={`${id}/title`}
              label="title"
              value={valueIn(entity, name)}
              save={edit(name)}
            >
              {entity.title}
            </Editable>
          )}
        </h2>
      </PanelHead>
      {error !== "" && <p class="blocked">{error}</p>}
      {read && entity && (
        <>
          {board.question?.edit.id === id && <Ask board={board} />}
          <Properties board={board} entity={entity} type={type} edit={edit} />
          <Chain board={board} id={id} />
          {type === "milestone" && <Milestone board={board} id={id} />}
          <ElsewhereLines states={board.cards.get(id)?.elsewhere} />
          <Criteria board={board} entity={entity} edit={edit} type={type} />
          <Sections board={board} entity={entity} text={read.text} edit={edit} />
          {LISTS.map(([name, title]) => (
            <Links key={name} board={board} title={title} entities={related(entity, name)} />
          ))}
          <History board={board} id={id} />
        </>
      )}
    </>
  );
}

/** What the entity waits for, directly and then indirectly. */
function Chain({ board, id }: { board: Board; id: string }) {
  const steps = chainOf(board.cards, id);
  if (steps.length === 0) return null;
  return (
    <p class="waits">
      Waits for {steps.map((ids, step) => [
        step > 0 && " › ",
        ids.map((id, at) => [at > 0 && ", ", <Ref key={id} board={board} id={id} />]),
      ])}
    </p>
  );
}

function Sections({ board, entity, text, edit }: PartProps & { text: readonly TextTree[] }) {
  const shown = sectionsIn(text);
  const { sections = {}, notEditable } = entity;
  const isBare = (heading: string) => (shown.get(heading) ?? []).length === 0;
  // Sections without text, such as references and criteria, come last: lists show their content.
  const headings = [...new Set([...shown.keys(), ...Object.keys(sections)])]
    .filter((heading) => !SHOWN_ABOVE.includes(heading.toLowerCase()))
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
            {!isEditable ? content : (
              <Editable
                board={board}
                draft={`${entity.id}/${name}`}
                label={title}
                value={valueIn(entity, field)}
                multiline
                save={edit(field)}
              >
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
  }, [id, board.version]);
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
  const parts = attributeChanges.map(({ field, from, to }) => changeText(field, from, to));
  if (kind === "created") {
    const status = initialAttributes?.["status"];
    parts.unshift(status === undefined ? "created" : `created as ${status}`);
  }
  for (const { text, action } of criteriaChanges) parts.push(`${action} "${text}"`);
  if (parts.length > 0) return parts.join(", ");
  return kind === "resolution" ? "resolution written" : "text changed";
}
