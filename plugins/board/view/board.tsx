/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * The plan as it is now, as a board and as a timeline, with a panel for the open entity.
 *
 * @module
 */

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Board } from "./board_state.ts";
import { Columns } from "./columns.tsx";
import { Commands } from "./commands.tsx";
import { CreateForm } from "./create.tsx";
import { EntityPanel } from "./entity.tsx";
import { Head, Summary } from "./filters.tsx";
import { connect, reasonOf } from "./host.ts";
import { followKeys, Keys } from "./keys.tsx";
import { ACTIVE, columnsOf } from "./model.ts";
import { Now } from "./now.tsx";
import { Panel } from "./panel.tsx";
import { Notices } from "./parts.tsx";
import { SelectionBar } from "./selection.tsx";
import { Timeline } from "./timeline.tsx";

function App({ board }: { board: Board }) {
  const [, draw] = useState(0);
  useEffect(() => {
    board.draw = () => draw((count) => count + 1);
    board.start().catch((error) => {
      board.lost = reasonOf(error);
      board.draw();
    });
    followKeys(board);
  }, []);
  const { settings, cards, openId: id, creating, dialog } = board;
  const isOpen = id !== undefined || creating;
  return (
    <>
      <div class="app">
        <main data-tab={settings.tab}>
          <Head board={board} />
          {board.lost !== "" && <p class="lost" role="alert">{board.lost}</p>}
          <Content board={board} loading={board.stamp === ""} empty={cards.size === 0} />
          {board.selected.size > 0 && <SelectionBar board={board} />}
          <Notices board={board} />
        </main>
        {isOpen && (
          <Panel board={board} isWide={cards.get(id ?? "")?.type === "milestone" && !creating}>
            {creating
              ? <CreateForm board={board} />
              : <EntityPanel key={id} board={board} id={id!} />}
          </Panel>
        )}
      </div>
      {dialog === "keys" && <Keys board={board} />}
      {dialog === "commands" && <Commands board={board} />}
    </>
  );
}

function Content({ board, loading, empty }: { board: Board; loading: boolean; empty: boolean }) {
  const { settings, statuses } = board;
  if (loading) {
    return board.lost === "" ? <p class="empty" role="status">Reading the plan…</p> : null;
  }
  if (empty) {
    return (
      <p class="empty">
        The plan has no entities yet.{" "}
        <button class="primary" onClick={() => board.create()}>Create the first one</button>
      </p>
    );
  }
  if (settings.tab === "now") return <Now board={board} />;
  const { shown } = board;
  // For several types, show the columns of active work even if empty, as drop targets.
  const own = statuses[settings.type ?? ""] ??
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

const board = new Board(await connect("refrakt plan board", "plan"));
render(<App board={board} />, document.body);
