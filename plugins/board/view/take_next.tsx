/// <reference lib="dom" />
/** What to take up next, and what the others wait for. */

import { Fragment, h } from "preact";
import type { NowData, Waiting } from "../../plan/queries/board_data.ts";
import type { Board } from "./board_state.ts";
import { Small } from "./controls.tsx";
import { CardButton, EntityRow, Open } from "./entities.tsx";
import type { Card } from "./model.ts";

/** @param now What git knows, once it has answered. */
export function TakeNext({ board, now }: { board: Board; now: NowData | undefined }) {
  const { why = "", waiting = [], me } = now ?? {};
  const next = board.plan.next.flatMap((id) => board.cards.get(id) ?? []);
  return (
    <>
      {next.length === 0 && (
        <p class="soft">
          Nothing can be taken up now.{" "}
          {why === "" && "Set a work item to ready, and it is offered here."}
        </p>
      )}
      <ul class="offers">
        {next.map((card) => <OfferCard key={card.id} board={board} card={card} me={me} />)}
      </ul>
      {waiting.length > 0 && (
        <details class="waiting">
          <summary>{why}</summary>
          <ul class="rows">
            {waiting.map((item) => (
              <EntityRow key={item.id} board={board} id={item.id}>
                <Waits board={board} waiting={item} />
              </EntityRow>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** The prompt for an agent that takes up an item. */
const promptFor = ({ id, title }: Card) =>
  `Take up ${id}: ${JSON.stringify(title)}. Claim it with plan_claim, do the work, tick each ` +
  "criterion with plan_update when it holds, and finish it with a resolution.";

function OfferCard({ board, card, me }: {
  board: Board;
  card: Card;
  /** Who claims; unknown until git has answered. */
  me: string | undefined;
}) {
  const { id, priority = "" } = card;
  const unblocks =
    [...board.cards.values()].filter(({ waits: [step = []] = [] }) => step.includes(id)).length;
  const reasons = [priority, unblocks > 0 ? `unblocks ${unblocks}` : ""];
  const prompt = promptFor(card);
  const copy = () => board.copy(prompt, `The prompt for ${id}`);
  const ask = async () => {
    if (await board.host.say(prompt)) board.say(`Sent to the agent: ${id}`);
    else await copy();
  };
  return (
    <li class="offer">
      <CardButton board={board} id={id} reason={reasons.filter(Boolean).join(" · ")} />
      <span class="row">
        <button
          class="primary"
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

/** What an item waits for, why, and a button that says it does not. */
export function Waits({ board, waiting }: { board: Board; waiting: Waiting }) {
  const { id, for: other, why, free } = waiting;
  const text = `${id}: does not depend on ${other}`;
  return (
    <>
      {other && (
        <span>
          waits for <Open board={board} id={other} />
        </span>
      )} <span class="soft">{why}</span> {free && (
        <Small
          text="Does not depend on it"
          aria-label={`Does not depend on it: ${id} on ${other}`}
          onClick={() => board.writes.update({ args: free, text })}
        />
      )}
    </>
  );
}
