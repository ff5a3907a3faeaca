/// <reference lib="dom" />
/** Entities as cards and as rows: the same on the board, in Now, in Today and in the panel. */

import { type ComponentChildren, Fragment, h, type JSX } from "preact";
import type { OtherState } from "../../plan/queries/board.ts";
import type { EntityData } from "../../plan/queries/board_data.ts";
import type { Board } from "./board_state.ts";
import { Bar, Count } from "./controls.tsx";
import { Avatar, PriorityIcon, TypeIcon } from "./icons.tsx";

type OpenProps = JSX.IntrinsicElements["button"] & { board: Board; id: string };

/** A button that opens an entity, if that is still there. */
export function Open({ board, id, children, ...rest }: OpenProps) {
  const card = board.cards.get(id);
  return (
    <button
      class="ref"
      data-id={id}
      data-type={card?.type}
      disabled={card === undefined}
      onClick={() => board.open(id)}
      {...rest}
    >
      {children ?? id}
    </button>
  );
}

/** A card, on the board and among what to take next. */
export function CardButton({ board, id, reason, hides, ...rest }: OpenProps & {
  /** Why it is offered. */
  reason?: string;
  /** The milestone that all cards have. */
  hides?: string | undefined;
}) {
  const card = board.cards.get(id);
  if (card === undefined) return null;
  const { type, title, status, priority, milestone, assignee, tags = [], since, age } = card;
  const { waits = [], waitsFor, elsewhere } = card;
  const isOther = milestone && type !== "milestone" && milestone !== hides;
  return (
    <Open
      board={board}
      id={id}
      class="card"
      data-changed={board.changed.get(id)}
      aria-current={board.openId === id ? "true" : undefined}
      {...rest}
    >
      <span class="meta row soft">
        <TypeIcon type={type} /> <span class="id">{id}</span> <PriorityIcon priority={priority} />
        {reason && <span class="reason">{reason}</span>}
        <span class="grow" />
        {age && <span class="age" title={`${status} since ${since}`}>{age}</span>}
        {assignee && <Avatar name={assignee} />}
      </span>
      <span class="title">{title}</span>
      {(card.criteria || isOther || tags.length > 0) && (
        <span class="meta row soft">
          <Bar of={card.criteria} />
          {isOther && <span>{milestone}</span>}
          {tags.slice(0, 3).map((tag) => <span class="tag" key={tag}>{tag}</span>)}
          {tags.length > 3 && <span title={tags.slice(3).join(", ")}>+{tags.length - 3}</span>}
        </span>
      )}
      {waitsFor && (
        <span class="waits" title={waits.map((step) => step.join(", ")).join(" › ")}>
          waits for {waitsFor}
        </span>
      )}
      <Elsewhere states={elsewhere} />
    </Open>
  );
}

interface RowProps {
  board: Board;
  id: string;
  title?: string | undefined;
  class?: string;
  /** Before the entity, such as whose it is. */
  lead?: ComponentChildren;
  /** What can be done with it. */
  actions?: ComponentChildren;
  children?: ComponentChildren;
}

/** An entity in a list. */
export function EntityRow({ board, id, title, class: name, lead, actions, children }: RowProps) {
  return (
    <li class={name}>
      {lead}
      <span class="grow">
        <Open board={board} id={id} class="plain link">
          <span class="id">{id}</span>{" "}
          <span class="title" dir="auto">{title ?? board.cards.get(id)?.title}</span>
        </Open>{" "}
        {children}
      </span>
      {actions}
    </li>
  );
}

/** Entities under a heading. */
export function EntityList(
  { board, title, entities }: EntityData["related"][number] & { board: Board },
) {
  return (
    <section>
      <h3>
        {title} <Count of={entities.length} />
      </h3>
      <ul class="rows">
        {entities.map(({ id, title, status = "?" }) => (
          <EntityRow key={id} board={board} id={id} title={title}>
            <span class="badge">{status}</span>
          </EntityRow>
        ))}
      </ul>
    </section>
  );
}

/** Where else an entity has another state. */
export function Elsewhere({ states = [] }: { states: readonly OtherState[] | undefined }) {
  return (
    <>
      {states.map((state) => {
        const text = stateText(state);
        return <span class="elsewhere soft" key={text}>{text}</span>;
      })}
    </>
  );
}

/** A state elsewhere in words: `in-progress on feature/x by ada`. */
function stateText(
  { status = "changed", branch, worktree, clone, assignee, id, others }: OtherState,
) {
  const folder = worktree ?? (clone && `clone ${clone}`);
  return [
    status,
    folder ? `in ${folder}` : `on ${branch}`,
    assignee && `by ${assignee}`,
    id && `as ${id}`,
    others && `and ${others} more`,
  ].filter(Boolean).join(" ");
}
