/** `plan_list`: filters, searches and sorts entities. */

import * as z from "zod";
import { duplicateNote } from "../queries/waits.ts";
import type { Entity } from "../entity/entity.ts";
import { readElsewhere, uncheckedSentence } from "../queries/elsewhere.ts";
import { type PlanView, rowOf, unlessEmpty } from "../queries/access.ts";
import { withTaken, withTakenField } from "../queries/availability.ts";
import { claimRow, hasClaim, readClaims, shownClaim } from "../queries/claims.ts";
import {
  elsewhereState,
  examinedOf,
  examinedPlaces,
  onceEach,
  rowWith,
  withElsewhere,
} from "../queries/elsewhere_rows.ts";
import { checkFields, fieldNames, fieldTexts, fieldValue, withDates } from "../queries/fields.ts";
import { isTask } from "../entity/lifecycle.ts";
import { readBodies, searchText, whyNoHits } from "../queries/search.ts";
import { byId, filterItems, pageOf, sortItems } from "../queries/select.ts";
import { namedEntity, oneOrMore, uncheckedPlaces } from "../tool_parts/fields.ts";
import { knownClaims, shownRemoteClaim } from "../remote/mod.ts";
import { listedValues, typesIn } from "../upstream/vocabulary.ts";
import { readTool } from "../tool_parts/plan_tool.ts";

/** The default number of rows: about 5,000 characters. */
const ROWS = 50;

/** The default for a search, whose rows have a line of text. */
const HITS = 20;

/** A claim that the remote has confirmed. */
const remoteClaim = z.object({
  owner: z.string(),
  clone: z.string(),
  since: z.string().optional(),
  age: z.string().optional(),
  branch: z.string().optional(),
});

const Output = z.object({
  total: z.int(),
  items: z.array(z.looseObject({
    ...namedEntity,
    type: z.string().optional(),
    milestone: z.string().optional(),
    priority: z.string().optional(),
    rank: z.string().optional().describe(
      "Of open work: priority and ticked criteria, such as high 0/3",
    ),
    criteria: z.string().optional().describe("Ticked/all, such as 1/3"),
    blockedBy: z.array(z.string()).optional(),
    withheldBy: z.array(z.string()).optional(),
    taken: z.string().optional(),
    note: z.string().optional(),
    dependencies: z.array(z.string()).optional(),
    referencedBy: z.array(z.object({ id: z.string(), kind: z.string() })).optional(),
    path: z.string().optional(),
    uri: z.string().optional(),
    modified: z.string().optional(),
    line: z.int().optional().describe("Of the text that was found"),
    text: z.string().optional().describe("Absent if it is the title"),
    claim: claimRow.optional(),
    remoteClaim: remoteClaim.optional(),
    elsewhere: z.array(elsewhereState).optional(),
    onlyElsewhere: z.boolean().optional(),
  })),
  nextCursor: z.string().optional(),
  branches: examinedPlaces.optional(),
  note: z.string().optional(),
  unchecked: uncheckedPlaces(),
});

export const listTool = readTool({
  name: "plan_list",
  title: "List entities",
  description:
    "Finds issues (tickets, tasks, todos), bugs and specs in the plan's backlog; plan_get reads them. " +
    "refrakt_query counts, groups and filters by anything else.",
  // Claude Code's search compares whole words.
  _meta: {
    "anthropic/searchHint": "search issue issues ticket tickets task tasks todo todos backlog",
  },
  input: (vocabulary) => ({
    type: oneOrMore(typesIn(vocabulary)),
    status: oneOrMore(),
    open: z.boolean().optional().describe("Not finished"),
    milestone: oneOrMore().describe('"none": without'),
    tag: oneOrMore(),
    assignee: oneOrMore(),
    priority: oneOrMore(listedValues(vocabulary, "priority")),
    text: z.string().optional().describe('All words, or "a phrase"'),
    claimed: z.boolean().optional().describe("By whom, since when"),
    branches: z.boolean().optional().describe("Adds states elsewhere"),
    fields: z.array(z.string()).optional().describe(
      "Attributes, type, path, uri, criteria, dependencies, referencedBy, blockedBy, modified",
    ),
    sort: z.string().optional().describe('Such as "priority,-modified"'),
    limit: z.int().min(1).max(1000).optional(),
    cursor: z.string().optional(),
  }),
  output: Output,
  run: async (input, opened): Promise<z.infer<typeof Output>> => {
    const { sort, cursor, text, branches = false, claimed } = input;
    const { limit = text === undefined ? ROWS : HITS } = input;
    const fields = withTakenField(input.fields ?? []);
    const read = sort === undefined ? fields : [...fields, sort];
    const here = await withDates(await withTaken(opened, read), read);
    const elsewhere = branches ? await readElsewhere(here) : undefined;
    const plan = elsewhere === undefined ? here : withElsewhere(here, elsewhere);
    checkFields("fields", fields, fieldNames(plan));
    const matching = onceEach(plan, filterItems(plan, input));
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
    const found = sort === undefined ? listed : sortItems(plan, listed, sort);
    const { items, nextCursor } = pageOf(found, limit, cursor);
    return {
      total: found.length,
      items: items.map((item) => {
        const [claim, remoteClaim] = [claims?.get(item), remote?.claims.get(item.id)];
        return {
          ...(elsewhere === undefined ? rowOf(item) : rowWith(here, elsewhere, item)),
          rank: rankIn(plan, item, fields),
          ...Object.fromEntries(fields.map((name) => [name, fieldValue(plan, item, name)])),
          claim: claim && shownClaim(claim),
          remoteClaim: remoteClaim && shownRemoteClaim(remoteClaim),
          ...places.get(item),
        };
      }),
      nextCursor,
      note: unlessEmpty(
        [...new Set([note, nothing, ...items.map((item) => duplicateNote(plan, item))])]
          .filter(Boolean),
      )?.join("; "),
      unchecked: uncheckedSentence([
        ...new Set(unknown.concat(here.taken?.unchecked ?? [])).difference(
          new Set(elsewhere?.leftOut),
        ),
      ]),
      branches: elsewhere && examinedOf(elsewhere),
    };
  },
});

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
