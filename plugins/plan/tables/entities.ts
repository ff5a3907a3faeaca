/** Tables with the entities, their attributes, and their states elsewhere. */

import type { Row } from "../../../src/plugin/context.ts";
import { type Entity, splitList } from "../entity/entity.ts";
import type { HistoryEvent } from "../git/events.ts";
import { pathOf, type PlanView } from "../queries/access.ts";
import { dateFinder } from "../queries/git_facts.ts";
import { criteriaRatio, workRatio } from "../queries/progress.ts";
import { CLAIMED } from "../entity/lifecycle.ts";
import { knownClaims } from "../remote/claims.ts";
import { readAvailability } from "../queries/availability.ts";
import { readElsewhere, uncheckedSentence } from "../queries/elsewhere.ts";
import { planTable, readEvents, utc } from "./read_plan.ts";

const DATES = ["created", "modified"];

export const entitiesTable = planTable({
  name: "entities",
  columns: {
    id: "such as WORK-001; a milestone's name",
    type: "spec, work, bug, decision, milestone",
    title: "the first heading",
    status: "",
    finished: "1: the status ends the work",
    offered: "1: plan_next without filters would offer it",
    priority: "of work items; plan_update lists the values",
    severity: "of bugs; plan_update lists the values",
    complexity: "",
    milestone: "the id of a milestone",
    assignee: "",
    source: "ids as written, separated by commas; one by one in refs",
    open: "number of criteria that are not ticked",
    done: "number of criteria that are ticked",
    items: "of a milestone or spec: number of its work items and bugs",
    items_done: "how many of them are done",
    path: "of the file, relative to the project",
    created: "date of the first commit, UTC; null if not committed",
    modified: "date of the last commit that changed the file, UTC",
  },
  numbers: ["finished", "offered", "open", "done", "items", "items_done"],
  keys: ["id", "path"],
  costly: ["offered", ...DATES],
}, async (plan, columns) => {
  const offers = columns.has("offered") ? await readAvailability(plan) : undefined;
  const ids = offers?.offered.map(({ id }) => id);
  const rowsOf = (plan: PlanView, events: readonly HistoryEvent[]) =>
    entityRows(plan, events, ids && new Set(ids));
  const needsGit = DATES.some((name) => columns.has(name));
  const { inputs, notes = [], rows } = needsGit ? await readEvents(plan, rowsOf) : {};
  return {
    inputs: { ...inputs, offers: ids?.join() },
    notes: [...notes, ...notRead(offers?.unchecked ?? [])],
    rows: rows ?? (() => rowsOf(plan, [])),
  };
});

function* entityRows(
  plan: PlanView,
  events: readonly HistoryEvent[],
  offered: ReadonlySet<string> | undefined,
): Generator<Row> {
  const datesOf = dateFinder(events);
  for (const item of plan.entities) {
    const { id, type, title, status, finished, attributes } = item;
    const { created, modified } = datesOf(item);
    const criteria = criteriaRatio(item);
    const work = type === "milestone" || type === "spec" ? workRatio(plan, item) : undefined;
    yield {
      ...attributes,
      id,
      type,
      title: title || null,
      status: status || null,
      finished: Number(finished),
      offered: offered && Number(offered.has(id)),
      open: criteria.total - criteria.done,
      done: criteria.done,
      items: work?.total,
      items_done: work?.done,
      path: pathOf(plan, item),
      created: created && utc(created),
      modified: modified && utc(modified),
    };
  }
}

function notRead(leftOut: readonly string[]): string[] {
  return leftOut.length === 0 ? [] : [`Not read: ${uncheckedSentence(leftOut)}`];
}

export const attributesTable = planTable({
  name: "attributes",
  columns: {
    id: "the entity",
    name: "of the attribute; tags are one row each, with the name tag",
    value: "as written",
  },
  keys: ["id"],
}, ({ entities }) => ({ rows: () => entities.flatMap(attributeRows) }));

function attributeRows({ id, attributes }: Entity): Row[] {
  return Object.entries(attributes).flatMap(([name, value]) =>
    name === "tags"
      ? splitList(value).map((tag) => ({ id, name: "tag", value: tag }))
      : [{ id, name, value }]
  );
}

export const elsewhereTable = planTable({
  name: "elsewhere",
  columns: {
    id: "of an entity whose state differs there",
    branch: "where it differs; of a worktree, the branch that is checked out",
    worktree: "the folder of a worktree, relative to the project",
    remote: "the remote that has the claim",
    clone: "the clone that made the claim",
    status: "there",
    assignee: "there",
    date: "of the branch's last commit, or of the claim, UTC",
  },
  keys: ["id"],
}, async (plan) => {
  const { states, leftOut, nothing = [] } = await readElsewhere(plan);
  const { claims, address, unknown } = await knownClaims(plan);
  return {
    // Branches, worktrees and claims change without the plan.
    inputs: { states, claims: JSON.stringify([...claims.values()]) },
    notes: notRead(leftOut.concat(nothing, unknown)),
    rows: () => [
      ...[...states].flatMap(([id, places]) =>
        places.map(({ branch, worktree, date, item: { status, attributes } }): Row => ({
          id,
          branch,
          worktree,
          status: status || null,
          assignee: attributes["assignee"] || null,
          date: date && utc(date),
        }))
      ),
      ...[...claims.values()].map(({ id, owner, clone, since, branch }): Row => ({
        id,
        branch: branch || null,
        remote: address,
        clone,
        status: CLAIMED,
        assignee: owner,
        date: since === "" ? null : utc(since),
      })),
    ],
  };
});
