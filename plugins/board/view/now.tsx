/// <reference lib="dom" />
/** The first tab: what has happened, what to take up next, who works on what, what needs you. */

import { type ComponentChildren, h } from "preact";
import type { Flight, NowData } from "../../plan/queries/now.ts";
import type { Board } from "./board_state.ts";
import { Bar, Count } from "./controls.tsx";
import { EntityRow } from "./entities.tsx";
import { Avatar } from "./icons.tsx";
import { FixButton, Needs } from "./needs.tsx";
import { TakeNext } from "./take_next.tsx";
import { Today } from "./today.tsx";

export function Now({ board }: { board: Board }) {
  const { shown, error } = board.part<NowData>("board", { show: "now" });
  // Git's part follows.
  const first = shown ?? { next: board.next, waits: "", waiting: [] };
  return (
    <div id="now" aria-busy={shown === undefined}>
      <Today board={board} />
      <Part title="Take next" count={first.next.length}>
        <TakeNext board={board} data={first} me={shown?.me} />
      </Part>
      {error && <p class="blocked" role="alert">{error}</p>}
      {!shown && !error && <p class="soft" role="status">Reading git…</p>}
      {shown && (
        <div class="pair">
          <Part title="In flight" count={shown.flights.length}>
            {shown.flights.length === 0 && <p class="soft">Nobody works on anything.</p>}
            <ul class="rows">
              {shown.flights.map((flight) => (
                <FlightRow key={`${flight.id} ${flight.place}`} board={board} flight={flight} />
              ))}
            </ul>
          </Part>
          <Part title="Needs you" count={shown.needs.filter(({ isOld }) => !isOld).length}>
            <Needs board={board} needs={shown.needs} />
          </Part>
        </div>
      )}
      {shown?.notes.map((note) => <p class="soft small" key={note}>{note}</p>)}
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
      <h2>
        {title} <Count of={count} />
      </h2>
      {children}
    </section>
  );
}

function FlightRow({ board, flight }: { board: Board; flight: Flight }) {
  const { id, owner, place, ticked, criteria, activity, idle, fix } = flight;
  return (
    <EntityRow
      board={board}
      id={id}
      class="flight"
      lead={<Avatar name={owner} />}
      actions={fix && <FixButton board={board} fix={fix} />}
    >
      <span class="meta row soft">
        <strong>{owner || "Unassigned"}</strong>
        {place && <span class="branch">{place}</span>}
        <Bar of={[ticked, criteria]} />
        {activity && <span class={idle && "warn"} title={idle}>{activity}</span>}
      </span>
    </EntityRow>
  );
}
