/** What the tables are declared with and filled from. */

import { orOtherwise } from "../../../src/errors.ts";
import { type Turn, turnTaker } from "../../../src/io/turns.ts";
import type { Row, Table, TablePart, TableState } from "../../../src/plugin/context.ts";
import { openPlan, type PlanView } from "../queries/access.ts";
import { existingPlan } from "../store/place.ts";

/** How many rows are added to a table at once. */
const MOST_ROWS = 1000;

/** What a table has at one time, besides the state of the plan's files. */
interface Contents extends Partial<Omit<TableState, "parts">> {
  /** All rows; or the parts of the table. */
  readonly rows?: TablePart["rows"];
  readonly parts?: TableState["parts"];
}

/** Declares a table. Its rows are replaced when the plan's files or its inputs change. */
export function planTable(
  declared: Omit<Table, "read">,
  read: (plan: PlanView, columns: ReadonlySet<string>) => Contents | Promise<Contents>,
): Table {
  return {
    ...declared,
    read: async (columns, context) => {
      const plan = await openPlan(await existingPlan(context));
      const { inputs, notes = [], rows = () => [], parts } = await read(plan, columns);
      return {
        inputs: { files: plan.files, ...inputs },
        notes,
        parts: parts ?? (() => partsOf(rows, turnTaker(context.signal))),
      };
    },
  };
}

/** Splits rows into parts, between which others have a turn. */
async function partsOf(rows: TablePart["rows"], turn: Turn): Promise<TablePart[]> {
  const parts: TablePart[] = [];
  let part: Row[] = [];
  for (const row of await rows()) {
    if (part.length === MOST_ROWS) part = [];
    if (part.length === 0) {
      const rows = part;
      parts.push({ key: rows, rows: () => rows });
    }
    part.push(row);
    await turn();
  }
  return parts;
}

/** A date in UTC, such as `2026-07-31T12:00:00Z`, so that dates sort as text. */
export function utc(date: string | number): string {
  return new Date(date).toISOString().replace(/\.\d+Z$/, "Z");
}

/** The length of hashes, as in `plan_history`. */
export const HASH_LENGTH = 7;

/**
 * Reads the events of a plan, newest first; `inputs` identify this state of the history. Without
 * one, there are no events and a note says why.
 */
export async function eventsOf(plan: PlanView) {
  const history = await unlessMissing(plan, () => plan.history());
  if (typeof history === "string") {
    return { events: [], inputs: { history }, notes: [history] };
  }
  const { events, warnings, version } = history;
  return { events, inputs: { history: version }, notes: warnings };
}

/** Returns a sentence if git cannot answer. */
export function unlessMissing<Value>(
  { signal }: PlanView,
  read: () => Promise<Value>,
): Promise<Value | string> {
  return orOtherwise(
    signal,
    read,
    ({ message }) => `Without git's history, dates and commits are missing: ${message}`,
  );
}
