/** Declares the tables, and reads their rows with or without git. */

import { orOtherwise } from "../../../src/errors.ts";
import type { Row, Table, TablePart, TableState } from "../../../src/plugin/context.ts";
import type { HistoryEvent } from "../git/events.ts";
import { openPlan, type PlanView } from "../queries/access.ts";
import { existingPlan } from "../store/place.ts";
import { unreadableIn } from "../store/problems.ts";

/** The contents of a table at one time: all rows or parts, and inputs besides the plan's files. */
interface TableContents extends Partial<TableState> {
  readonly rows?: TablePart["rows"];
}

/** Declares a table. Its rows are replaced when the plan's files or its inputs change. */
export function planTable(
  declared: Omit<Table, "read">,
  read: (plan: PlanView, columns: ReadonlySet<string>) => TableContents | Promise<TableContents>,
): Table {
  return {
    ...declared,
    read: async (columns, context) => {
      const plan = await openPlan(await existingPlan(context));
      const { rows = () => [], notes = [], ...contents } = await read(plan, columns);
      const parts = () => [{ key: rows, rows }];
      const inputs = { files: plan.files, ...contents.inputs };
      return { parts, ...contents, inputs, notes: notes.concat(unreadableIn(plan.store) ?? []) };
    },
  };
}

/** A date in UTC, such as `2026-07-31T12:00:00Z`, so that dates sort as text. */
export function utc(date: string): string {
  return new Date(date).toISOString().replace(/\.\d+Z$/, "Z");
}

/** Reads rows with git; if it cannot answer, there are none, and a note says why. */
export function readWithGit({ signal }: PlanView, read: () => Promise<TableContents>) {
  return orOtherwise(signal, read, ({ message }) => {
    const note = `Without git's history, dates and commits are missing: ${message}`;
    return { inputs: { git: note }, notes: [note] };
  });
}

/** Reads rows of the plan's events, newest first. */
export function readEvents(
  plan: PlanView,
  rowsOf: (plan: PlanView, events: readonly HistoryEvent[]) => Iterable<Row>,
): Promise<TableContents> {
  return readWithGit(plan, async () => {
    const { events, warnings: notes, version } = await plan.history();
    return { inputs: { git: version }, notes, rows: () => rowsOf(plan, events) };
  });
}
