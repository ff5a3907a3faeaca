/// <reference lib="dom" />
/** What to take up next, and what the others wait for. */

import { Fragment, h } from "preact";
import type { NowData, Offer } from "../../plan/queries/now.ts";
import type { Board } from "./board_state.ts";
import { Small } from "./controls.tsx";
import type { Change } from "./edits.ts";
import { CardButton, EntityRow, Open } from "./entities.tsx";

interface TakeNextProps {
  board: Board;
  data: Pick<NowData, "next" | "waits" | "waiting">;
  /** Who claims; unknown until git has answered. */
  me: string | undefined;
}

export function TakeNext({ board, data: { next, waits, waiting }, me }: TakeNextProps) {
  return (
    <>
      {next.length === 0 && (
        <p class="soft">
          Nothing can be taken up now.{" "}
          {waits === "" && "Set a work item to ready, and it is offered here."}
        </p>
      )}
      <ul class="offers">
        {next.map((offer) => <OfferCard key={offer.id} board={board} offer={offer} me={me} />)}
      </ul>
      {waits !== "" && (
        <details class="waiting">
          <summary>{waits}</summary>
          <ul class="rows">
            {waiting.flatMap(({ for: id, items }) =>
              items.map((item) => (
                <EntityRow
                  key={item.id}
                  board={board}
                  id={item.id}
                  title={item.title}
                  actions={item.free && <Free board={board} args={item.free} from={id} />}
                >
                  {id && (
                    <span>
                      waits for <Open board={board} id={id} />
                    </span>
                  )} <span class="soft">{item.why}</span>
                </EntityRow>
              ))
            )}
          </ul>
        </details>
      )}
    </>
  );
}

function OfferCard({ board, offer: { id, reason, prompt }, me }: {
  board: Board;
  offer: Offer;
  me: string | undefined;
}) {
  const copy = () => board.copy(prompt, `The prompt for ${id}`);
  const ask = async () => {
    if (await board.host.say(prompt)) board.say(`Sent to the agent: ${id}`);
    else await copy();
  };
  return (
    <li class="offer">
      <CardButton board={board} id={id} reason={reason} />
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

/** Says that an item does not depend on another. */
export function Free({ board, args, from }: { board: Board; args: Change["args"]; from: string }) {
  const run = () => board.writes.update({ args, text: `${args.id}: does not depend on ${from}` });
  const label = `Does not depend on it: ${args.id} on ${from}`;
  return <Small text="Does not depend on it" aria-label={label} onClick={run} />;
}
