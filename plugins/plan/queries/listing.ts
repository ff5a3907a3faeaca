/** Lists entities as `plan_list` answers them: filtered, searched, sorted, a page at a time. */

import type { Entity } from "../entity/entity.ts";
import { isTask } from "../entity/lifecycle.ts";
import { shownRemoteClaim } from "../remote/claims.ts";
import { knownClaims } from "../remote/mod.ts";
import { type PlanView, rowOf, unlessEmpty } from "./access.ts";
import { withTaken, withTakenField } from "./availability.ts";
import { hasClaim, readClaims, shownClaim } from "./claims.ts";
import { readElsewhere, uncheckedSentence } from "./elsewhere.ts";
import { examinedOf, onceEach, rowWith, withElsewhere } from "./elsewhere_rows.ts";
import { checkFields, fieldNames, fieldTexts, fieldValue, withCostly } from "./fields.ts";
import { readBodies, searchText, whyNoHits } from "./search.ts";
import { byId, filterItems, type Filters, pageOf, sortItems } from "./select.ts";
import { tableOf } from "./table.ts";
import { duplicateNote } from "./waits.ts";

/** The default number of rows, and that of a search, with a line of text. */
const [ROWS, HITS] = [50, 20];

/** The characters of a row, on average, where no call asks for more columns. */
const ROW_LENGTH = 70;

/** What a row has by default, besides id, title, status and rank. */
const COLUMNS = ["milestone", "blockedBy"];

/** What is listed; the fields are those of the tool. */
export interface ListAsked extends Filters {
  readonly text?: string | undefined;
  readonly claimed?: boolean | undefined;
  readonly blocks?: boolean | undefined;
  readonly branches?: boolean | undefined;
  readonly fields?: readonly string[] | undefined;
  readonly sort?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export async function listEntities(opened: PlanView, input: ListAsked) {
  const { cursor, text, branches = false, claimed, blocks } = input;
  const { limit = text === undefined ? ROWS : HITS } = input;
  const { sort = blocks === true ? "-blocks" : undefined } = input;
  const asked = withTakenField(input.fields ?? []).concat(blocks === true ? "blocks" : []);
  const read = asked.concat(sort ?? [], blocks === undefined ? [] : "blocks");
  const here = await withCostly(await withTaken(opened, read), read);
  const elsewhere = branches ? await readElsewhere(here) : undefined;
  const plan = elsewhere === undefined ? here : withElsewhere(here, elsewhere);
  checkFields("fields", asked, fieldNames(plan));
  const matching = onceEach(plan, filterItems(plan, input))
    .filter((item) =>
      blocks === undefined || blocks === (fieldValue(plan, item, "blocks") !== undefined)
    );
  const { claims, note } = claimed === true ? await readClaims(here, matching) : {};
  const remote = claimed === undefined ? undefined : await knownClaims(plan);
  const unknown = remote?.unknown ?? [];
  const filtered = remote === undefined
    ? matching
    : matching.filter((item) => (hasClaim(item) || remote.claims.has(item.id)) === claimed);
  const isElsewhere = ({ id }: Entity) => elsewhere?.states.has(id) ? 0 : 1;
  const ids = byId(plan);
  const bodies = text === undefined ? undefined : await readBodies(here);
  const hits = bodies && searchText(bodies, filtered, text!);
  const nothing = hits?.length === 0 ? await whyNoHits(bodies!, filtered, text!) : undefined;
  const places = new Map(
    hits?.map(({ item, line, text }) => {
      // The title is in the row.
      const isTitle = text.replace(/^#\s+/, "") === item.title;
      return [item, { line, text: isTitle ? undefined : text }];
    }),
  );
  const listed = hits?.map(({ item }) => item) ??
    filtered.toSorted((a, b) => isElsewhere(a) - isElsewhere(b) || ids(a, b));
  const sorted = sort === undefined ? listed : sortItems(plan, listed, sort);
  const { items, nextCursor } = pageOf(sorted, limit, cursor);
  const fields = input.fields === undefined ? [...COLUMNS, ...asked] : asked;
  const rows = items.map((item) => {
    const [claim, remoteClaim] = [claims?.get(item), remote?.claims.get(item.id)];
    return {
      ...(elsewhere === undefined ? rowOf(item) : rowWith(here, elsewhere, item)),
      rank: rankIn(plan, item, fields),
      ...Object.fromEntries(fields.map((name) => [name, fieldValue(plan, item, name)])),
      claim: claim && shownClaim(claim),
      remoteClaim: remoteClaim && shownRemoteClaim(remoteClaim),
      ...places.get(item),
    };
  });
  const isUsual = input.fields === undefined && !branches && claimed === undefined &&
    hits === undefined;
  return {
    total: sorted.length,
    ...tableOf(rows, isUsual ? Math.max(ROWS, rows.length) * ROW_LENGTH : Infinity),
    nextCursor,
    note: unlessEmpty(
      [
        ...new Set([
          note,
          nothing,
          ...here.gaps ?? [],
          ...items.map((item) => duplicateNote(plan, item)),
        ]),
      ]
        .filter(Boolean),
    )?.join("; "),
    unchecked: uncheckedSentence([
      ...new Set(unknown.concat(here.taken?.unchecked ?? [])).difference(
        new Set(elsewhere?.leftOut),
      ),
    ]),
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
