/// <reference lib="dom" />
/** The first tab: what to take up next, who works on what, and what needs a decision. */

import { type ComponentChildren, Fragment, h } from "preact";
import type { Fix, Flight, Need, NowData } from "../../plan/queries/now.ts";
import type { Board } from "./board_state.ts";
import { Avatar, Bar, Count, Elsewhere, Open, PriorityIcon, TypeIcon } from "./parts.tsx";

/** How many needs are listed before the list is unfolded. */
const FEW_NEEDS = 8;

export function Now({ board }: { board: Board }) {
  const { shown, error } = board.part(
    "now",
    async () => (await board.host.ask<NowData>("board", { show: "now" })).shown,
  );
  if (error) return <p class="blocked empty" role="alert">{error}</p>;
  if (shown === undefined) return <p class="empty" role="status">Reading the plan and git…</p>;
  const { next, flights, needs, notes } = shown;
  const needRows = needs.map((need, at) => <NeedRow key={at} board={board} need={need} />);
  return (
    <div id="now">
      <Part title="Take next" count={next.length}>
        <TakeNext board={board} data={shown} />
      </Part>
      <div class="pair">
        <Part title="In flight" count={flights.length}>
          {flights.length === 0 && <p class="soft">Nobody works on anything.</p>}
          <ul class="rows">
            {flights.map((flight) => (
              <FlightRow key={`${flight.id} ${flight.place}`} board={board} flight={flight} />
            ))}
          </ul>
        </Part>
        <Part title="Needs you" count={needs.length}>
          {needs.length === 0 && <p class="soft">Nothing. The plan and git agree.</p>}
          <ul class="rows">{needRows.slice(0, FEW_NEEDS)}</ul>
          {needs.length > FEW_NEEDS && (
            <details>
              <summary>{needs.length - FEW_NEEDS} more</summary>
              <ul class="rows">{needRows.slice(FEW_NEEDS)}</ul>
            </details>
          )}
        </Part>
      </div>
      {notes.map((note) => <p class="soft small" key={note}>{note}</p>)}
    </div>
  );
}

function Part({ title, count, children }: {
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

function TakeNext({ board, data }: { board: Board; data: NowData }) {
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
          <Offer key={offer.id} board={board} offer={offer} me={data.me} first={at === 0} />
        ))}
      </ul>
      {waits !== "" && (
        <details class="waiting">
          <summary>{waits}</summary>
          <ul class="rows">
            {waiting.map(({ for: id, ids }) => (
              <li key={id}>
                {id === "" ? "Withheld: " : (
                  <span>
                    <Open board={board} id={id} />{" "}
                    <span class="soft">{board.cards.get(id)?.status}</span> holds up{" "}
                  </span>
                )}
                {ids.map((id) => <Open key={id} board={board} id={id} />)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** A card to take up, with its reason. */
function Offer({ board, offer: { id, reason, prompt }, me, first }: {
  board: Board;
  offer: NowData["next"][number];
  me: string;
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
          onClick={() => board.writes.claim(id, me)}
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

function NeedRow({ board, need: { kind, id, title, text, fix } }: { board: Board; need: Need }) {
  return (
    <li class="need">
      <span class="badge" data-kind={kind}>{kind.replaceAll("-", " ")}</span>
      <span class="grow">
        {board.cards.has(id) ? <Open board={board} id={id} /> : <span class="id">{id}</span>}{" "}
        {title} <span class="soft">{text}</span>
      </span>
      {fix && <FixButton board={board} fix={fix} />}
    </li>
  );
}

function FixButton({ board, fix: { label, arguments: args, when } }: { board: Board; fix: Fix }) {
  return (
    <button
      class="small"
      title={`Right if ${when}`}
      aria-label={`${label} ${args.id}`}
      onClick={() => board.writes.update({ args, text: `${args.id}: ${label.toLowerCase()}` })}
    >
      {label}
    </button>
  );
}
