/// <reference lib="dom" />
/** The plan as it is now, and as a board, with a panel for the open entity. */

import { Fragment, h, render } from "preact";
import { Board } from "./board_state.ts";
import { Columns } from "./columns.tsx";
import { CreateForm } from "./create.tsx";
import { EntityPanel } from "./entity.tsx";
import { Summary, Toolbar } from "./filters.tsx";
import { connect, reasonOf } from "./host.ts";
import { followKeys, Keys } from "./keys.tsx";
import { Now } from "./now.tsx";
import { Notices } from "./panel.tsx";

function BoardApp({ board }: { board: Board }) {
  const { settings, openId: id, creating, listsKeys } = board;
  return (
    <div class="app">
      <main data-tab={settings.tab}>
        <Toolbar board={board} />
        {board.lost !== "" && <p class="warn" role="alert">{board.lost}</p>}
        <Content board={board} />
        <Notices board={board} />
      </main>
      {creating
        ? <CreateForm board={board} />
        : id && <EntityPanel key={id} board={board} id={id} />}
      {listsKeys && <Keys board={board} />}
    </div>
  );
}

function Content({ board }: { board: Board }) {
  const { settings: { tab }, stamp, lost, cards, visibleCards } = board;
  if (stamp === "") {
    return lost === "" ? <p class="empty" role="status">Reading the plan…</p> : null;
  }
  if (cards.size === 0) {
    return (
      <p class="empty">
        The plan has no entities yet.{" "}
        <button class="primary" onClick={() => board.create()}>Create the first one</button>
      </p>
    );
  }
  if (tab === "now") return <Now board={board} />;
  return (
    <>
      <Summary board={board} visible={visibleCards} />
      {visibleCards.length > 0
        ? <Columns board={board} cards={visibleCards} />
        : <p class="empty">No matching entities.</p>}
    </>
  );
}

/** Draws the board, and keeps the focus where it was, or moves it to where it is wanted. */
function draw(): void {
  const { activeElement: focused } = document;
  const panel = document.querySelector("#entity");
  const { id } = (focused?.closest<HTMLElement>("#entity") ??
    focused?.closest<HTMLElement>("[data-id]"))?.dataset ?? {};
  render(<BoardApp board={board} />, document.body);
  if (panel === null && document.querySelector("#entity")) board.opener = focused;
  const wanted = board.wanted && document.querySelector<HTMLElement>(board.wanted);
  if (wanted) {
    board.wanted = "";
    wanted.focus();
    if (wanted instanceof HTMLTextAreaElement) wanted.setSelectionRange(0, 0);
  } else if (focused?.isConnected === false && !board.listsKeys) {
    // A card that changed its column is a new element; a closed panel leads back to its card.
    const same = id && document.querySelector(`main [data-id="${CSS.escape(id)}"]`) || board.opener;
    if (same instanceof HTMLElement) same.focus({ preventScroll: true });
  }
}

/** Draws once for all changes of an event. */
function oncePerEvent(draw: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      draw();
    });
  };
}

const board = new Board(await connect("refrakt plan board", "plan"));
board.draw = oncePerEvent(draw);
followKeys(board);
board.draw();
board.start().catch((error) => board.set({ lost: reasonOf(error) }));
