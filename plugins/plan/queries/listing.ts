/** Lists entities as `plan_list` answers them: filtered, searched, sorted, a page at a time. */

import { shortText } from "../../../src/plain_text.ts";
import type { Entity } from "../entity/entity.ts";
import { isTask } from "../entity/lifecycle.ts";
import { knownClaims, shownRemoteClaim } from "../remote/claims.ts";
import type { PlanView } from "./access.ts";
import { withFields, withTakenField } from "./availability.ts";
import { hasClaim, readClaims, shownClaim } from "./git_facts.ts";
import { readElsewhere, uncheckedSentence } from "./elsewhere.ts";
import { examinedOf, onceEach, rowWith, withElsewhere } from "./elsewhere_rows.ts";
import { checkFields, fieldNames, fieldTexts, fieldValue } from "./fields.ts";
import { searchItems } from "./search.ts";
import { byId, filterItems, type Filters, pageOf, sortItems } from "./select.ts";
import { duplicateNote } from "./waits.ts";

/** The default number of rows, and that of a search, with a line of text. */
const [ROWS, HITS] = [50, 20];

/** The characters of a row, on average, where no call asks for more columns. */
const ROW_LENGTH = 70;

/** The default columns besides id, title, status and rank. */
const COLUMNS = ["milestone", "blockedBy"];

/** The arguments of `plan_list`. */
type ListAsked =
  & Filters
  & { readonly [Name in "text" | "sort" | "cursor"]?: string | undefined }
  & { readonly [Name in "claimed" | "blocks" | "branches"]?: boolean | undefined }
  & { readonly fields?: readonly string[] | undefined; readonly limit?: number | undefined };

export async function listEntities(opened: PlanView, input: ListAsked) {
  const { cursor, text, branches = false, claimed, blocks } = input;
  const { limit = text === undefined ? ROWS : HITS } = input;
  const { sort = blocks === true ? "-blocks" : undefined } = input;
  const asked = withTakenField(input.fields ?? []).concat(blocks === true ? "blocks" : []);
  const read = asked.concat(sort ?? [], blocks === undefined ? [] : "blocks");
  const here = await withFields(opened, read);
  const elsewhere = branches ? await readElsewhere(here) : undefined;
  const plan = elsewhere === undefined ? here : withElsewhere(here, elsewhere);
  checkFields("fields", asked, fieldNames(plan));
  const matching = onceEach(plan, filterItems(plan, input))
    .filter((item) =>
      blocks === undefined || blocks === (fieldValue(plan, item, "blocks") !== undefined)
    );
  const { claims, note } = claimed === true ? await readClaims(here, matching) : {};
  const remote = claimed === undefined ? undefined : await knownClaims(plan);
  const filtered = remote === undefined
    ? matching
    : matching.filter((item) => (hasClaim(item) || remote.claims.has(item.id)) === claimed);
  const search = text === undefined ? undefined : await searchItems(here, filtered, text);
  const isElsewhere = ({ id }: Entity) => elsewhere?.states.has(id) ? 0 : 1;
  const ids = byId(plan);
  const listed = search
    ? [...search.hits.keys()]
    : filtered.sort((a, b) => isElsewhere(a) - isElsewhere(b) || ids(a, b));
  const sorted = sort === undefined ? listed : sortItems(plan, listed, sort);
  const { items, nextCursor } = pageOf(sorted, limit, cursor);
  const fields = input.fields === undefined ? [...COLUMNS, ...asked] : asked;
  const rows = items.map((item) => {
    const claim = claims?.get(item);
    const remoteClaim = remote?.claims.get(item.id);
    return {
      ...rowWith(here, elsewhere, item),
      rank: rankIn(plan, item, fields),
      ...Object.fromEntries(fields.map((name) => [name, fieldValue(plan, item, name)])),
      claim: claim && shownClaim(claim),
      remoteClaim: remoteClaim && shownRemoteClaim(remoteClaim),
      ...search?.hits.get(item),
    };
  });
  const isUsual = [input.fields, claimed, text].every((each) => each === undefined) && !branches;
  const notes = [note, search?.note, ...here.gaps ?? []]
    .concat(items.map((item) => duplicateNote(plan, item)));
  const unread = new Set([...remote?.unknown ?? [], ...here.taken?.unchecked ?? []]);
  return {
    total: sorted.length,
    ...columnTable(rows, isUsual ? Math.max(ROWS, rows.length) * ROW_LENGTH : Infinity),
    nextCursor,
    note: [...new Set(notes)].filter(Boolean).join("; ") || undefined,
    unchecked: uncheckedSentence([...unread.difference(new Set(elsewhere?.leftOut))]),
    branches: elsewhere && examinedOf(elsewhere),
  };
}

/**
 * Priority, or severity, and ticked criteria of unfinished work and bugs, unless the call asks for them
 * by name.
 */
function rankIn(plan: PlanView, item: Entity, fields: readonly string[]): string | undefined {
  if (item.finished || !isTask(item)) return undefined;
  const names = [item.type === "bug" ? "severity" : "priority", "criteria"]
    .filter((name) => !fields.includes(name));
  return names.flatMap((name) => fieldTexts(plan, item, name)).join(" ") || undefined;
}

/** The least that is shown of a title, in characters. */
const LEAST_TITLE = 20;

/**
 * Builds a table. Columns that are empty in more rows come later, so that rows can leave out empty
 * cells at their ends.
 *
 * @param most From how many characters on the longest titles are shortened.
 */
function columnTable(rows: readonly Readonly<Record<string, unknown>>[], most: number) {
  const filled = new Map<string, number>();
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      if (hasValue(value)) filled.set(name, (filled.get(name) ?? 0) + 1);
    }
  }
  const names = [...filled.keys()].sort((a, b) => filled.get(b)! - filled.get(a)!);
  const [first] = rows.length > 1 ? rows : [];
  const same = names.filter((name) =>
    first !== undefined && name !== "id" &&
    rows.every((row) => JSON.stringify(row[name]) === JSON.stringify(first[name]))
  );
  const columns = names.filter((name) => !same.includes(name));
  const table = {
    columns,
    // The values that are equal in all rows, by the names of further columns.
    same: same.length === 0
      ? undefined
      : Object.fromEntries(same.map((name) => [name, first![name]])),
    rows: rows.map((row) => {
      const end = columns.findLastIndex((name) => hasValue(row[name])) + 1;
      return columns.slice(0, end).map((name) => row[name] ?? null);
    }),
  };
  const excess = JSON.stringify(table).length - most;
  if (excess > 0) shortenTitles(table.rows, columns.indexOf("title"), excess);
  return table;
}

const hasValue = (value: unknown) =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);

/** Shortens the longest titles until so many characters are saved. */
function shortenTitles(rows: unknown[][], column: number, excess: number): void {
  const titles = rows.map((row) => String(row[column] ?? ""));
  const savedBy = (length: number) =>
    titles.reduce((sum, title) => sum + Math.max(0, title.length - length), 0);
  let length = Math.max(...titles.map((title) => title.length));
  while (length > LEAST_TITLE && savedBy(length) < excess) length--;
  for (const [at, title] of titles.entries()) {
    if (title.length > length) rows[at]![column] = shortText(title, length);
  }
}
