/** The changes since a time, by person or agent, one line an entity. */

import { quoted, shortLine, word } from "../../../src/plain_text.ts";
import { counted } from "../../../src/plugin/counted.ts";
import { shownDifference } from "../entity/line_diff.ts";
import { plainOf } from "../entity/document.ts";
import { branchOf } from "../git/refs.ts";
import { inTurns } from "../../../src/io/turns.ts";
import { entityNamed, type PlanView } from "./access.ts";
import { pageOf } from "./select.ts";
import {
  type AuthoredChange,
  type ChangesAsked,
  describeChanges,
  readChanges,
  runsOf,
  titleOf,
} from "./changes.ts";
import { unlessEmpty } from "../../../src/io/json.ts";

/** The changes since a time: rows by author, those with most rows first, and newest first. */
export type Today = Awaited<ReturnType<typeof readToday>>;

export async function readToday(plan: PlanView, asked: ChangesAsked) {
  const all = await readChanges(plan, asked);
  // Changes of one author in one entity and place, oldest first.
  const groups = Map.groupBy(
    all.changes,
    ({ by, place = "", event: { file, id } }) => [by, place, file ?? id].join("\0"),
  );
  const rows: TodayRow[] = [];
  for await (const changes of inTurns(groups.values(), plan.signal)) {
    rows.push(todayRow(plan, changes));
  }
  const people = [...Map.groupBy(rows, ({ by }) => by).values()];
  const hashes = all.changes.flatMap(({ event, isCommitted }) => isCommitted ? event.hash : []);
  return {
    rows: people.sort((a, b) => b.length - a.length).flatMap((rows) =>
      rows.sort((a, b) => Date.parse(b.date) - Date.parse(a.date))
    ),
    commits: new Set(hashes).size,
    warnings: all.warnings,
  };
}

/** The changes that one author has made in an entity, in one place. */
type TodayRow = ReturnType<typeof todayRow>;

function todayRow(plan: PlanView, changes: readonly AuthoredChange[]) {
  const last = changes.at(-1)!;
  const { by, place, isCommitted, event: { id, type = "", file = "", date } } = last;
  const item = plan.inFile(file);
  return {
    id: item?.id ?? id ?? file,
    title: item?.title || titleOf(last),
    type,
    // Empty for what is not committed, if nobody is assigned.
    by,
    // Such as `ready → in-progress, 1 of 13 ticked, text +4 −1`.
    text: describeChanges(changes),
    // The date of the last change.
    date,
    // The branch or worktree; without one, it is this folder.
    place,
    isOpen: isCommitted ? undefined : true,
  };
}

/** A row as a line, which says whether it is elsewhere or not committed. */
export function lineOf({ id, title, text, place, isOpen }: TodayRow): string {
  const where = [isOpen && "not committed", place && `on ${word(place)}`].filter(Boolean);
  const name = title === "" ? word(id) : `${word(id)} ${quoted(title)}`;
  return `${name}: ${text}${where.length === 0 ? "" : ` (${where.join(", ")})`}`;
}

/** The name of an author; uncommitted changes may have none. */
const authorName = (by: string) => by || "not committed, nobody assigned";

/** The changes as Markdown: a list for each author. */
export function todayList({ dir }: Pick<PlanView, "dir">, { rows, commits }: Today, since: string) {
  const branch = branchOf(dir);
  const on = branch === undefined ? "" : ` on ${branch}`;
  const people = [...Map.groupBy(rows, ({ by }) => by)].flatMap(([by, rows]) => [
    "",
    `**${shortLine(authorName(by), 100)}**`,
    "",
    ...rows.map((row) => `- ${lineOf(row)}`),
  ]);
  const from = since === "1d" ? "yesterday" : since.replace(/T(\d\d:\d\d).*/, " $1 UTC");
  const title = `## Since ${from}${on}: ${counted(commits, "commit")}`;
  return [title, ...people.length > 0 ? people : ["", "Nothing has changed."], ""].join("\n");
}

/** The lines that an author, or everybody, has changed in an entity. */
export async function readDifference(
  plan: PlanView,
  asked: ChangesAsked & { readonly id: string; readonly place?: string | undefined },
): Promise<string[]> {
  const { changes } = await readChanges(plan, { workingTree: true, ...asked });
  const ofEntity = changes.filter(({ event: { file = "", id = file }, place }) =>
    (plan.inFile(file)?.id ?? id) === asked.id && place === asked.place
  );
  return runsOf(ofEntity).flatMap(({ first, last }, at) => [
    ...at > 0 ? ["…"] : [],
    ...shownDifference(plainOf(first.before ?? ""), plainOf(last.after ?? "")),
  ]);
}

/** The default number of entities by author. */
const TODAY_ROWS = 50;

/** A page of changes by author, of the plan or of one entity. */
export async function changesByAuthor(
  plan: PlanView,
  { id, summary = false, limit = TODAY_ROWS, cursor, ...asked }: ChangesAsked & {
    readonly id?: string | undefined;
    readonly summary?: boolean | undefined;
    readonly limit?: number | undefined;
    readonly cursor?: string | undefined;
  },
) {
  const { rows: all, commits, warnings } = await readToday(plan, asked);
  const only = id && (plan.find(id)?.id ?? id.trim());
  const rows = all.filter((row) =>
    only === undefined || row.id.toLowerCase() === only.toLowerCase()
  );
  // A removed one has changes, too.
  if (only !== undefined && rows.length === 0) entityNamed(plan, only);
  const { items, nextCursor } = pageOf(rows, limit, cursor);
  const authors = [...Map.groupBy(items, ({ by }) => by)].map(([by, rows]) => ({
    by: authorName(by),
    changes: rows.map(lineOf),
  }));
  return {
    total: rows.length,
    commits: summary ? commits : undefined,
    authors,
    nextCursor,
    warnings: unlessEmpty(warnings),
  };
}
