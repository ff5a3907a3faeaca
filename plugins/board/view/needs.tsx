/// <reference lib="dom" />
/** What needs a decision, with the corrections that `plan_review` offers. */

import { Fragment, h } from "preact";
import type { Fix, Need } from "../../plan/queries/now.ts";
import type { Board } from "./board_state.ts";
import { Small } from "./controls.tsx";
import { EntityRow } from "./entities.tsx";

const wordsOf = (kind: string) => kind.replaceAll("-", " ");

/** Conflicts and reviews come first. */
export function Needs({ board, needs }: { board: Board; needs: readonly Need[] }) {
  const recent = needs.filter(({ isOld }) => !isOld);
  const old = needs.filter(({ isOld }) => isOld);
  return (
    <>
      {recent.length === 0 && <p class="soft">Nothing. The plan and git agree.</p>}
      <NeedRows board={board} needs={recent} />
      <Older board={board} needs={old} />
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
  const { kind, id, title, text, fix, accept, back } = need;
  const move = (status: string) => board.writes.move(id, status);
  return (
    <EntityRow
      board={board}
      id={id}
      title={title}
      class="need"
      lead={<span class="badge" data-kind={kind}>{wordsOf(kind)}</span>}
      actions={
        <>
          {accept && <Small text="Accept" of={id} onClick={() => move(accept)} />}
          {back && <Small text="Send back" of={id} onClick={() => move(back)} />}
          {fix && <FixButton board={board} fix={fix} />}
        </>
      }
    >
      <span class="soft">{text}</span>
    </EntityRow>
  );
}

export function FixButton({ board, fix }: { board: Board; fix: Fix }) {
  const { label, arguments: args, when } = fix;
  const text = `${args.id}: ${label.toLowerCase()}`;
  const run = () => board.writes.update({ args, text });
  return <Small text={label} of={args.id} title={`Right if ${when}`} onClick={run} />;
}
