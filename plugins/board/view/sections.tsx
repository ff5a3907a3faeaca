/// <reference lib="dom" />
/** The text of an entity, each section edited in place, and new sections. */

import { h } from "preact";
import type { TextSection } from "../../plan/entity/text_tree.ts";
import type { Board } from "./board_state.ts";
import { Editable, TextField } from "./editable.tsx";
import { type Entity, sectionIn, textChange } from "./edits.ts";
import { Text } from "./text.tsx";

export function Sections({ board, entity, textSections }: {
  board: Board;
  entity: Entity;
  textSections: readonly TextSection[];
}) {
  const { id, notEditable } = entity;
  const draftOf = (name: string) => `${id}/## ${name}`;
  const isNamed = (wanted: string) => ({ name }: TextSection) =>
    name.toLowerCase() === wanted.toLowerCase();
  const [, added = ""] = board.editing.split(draftOf(""));
  const all = added === "" || textSections.some(isNamed(added))
    ? textSections
    : [...textSections, { name: added, text: [] }];
  // The criteria are a list above.
  const isList = (section: TextSection) =>
    section.text.length === 0 && isNamed("acceptance criteria")(section);
  const sections = all.filter((section) => section.name === added || !isList(section));
  return (
    <div class="prose">
      {notEditable && <p class="blocked">{notEditable.reason}: sections cannot be edited here.</p>}
      {sections.map(({ name, text }) => {
        const content = <Text board={board} tree={text} />;
        const isFirst = name === "description";
        const title = isFirst ? "Description" : name;
        const isEditable = !notEditable?.sections.includes(name);
        return (
          <section key={name} aria-label={title}>
            <h3 class={isFirst ? "quiet" : ""}>{title}</h3>
            {!isEditable ? content : (
              <Editable
                board={board}
                draft={draftOf(name)}
                label={title}
                value={sectionIn(entity, name)}
                multiline
                save={(after, before) => board.writes.update(textChange(id, name, before, after))}
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
            board.edit(draftOf(textSections.find(isNamed(name))?.name ?? name));
            return Promise.resolve(true);
          }}
        />
      )}
    </div>
  );
}
