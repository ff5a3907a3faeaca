/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * The first tab: what to take up next, who works on what, and what needs a decision.
 *
 * @module
 */

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Fix, Flight, Need, NowData } from "../../plan/tools/now.ts";
import type { Board } from "./board_state.ts";
import { reasonOf } from "./host.ts";
import { ageText, monthOf } from "./model.ts";
import { Avatar, Bar, ElsewhereLines, PriorityIcon, Ref, TypeIcon } from "./parts.tsx";

/** How many needs are listed before the list is unfolded. */
const FEW_NEEDS = 8;

/** The buttons that apply the corrections, by kind. */
const FIXES: Readonly<Record<string, string>> = {
  "reverted": "Reopen",
  "merged-pr": "Finish",
  "open-criteria": "Tick all",
  "spec-done": "Mark implemented",
  "nothing-blocks": "Unblock",
  "milestone": "Complete",
};

export function Now({ board }: { board: Board }) {
  const [data, setData] = useState<NowData>();
  const [error, setError] = useState("");
  useEffect(() => {
    let current = true;
    board.ask<NowData>("now").then((read) => {
      if (!current) return;
      board.me = read.me;
      setError("");
      setData(read);
    }, (reason) => current && setError(reasonOf(reason)));
    return () => {
      current = false;
    };
  }, [board.stamp]);
  if (error !== "") return <p class="blocked empty" role="alert">{error}</p>;
  if (data === undefined) return <p class="empty" role="status">Reading the plan and git…</p>;
  return (
    <div id="now">
      <Part title="Take next" count={data.next.length}>
        <TakeNext board={board} data={data} />
      </Part>
      <div class="pair">
        <Part title="In flight" count={data.flights.length}>
          {data.flights.length === 0 && <p class="soft">Nobody works on anything.</p>}
          <ul class="rows">
            {data.flights.map((flight) => (
              <FlightRow key={`${flight.id} ${flight.place}`} board={board} flight={flight} />
            ))}
          </ul>
        </Part>
        <Part title="Needs you" count={data.needs.length}>
          <Needs board={board} needs={data.needs} />
        </Part>
      </div>
      {data.notes.map((note) => <p class="soft small" key={note}>{note}</p>)}
    </div>
  );
}

function Part({ title, count, children }: {
  title: string;
  count: number;
  children: ComponentChildren;
}) {
  const id = title.toLowerCase().replaceAll(" ", "-");
  return (
    <section class="part" aria-labelledby={id}>
      <div class="row">
        <h2 id={id}>{title}</h2> <span class="count">{count}</span>
      </div>
      {children}
    </section>
  );
}

