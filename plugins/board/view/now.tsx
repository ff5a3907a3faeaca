/// <reference lib="dom" />
/** The first tab: what to take up next, who works on what, and what needs a decision. */

import { type ComponentChildren, Fragment, h } from "preact";
import type { Fix, Flight, Need, NowData } from "../../plan/queries/now.ts";
import type { Board } from "./board_state.ts";
import type { Change } from "./edits.ts";
import { Today } from "./today.tsx";
import {
  Avatar,
  Bar,
  Count,
  Elsewhere,
  EntityName,
  Open,
  PriorityIcon,
  Small,
  TypeIcon,
} from "./parts.tsx";

/** The most rows of needs, one of them for older ones. */
const MOST_NEEDS = 10;

export function Now({ board }: { board: Board }) {
  const { shown, error } = board.part(
    "now",
    async () => (await board.host.ask<NowData>("board", { show: "now" })).shown,
  );
  // Git's part follows.
  const first = shown ?? { next: board.next, waits: "", waiting: [] };
  const { flights = [], needs = [], notes = [] } = shown ?? {};
  return (
    <div id="now" aria-busy={shown === undefined}>
      <Today board={board} />
      <Part title="Take next" count={first.next.length}>
        <TakeNext board={board} data={first} me={shown?.me} />
      </Part>
      {error && <p class="blocked" role="alert">{error}</p>}
      {shown
        ? (
          <div class="pair">
            <Part title="In flight" count={flights.length}>
              {flights.length === 0 && <p class="soft">Nobody works on anything.</p>}
              <ul class="rows">
                {flights.map((flight) => (
                  <FlightRow key={`${flight.id} ${flight.place}`} board={board} flight={flight} />
                ))}
              </ul>
            </Part>
            <Part title="Needs you" count={needs.filter(({ isOld }) => !isOld).length}>
              <Needs board={board} needs={needs} />
            </Part>
          </div>
        )
        : !error && <p class="soft" role="status">Reading git…</p>}
      {notes.map((note) => <p class="soft small" key={note}>{note}</p>)}
    </div>
  );
}

const wordsOf = (kind: string) => kind.replaceAll("-", " ");

/** The needs by kind, the rest of each folded. */
function Needs({ board, needs }: { board: Board; needs: NowData["needs"] }) {
  const { old = [], recent = [] } = Object.groupBy(needs, ({ isOld }) => isOld ? "old" : "recent");
  const kinds = [...Map.groupBy(recent, ({ kind }) => kind)];
  const each = Math.floor((MOST_NEEDS - 1) / kinds.length);
  return (
    <>
      {kinds.length === 0 && <p class="soft">Nothing. The plan and git agree.</p>}
      <ul class="rows">
        {kinds.map(([kind, all]) => {
          const few = all.length <= each ? all : all.slice(0, Math.max(0, each - 1));
          return (
            <Fragment key={kind}>
              {few.map((need) => <NeedRow key={need.id} board={board} need={need} />)}
              <Folded
                board={board}
                needs={all.slice(few.length)}
                more={few.length > 0 ? "more " : ""}
              />
            </Fragment>
          );
        })}
        <Folded board={board} needs={old} more="older: " />
      </ul>
    </>
  );
}

/** Needs behind their counts, such as `84 older: 70 open criteria, 14 merged pr`. */
function Folded({ board, needs, more }: { board: Board; needs: readonly Need[]; more: string }) {
  if (needs.length === 0) return null;
  const kinds = [...Map.groupBy(needs, ({ kind }) => kind)];
  const counts = kinds.map(([kind, { length }]) =>
    `${kinds.length > 1 ? `${length} ` : ""}${wordsOf(kind)}`
  );
  return (
    <li>
      <details>
        <summary>{needs.length} {more}{counts.join(", ")}</summary>
        <ul class="rows">
          {needs.map((need) => <NeedRow key={need.kind + need.id} board={board} need={need} />)}
        </ul>
      </details>
    </li>
  );
}

export function Part({ title, count, children }: {
  title: string;
  count: number;
  children: ComponentChildren;
}) {
  return (
    <section class="part" aria-label={title}>
      <div class="row">
        <h2>{title}</h2> <Count of={count} />
      </div>
      {children}
    </section>
  );
}

