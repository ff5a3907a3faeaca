/// <reference lib="dom" />
/** An entity in the panel: attributes, criteria, text and relations; editable in place. */

import { Fragment, h } from "preact";
import type { EntityData } from "../../plan/queries/board_data.ts";
import type { Board } from "./board_state.ts";
import { Criteria } from "./criteria.tsx";
import { Editable } from "./editable.tsx";
import { type Entity, titleChange } from "./edits.ts";
import { Elsewhere, EntityList, Open } from "./entities.tsx";
import { TypeIcon } from "./icons.tsx";
import { Panel } from "./panel.tsx";
import { Properties } from "./properties.tsx";
import { Sections } from "./sections.tsx";
import { Free } from "./take_next.tsx";

const FIELDS = ["title", "status", "path", "attributes", "criteria", "sections"];

/** Reloads when the plan changes. */
export function EntityPanel({ board, id }: { board: Board; id: string }) {
  const fields = board.part<unknown, Entity>("get", { id, fields: FIELDS });
  const { shown, error = fields.error } = board.part<EntityData>("board", { entity: id });
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
      {entity && shown && (
        <>
          <Properties board={board} entity={entity} />
          {shown.waits.map(({ id: other, why, free }) => (
            <p class="row" key={other}>
              waits for <Open board={board} id={other} /> <span class="soft">{why}</span>
              {free && <Free board={board} args={free} from={other} />}
            </p>
          ))}
          <Elsewhere states={elsewhere} />
          <Criteria board={board} entity={entity} />
          <Sections board={board} entity={entity} shown={shown.sections} />
          {shown.related.map((list) => <EntityList key={list.title} board={board} {...list} />)}
        </>
      )}
    </Panel>
  );
}
