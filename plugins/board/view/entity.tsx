/// <reference lib="dom" />
/** An entity in the panel: attributes, criteria, text and relations; editable in place. */

import { Fragment, h } from "preact";
import type { EntityData } from "../../plan/queries/board_data.ts";
import type { Board } from "./board_state.ts";
import { Criteria } from "./criteria.tsx";
import { Editable } from "./editable.tsx";
import { type Entity, titleChange } from "./edits.ts";
import { Elsewhere, EntityList } from "./entities.tsx";
import { TypeIcon } from "./icons.tsx";
import { Panel } from "./panel.tsx";
import { Properties } from "./properties.tsx";
import { Sections } from "./sections.tsx";
import { Waits } from "./take_next.tsx";

const FIELDS = ["title", "status", "path", "attributes", "criteria", "sections"];

/** Reloads when the plan changes. */
export function EntityPanel({ board, id }: { board: Board; id: string }) {
  const fields = board.part<unknown, Entity>("get", { id, fields: FIELDS });
  const { viewData: data, error = fields.error } = board.part<EntityData>("board", { entity: id });
  const { data: entity } = fields;
  const { type, title, elsewhere } = board.cards.get(id) ?? {};
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
      {entity && data && (
        <>
          <Properties board={board} entity={entity} />
          {data.note && <p class="warn">{data.note}</p>}
          {data.waits.map((waiting) => (
            <p class="row" key={waiting.for}>
              <Waits board={board} waiting={waiting} />
            </p>
          ))}
          <Elsewhere states={elsewhere} />
          <Criteria board={board} entity={entity} />
          <Sections board={board} entity={entity} textSections={data.sections} />
          {data.related.map((list) => <EntityList key={list.title} board={board} {...list} />)}
        </>
      )}
    </Panel>
  );
}