function TakeNext({ board, data, me }: {
  board: Board;
  data: Pick<NowData, "next" | "waits" | "waiting">;
  /** Unknown until git has answered. */
  me: string | undefined;
}) {
  const { next, waiting, waits } = data;
  return (
    <>
      {next.length === 0 && (
        <p class="soft">
          Nothing can be taken up now.{" "}
          {waits === "" && "Set a work item to ready, and it is offered here."}
        </p>
      )}
      <ul class="offers">
        {next.map((offer, at) => (
          <Offer key={offer.id} board={board} offer={offer} me={me} first={at === 0} />
        ))}
      </ul>
      {waits !== "" && (
        <details class="waiting">
          <summary>{waits}</summary>
          <ul class="rows">
            {waiting.map(({ for: id, title, items }) => (
              <li key={id}>
                <span class="grow">
                  {id === "" ? "Withheld" : (
                    <>
                      <Open board={board} id={id} /> {title}{" "}
                      <span class="soft">{board.cards.get(id)?.status}</span> holds up
                    </>
                  )}
                  <ul>
                    {items.map((item) => (
                      <li key={item.id} class="row">
                        <Open board={board} id={item.id} /> {item.title}{" "}
                        <span class="soft">{item.why}</span>
                        {item.free && <Free board={board} args={item.free} from={id} />}
                      </li>
                    ))}
                  </ul>
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** Says that an item does not depend on another. */
export function Free({ board, args, from }: { board: Board; args: Change["args"]; from: string }) {
  const run = () => board.writes.update({ args, text: `${args.id}: does not depend on ${from}` });
  const label = `Does not depend on it: ${args.id} on ${from}`;
  return <Small text="Does not depend on it" aria-label={label} onClick={run} />;
}

/** A card to take up, with its reason. */
function Offer({ board, offer: { id, reason, prompt }, me, first }: {
  board: Board;
  offer: NowData["next"][number];
  me: string | undefined;
  first: boolean;
}) {
  const { type, title, priority, milestone, criteria, tags } = board.cards.get(id) ?? {};
  const copy = () => board.copy(prompt, `The prompt for ${id}`);
  const ask = async () => {
    if (await board.host.say(prompt)) board.say(`Sent to the agent: ${id}`);
    else await copy();
  };
  return (
    <li class="offer box" data-type={type} data-id={id}>
      <span class="meta row soft">
        <TypeIcon type={type} /> <span class="id">{id}</span> <PriorityIcon priority={priority} />
        {" "}
        <span class="reason">{reason}</span>
      </span>
      <Open board={board} id={id} class="plain title">{title}</Open>
      <span class="meta row soft">
        {milestone && <span>{milestone}</span>}
        <Bar of={criteria} />
        {tags?.map((tag) => <span class="tag" key={tag}>{tag}</span>)}
      </span>
      <Elsewhere board={board} id={id} />
      <span class="buttons row">
        <button
          class={first ? "primary" : ""}
          aria-label={`Claim ${id}`}
          disabled={me === undefined}
          onClick={() => board.writes.claim(id, me ?? "")}
        >
          Claim
        </button>
        {board.host.hasAgent
          ? <button aria-label={`Ask the agent to take ${id}`} onClick={ask}>Ask the agent</button>
          : <button aria-label={`Copy prompt for ${id}`} onClick={copy}>Copy prompt</button>}
      </span>
    </li>
  );
}

function FlightRow({ board, flight }: { board: Board; flight: Flight }) {
  const { id, owner, place, ticked, criteria, activity, idle, fix } = flight;
  return (
    <li class="flight">
      <Avatar name={owner} />
      <span class="grow">
        <span class="row">
          <strong>{owner || "Unassigned"}</strong>
          <Open board={board} id={id} class="plain title">
            <span class="id">{id}</span> {board.cards.get(id)?.title}
          </Open>
        </span>
        <span class="meta row soft">
          {place && <span class="branch">{place}</span>}
          <Bar of={[ticked, criteria]} />
          {activity && <span class={idle && "warn"} title={idle}>{activity}</span>}
        </span>
      </span>
      {fix && <FixButton board={board} fix={fix} />}
    </li>
  );
}

function NeedRow({ board, need }: { board: Board; need: Need }) {
  const { kind, id, title, text, fix, accept, back } = need;
  // The panel asks about open criteria.
  const move = (status: string) => board.writes.moveOrOpen(id, { status });
  return (
    <li class="need">
      <span class="badge" data-kind={kind}>{wordsOf(kind)}</span>
      <span class="grow">
        <EntityName board={board} id={id} title={title} /> <span class="soft">{text}</span>
      </span>
      {accept && <Small text="Accept" of={id} onClick={() => move(accept)} />}
      {back && <Small text="Send back" of={id} onClick={() => move(back)} />}
      {kind === "open-criteria" && (
        <Small
          text="Look"
          of={`at ${id}`}
          onClick={() => board.open(id)}
        />
      )}
      {fix && <FixButton board={board} fix={fix} />}
    </li>
  );
}

function FixButton({ board, fix: { label, arguments: args, when } }: { board: Board; fix: Fix }) {
  const text = `${args.id}: ${label.toLowerCase()}`;
  const run = () => board.writes.update({ args, text });
  return <Small text={label} of={args.id} title={`Right if ${when}`} onClick={run} />;
}