function TakeNext({ board, data: { next, waiting } }: { board: Board; data: NowData }) {
  const total = waiting.reduce((sum, { ids }) => sum + ids.length, 0);
  const named = waiting.map((group, at) => {
    const text = group.for === ""
      ? `${group.ids.length} withheld by the plan plugin`
      : `${group.ids.length} for ${group.for}`;
    return `${at > 0 ? ", " : ""}${text}`;
  });
  return (
    <>
      {next.length === 0 && (
        <p class="soft">
          Nothing can be taken up now.{" "}
          {total === 0 && "Set a work item to ready, and it is offered here."}
        </p>
      )}
      <ul class="offers">
        {next.map((offer, at) => (
          <Offer key={offer.id} board={board} offer={offer} first={at === 0} />
        ))}
      </ul>
      {total > 0 && (
        <details class="waiting">
          <summary>
            {total} {total === 1 ? "waits" : "wait"}: {named.slice(0, 4)}
            {named.length > 4 ? " …" : ""}
          </summary>
          <ul class="rows">
            {waiting.map((group) => (
              <li key={group.for}>
                {group.for === "" ? "Withheld: " : (
                  <>
                    <Ref board={board} id={group.for} />{" "}
                    <span class="soft">{board.cards.get(group.for)?.status}</span> holds up{" "}
                  </>
                )}
                {group.ids.map((id) => [<Ref key={id} board={board} id={id} />, " "])}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** A card to take up, with its reason. */
function Offer({ board, offer: { id, reason }, first }: {
  board: Board;
  offer: NowData["next"][number];
  first: boolean;
}) {
  const card = board.cards.get(id);
  const [done, all] = card?.criteria ?? [0, 0];
  const prompt = promptFor(id, card?.title ?? "");
  const copy = () => board.copy(prompt, `The prompt for ${id}`);
  const ask = async () => {
    if (await board.host.say(prompt)) board.say(`Sent to the agent: ${id}`);
    else await copy();
  };
  return (
    <li class="offer box" data-type={card?.type} data-id={id}>
      <span class="meta row soft">
        <TypeIcon type={card?.type ?? ""} /> <span class="id">{id}</span>{" "}
        <PriorityIcon priority={card?.priority} /> <span class="reason">{reason}</span>
      </span>
      <button class="plain title" data-id={id} onClick={() => board.open(id)}>
        {card?.title ?? id}
      </button>
      <span class="meta row soft">
        {card?.milestone && <span>{card.milestone}</span>}
        {all > 0 && <Bar done={done} all={all} />}
        {card?.tags?.map((tag) => <span class="tag" key={tag}>{tag}</span>)}
      </span>
      <ElsewhereLines states={card?.elsewhere} />
      <span class="buttons row">
        <button
          class={first ? "primary" : ""}
          aria-label={`Claim ${id}`}
          onClick={() => board.claim(id)}
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

function promptFor(id: string, title: string): string {
  return `Take up ${id}: "${title}". Claim it with plan.claim, do the work, tick each criterion with ` +
    "plan.update when it holds, and finish it with a resolution.";
}

function FlightRow({ board, flight }: { board: Board; flight: Flight }) {
  const { id, owner, place, ticked, criteria, last, idle, idleSince, fix } = flight;
  const card = board.cards.get(id);
  const since = ageText(last);
  return (
    <li class="flight">
      <Avatar name={owner} />
      <span class="grow">
        <span class="row">
          <strong>{owner || "Unassigned"}</strong>
          <button class="plain title" data-id={id} onClick={() => board.open(id)}>
            <span class="id" data-type={card?.type}>{id}</span> {card?.title}
          </button>
        </span>
        <span class="meta row soft">
          {place && <span class="branch">{place}</span>}
          {criteria > 0 && <Bar done={ticked} all={criteria} />}
          {!idle && last && <span>active {since ? `${since} ago` : "today"}</span>}
          {idle && (
            <span class="warn" title={idle}>idle since {monthOf(idleSince ?? last ?? "")}</span>
          )}
        </span>
      </span>
      {fix && <FixButton board={board} fix={fix} label="Release" />}
    </li>
  );
}

function Needs({ board, needs }: { board: Board; needs: readonly Need[] }) {
  if (needs.length === 0) return <p class="soft">Nothing. The plan and git agree.</p>;
  return (
    <>
      <NeedRows board={board} needs={needs.slice(0, FEW_NEEDS)} />
      {needs.length > FEW_NEEDS && (
        <details>
          <summary class="soft">{needs.length - FEW_NEEDS} more</summary>
          <NeedRows board={board} needs={needs.slice(FEW_NEEDS)} />
        </details>
      )}
    </>
  );
}

function NeedRows({ board, needs }: { board: Board; needs: readonly Need[] }) {
  return (
    <ul class="rows">
      {needs.map(({ kind, id, text, fix }, at) => {
        const title = board.cards.get(id)?.title ?? "";
        return (
          <li class="need" key={`${kind} ${id} ${at}`}>
            <span class="badge" data-kind={kind}>{kind.replaceAll("-", " ")}</span>
            <span class="grow">
              {board.cards.has(id) ? <Ref board={board} id={id} /> : <span class="id">{id}</span>}
              {" "}
              {/* Milestones often begin with their name. */}
              {title.startsWith(id) ? title.slice(id.length).replace(/^[\s:—–-]+/, "") : title}{" "}
              <span class="soft">{text}</span>
            </span>
            {fix && <FixButton board={board} fix={fix} label={FIXES[kind] ?? "Correct"} />}
          </li>
        );
      })}
    </ul>
  );
}

function FixButton({ board, fix, label }: { board: Board; fix: Fix; label: string }) {
  return (
    <button
      class="small"
      title={`Right if ${fix.when}`}
      aria-label={`${label} ${fix.arguments.id}`}
      onClick={() => board.update(fix.arguments, `${fix.arguments.id}: ${label.toLowerCase()}`)}
    >
      {label}
    </button>
  );
}
