/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * The plan as a board and as a timeline.
 *
 * @module
 */

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Board } from "./board_state.ts";
import { Columns } from "./columns.tsx";
import { CreateForm } from "./create.tsx";
import { EntityPanel } from "./entity.tsx";
import { Head, Summary } from "./filters.tsx";
import { connect, reasonOf } from "./host.ts";
import { ACTIVE, ALL, columnsOf, filterCards } from "./model.ts";
import { Notices } from "./parts.tsx";
import { Sheet } from "./sheet.tsx";
import { Timeline } from "./timeline.tsx";

function App({ board }: { board: Board }) {
  const [, draw] = useState(0);
  useEffect(() => {
    board.draw = () => draw((count) => count + 1);
    board.start().catch((error) => board.say(reasonOf(error), { bad: true }));
    addEventListener("keydown", (event) => {
      const isText = event.target instanceof Element && event.target.matches("input, textarea");
      if (isText || event.key !== "z" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      void board.undo();
    });
  }, []);
  const { settings, cards, opened, creating } = board;
  const id = opened.at(-1);
  const isOpen = id !== undefined || creating;
  return (
    <>
      <main data-tab={settings.tab}>
        <Head board={board} />
        {!isOpen && <Notices board={board} id="notice" />}
        <Content board={board} loading={board.stamp === ""} empty={cards.size === 0} />
      </main>
      {isOpen && (
        <Sheet board={board} key={creating ? "" : id}>
          {creating ? <CreateForm board={board} /> : <EntityPanel board={board} id={id!} />}
        </Sheet>
      )}
    </>
  );
}

function Content({ board, loading, empty }: { board: Board; loading: boolean; empty: boolean }) {
  const { settings, cards, statuses } = board;
  if (loading) return <p class="empty" role="status">Reading the plan…</p>;
  if (empty) {
    return (
      <p class="empty">
        The plan has no entities yet.{" "}
        <button class="primary" onClick={() => board.create()}>Create the first one</button>
      </p>
    );
  }
  const shown = filterCards(cards, settings);
  // For several types, show the columns of active work even if empty, as drop targets.
  const own = statuses[settings.type ?? ALL] ??
    (statuses["work"] ?? []).filter((status) => ACTIVE.includes(status));
  const columns = columnsOf(shown, own, settings.toggled ?? "");
  return (
    <>
      <Summary board={board} shown={shown} />
      {shown.length === 0 && (
        <p class="empty">
          No matching entities. <button onClick={() => board.clearFilters()}>Clear filters</button>
          {" "}
          <button onClick={() => board.create()}>Create one</button>
        </p>
      )}
      {shown.length > 0 && settings.tab === "board" && (
        <Columns board={board} shown={shown} columns={columns} />
      )}
      {shown.length > 0 && settings.tab === "timeline" && <Timeline board={board} shown={shown} />}
    </>
  );
}

render(<App board={new Board(await connect("refrakt plan board", "plan"))} />, document.body);
