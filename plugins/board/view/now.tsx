/// <reference lib="dom" />
/** The first tab: what has happened, what to take up next, who works on what, what needs you. */

import { type ComponentChildren, Fragment, h } from "preact";
import type { Need, NowData, Work } from "../../plan/queries/board_data.ts";
import type { Board } from "./board_state.ts";
import { Bar, Count, Small } from "./controls.tsx";
import { EntityRow } from "./entities.tsx";
import { Avatar } from "./icons.tsx";
import { TakeNext } from "./take_next.tsx";
import { Today } from "./today.tsx";

export function Now({ board }: { board: Board }) {
  const { viewData: now, error } = board.part<NowData>("board", { show: "now" });
  return (
    <div id="now" aria-busy={now === undefined}>
      <Today board={board} />
      <NowPart title="Take next" count={board.plan.next.length}>
        <TakeNext board={board} now={now} />
      </NowPart>
      {error && <p class="blocked" role="alert">{error}</p>}
      {!now && !error && <p class="soft" role="status">Reading git…</p>}
      {now && (
        <div class="pair">
          <NowPart title="In flight" count={now.work.length}>
            {now.work.length === 0 && <p class="soft">Nobody works on anything.</p>}
            <ul class="rows">
              {now.work.map((work) => (
                <WorkRow key={`${work.id} ${work.place}`} board={board} work={work} />
              ))}
            </ul>
          </NowPart>
          <NowPart title="Needs you" count={now.needs.filter(({ isOld }) => !isOld).length}>
            <Needs board={board} needs={now.needs} />
          </NowPart>
        </div>
      )}
      {now?.notes.map((note) => <p class="soft small" key={note}>{note}</p>)}
    </div>
  );
}

function NowPart({ title, count, children }: {
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

function WorkRow({ board, work }: { board: Board; work: Work }) {
  const { id, owner, place, criteria, date, age, idle } = work;
  return (
    <EntityRow
      board={board}
      id={id}
      class="flight"
      lead={<Avatar name={owner} />}
      actions={idle && <FixButton board={board} need={idle} />}
    >
      <span class="meta row soft">
        <strong>{owner || "Unassigned"}</strong>
        {place && <span class="branch">{place}</span>}
        <Bar of={criteria} />
        {idle
          ? <span class="warn" title={idle.text}>idle since {date?.slice(0, 10)}</span>
          : date && <span>active {age === "" ? "today" : `${age} ago`}</span>}
      </span>
    </EntityRow>
  );
}

/** The buttons of corrections; those of other kinds are as likely as others. */
const LABELS: Readonly<Record<string, string>> = {
  "criteria-done": "Finish",
  "work-done": "Complete",
  "nothing-blocks": "Unblock",
  "idle": "Release",
};

const wordsOf = (kind: string) => kind.replaceAll("-", " ");

/** Conflicts and reviews come first. */
export function Needs({ board, needs }: { board: Board; needs: readonly Need[] }) {
  const recent = needs.filter(({ isOld }) => !isOld);
  return (
    <>
      {recent.length === 0 && <p class="soft">Nothing. The plan and git agree.</p>}
      <NeedRows board={board} needs={recent} />
      <Older board={board} needs={needs.filter(({ isOld }) => isOld)} />
    </>
  );
}

/** Needs behind their counts, such as `84 older: 70 open criteria, 14 work done`. */
function Older({ board, needs }: { board: Board; needs: readonly Need[] }) {
  if (needs.length === 0) return null;
  const counts = [...Map.groupBy(needs, ({ kind }) => kind)]
    .map(([kind, { length }]) => `${length} ${wordsOf(kind)}`);
  return (
    <details>
      <summary>{needs.length} older: {counts.join(", ")}</summary>
      <NeedRows board={board} needs={needs} />
    </details>
  );
}

function NeedRows({ board, needs }: { board: Board; needs: readonly Need[] }) {
  return (
    <ul class="rows">
      {needs.map((need) => <NeedRow key={need.kind + need.id} board={board} need={need} />)}
    </ul>
  );
}

function NeedRow({ board, need }: { board: Board; need: Need }) {
  const { kind, id, text } = need;
  const { accept, back } = board.plan.reviews[board.cards.get(id)?.type ?? ""] ?? {};
  const move = (status: string) => board.writes.move(id, status);
  return (
    <EntityRow
      board={board}
      id={id}
      class="need"
      lead={<span class="badge" data-kind={kind}>{wordsOf(kind)}</span>}
      actions={kind !== "review" ? <FixButton board={board} need={need} /> : (
        <>
          {accept && <Small text="Accept" of={id} onClick={() => move(accept)} />}
          {back && <Small text="Send back" of={id} onClick={() => move(back)} />}
        </>
      )}
    >
      <span class="soft">{text}</span>
    </EntityRow>
  );
}

export function FixButton({ board, need: { kind, id, arguments: args, when } }: {
  board: Board;
  need: Need;
}) {
  const label = LABELS[kind];
  if (args === undefined || label === undefined) return null;
  const run = () => board.writes.update({ args, text: `${id}: ${label.toLowerCase()}` });
  return <Small text={label} of={id} title={`Right if ${when}`} onClick={run} />;
}
