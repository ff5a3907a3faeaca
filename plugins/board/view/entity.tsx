/// <reference lib="dom" />
/** An entity in the panel: attributes, criteria, text, relations and history; editable in place. */

import { Fragment, h } from "preact";
import type { TextSection } from "../../plan/entity/text_tree.ts";
import type { HistoryLine } from "../../plan/queries/board.ts";
import type { EntityData } from "../../plan/tools/board.ts";
import { Ask } from "./ask.tsx";
import type { Board } from "./board_state.ts";
import { type Entity, sectionIn, textChange, titleChange } from "./edits.ts";
import { Criteria } from "./criteria.tsx";
import { Editable, TextField } from "./editable.tsx";
import { Elsewhere, EntityList, Open } from "./entities.tsx";
import { TypeIcon } from "./icons.tsx";
import { Panel } from "./panel.tsx";
import { Properties } from "./properties.tsx";
import { Free } from "./take_next.tsx";
import { Text } from "./text.tsx";

const FIELDS = ["title", "status", "path", "attributes", "criteria", "sections", "dependencies"];

/** The headings of sections that are shown as lists. */
const SHOWN_ABOVE = ["acceptance criteria", "dependencies"];

/** Reloads when the plan changes. */
export function EntityPanel({ board, id }: { board: Board; id: string }) {
  const { data: entity, error } = board.part<unknown, Entity>("get", { id, fields: FIELDS });
  const { shown } = board.part<EntityData>("board", { entity: id });
  const { type, title, waits = [], elsewhere } = board.cards.get(id) ?? {};
  const save = (name: string) => (after: string, before: string) =>
    board.writes.update(textChange(id, name, before, after));
  const isAsked = board.question?.args.id === id;
  const head = (
    <>
      <span class="id">
        <TypeIcon type={type} /> {type} {id}
      </span>
      {entity === undefined ? title : (
        <Editable
          board={board}
          draft={`${id}/title`}
          label="title"
          value={entity.title ?? ""}
          save={(after, before) => board.writes.update(titleChange(id, before, after))}
        >
          {entity.title}
        </Editable>
      )}
    </>
  );
  return (
    <Panel board={board} title={head}>
      {error && <p class="blocked">{error}</p>}
      {entity && shown && (
        <>
          {isAsked && <Ask board={board} />}
          <Properties board={board} entity={entity} />
          {waits.length > 0 && (
            <p class="waits">
              Waits for {waits.map((ids, step) => [
                step > 0 && " › ",
                ids.map((id, at) => [at > 0 && ", ", <Open key={id} board={board} id={id} />]),
              ])}
            </p>
          )}
          {shown.waits.map((one) => (
            <p class="row" key={one.id}>
              <Open board={board} id={one.id} /> <span class="soft">{one.why}</span>
              {one.free && <Free board={board} args={one.free} from={one.id} />}
            </p>
          ))}
          <Elsewhere states={elsewhere} />
          <Criteria board={board} entity={entity} />
          <Sections board={board} entity={entity} shown={shown.sections} save={save} />
          {shown.related.map((list) => <EntityList key={list.title} board={board} {...list} />)}
          {shown.history.length > 0 && <History lines={shown.history} />}
        </>
      )}
    </Panel>
  );
}

function Sections({ board, entity, shown, save }: {
  board: Board;
  entity: Entity;
  shown: readonly TextSection[];
  save(name: string): (after: string, before: string) => Promise<boolean>;
}) {
  const { id, notEditable } = entity;
  // Sections without text, such as references and criteria, come last: lists show their content.
  const isBare = ({ text }: TextSection) => text.length === 0;
  const draftOf = (name: string) => `${id}/## ${name}`;
  const named = (wanted: string) =>
    shown.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  const [, added = ""] = board.editing.split(draftOf(""));
  const all = added === "" || named(added) ? shown : [...shown, { name: added, text: [] }];
  const sections = all.filter((one) =>
    one.name === added || !isBare(one) || !SHOWN_ABOVE.includes(one.name.toLowerCase())
  )
    .sort((a, b) => Number(isBare(a)) - Number(isBare(b)));
  return (
    <div class="prose">
      {notEditable && <p class="blocked">{notEditable.reason}: sections cannot be edited here.</p>}
      {sections.map(({ name, text }) => {
        const content = <Text board={board} tree={text} />;
        const isFirst = name === "description";
        const title = isFirst ? "Description" : name;
        const isEditable = !notEditable?.sections.includes(name);
        return (
          <section key={name} aria-label={title} class={text.length === 0 ? "bare" : ""}>
            <h3 class={isFirst ? "quiet" : ""}>{title}</h3>
            {!isEditable ? content : (
              <Editable
                board={board}
                draft={draftOf(name)}
                label={title}
                value={sectionIn(entity, name)}
                multiline
                save={save(name)}
              >
                {content}
              </Editable>
            )}
          </section>
        );
      })}
      {!notEditable && (
        <TextField
          board={board}
          draft={`${id}/new section`}
          label="Add a section"
          placeholder="Add a section"
          value=""
          save={(name) => {
            board.edit(draftOf(named(name)?.name ?? name));
            return Promise.resolve(true);
          }}
        />
      )}
    </div>
  );
}

function History({ lines }: { lines: readonly HistoryLine[] }) {
  return (
    <section aria-label="History">
      <h3>History</h3>
      <ol class="history">
        {lines.map(({ date, text, commit }) => (
          <li key={commit}>
            <time>{date}</time>{" "}
            <span>
              {text} <small>{commit}</small>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
