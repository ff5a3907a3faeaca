/** Tables from git: events, commits, and the entities of commits. */

import { join } from "node:path";
import { shownPath } from "../../../src/io/paths.ts";
import type { Row } from "../../../src/plugin/context.ts";
import { type HistoryEvent, RESOLUTION } from "../git/events.ts";
import type { PlanView } from "../queries/access.ts";
import { dateFinder, type GitFacts, readGitFacts } from "../queries/git_facts.ts";
import { planTable, readEvents, readWithGit, utc } from "./read_plan.ts";
import { DAY_MS } from "../entity/durations.ts";

/** The length of hashes, as in `plan_history`. */
const HASH_LENGTH = 7;

export const eventsTable = planTable({
  name: "events",
  columns: {
    id: "the entity, even if it does not exist any more",
    date: "of the commit, UTC",
    hash: "of the commit, in 7 digits",
    author: "",
    message: "the first line",
    kind: "created, attributes, criteria, resolution, content, renamed, removed, merge",
    field:
      "the attribute; of criteria: checked, unchecked, added, removed; of created: status; of " +
      "content: the section",
    old: "the value before; of renamed: the path",
    new: "the value after; of created: the first status; of criteria: the text",
  },
  keys: ["id", "hash"],
}, (plan) => readEvents(plan, eventRows));

export const durationsTable = planTable({
  name: "durations",
  columns: {
    id: "an entity of the plan that is committed",
    created: "date of the first commit, UTC",
    started: "when its status first became in-progress, UTC; null if it never did",
    finished: "when it got the final status that it has, UTC; null if it is not finished",
    days: "days from started, or from created if started is null, to finished; two decimals",
  },
  numbers: ["days"],
  keys: ["id"],
}, (plan) => readEvents(plan, durationRows));

function* durationRows(plan: PlanView, events: readonly HistoryEvent[]): Generator<Row> {
  const datesOf = dateFinder(events);
  for (const entity of plan.entities) {
    const { created, started, reached } = datesOf(entity);
    if (created === undefined) continue;
    const finished = entity.finished ? reached : undefined;
    yield {
      id: entity.id,
      created: utc(created),
      started: started && utc(started),
      finished: finished && utc(finished),
      days: finished && daysBetween(started ?? created, finished),
    };
  }
}

function daysBetween(from: string, to: string): number {
  return Math.round(100 * (Date.parse(to) - Date.parse(from)) / DAY_MS) / 100;
}

function* eventRows(plan: PlanView, events: readonly HistoryEvent[]): Generator<Row> {
  for (const event of events) {
    const { file, kind, date, shortHash, author, message } = event;
    const row = { id: idOf(plan, event), date: utc(date), hash: shortHash, author, message };
    const changes = changeRows(event);
    if (event.renamedFrom !== undefined) {
      const pathOf = (name: string) => shownPath(plan.cwd, join(plan.dir, name));
      changes.push({ kind: "renamed", old: pathOf(event.renamedFrom), new: file && pathOf(file) });
    }
    if (changes.length === 0) changes.push({ kind });
    for (const change of changes) yield { ...row, ...change };
  }
}

function changeRows(event: HistoryEvent): Row[] {
  const { kind, initialAttributes, attributeChanges = [], criteriaChanges = [] } = event;
  if (kind === "created") {
    const status = initialAttributes?.["status"] || null;
    return [{ kind, field: status && "status", new: status }];
  }
  const changes: Row[] = [
    ...attributeChanges.map(({ field, from: old, to }) => (
      { kind: "attributes", field, old, new: to }
    )),
    ...criteriaChanges.map(({ text, action }) => ({
      kind: "criteria",
      field: action,
      [action === "removed" ? "old" : "new"]: text,
    })),
    ...(event.sections ?? []).map((field) =>
      field === RESOLUTION ? { kind: "resolution" } : { kind: "content", field }
    ),
  ];
  return changes.length === 0 && kind !== "content" ? [{ kind }] : changes;
}

/** The current id of the file's entity, else its id at that time. */
function idOf(plan: PlanView, { file = "", id }: HistoryEvent): string {
  return plan.inFile(file)?.id ?? id ?? file;
}

export const commitsTable = planTable({
  name: "commits",
  columns: {
    n: "1 for HEAD, in the order of git log --topo-order",
    hash: "in 7 digits",
    date: "UTC",
    author: "",
    message: "the first line",
    plan: "1: it changes a file of the plan",
  },
  numbers: ["n", "plan"],
  keys: ["hash"],
}, (plan) => commitFacts(plan, commitRows));

export const commitEntitiesTable = planTable({
  name: "commit_entities",
  columns: {
    hash: "of the commit, in 7 digits",
    id: "an entity that the commit changes or names in its message",
    changes: "1: it changes the entity's file",
    names: "1: its message names the id",
  },
  numbers: ["changes", "names"],
  keys: ["hash", "id"],
}, (plan) => commitFacts(plan, commitEntityRows));

function commitFacts(plan: PlanView, rowsOf: (plan: PlanView, facts: GitFacts) => Iterable<Row>) {
  return readWithGit(plan, async () => {
    const facts = await readGitFacts(plan);
    return { inputs: { facts }, notes: facts.warnings, rows: () => rowsOf(plan, facts) };
  });
}

function commitRows(_plan: PlanView, { commits, messages }: GitFacts): Row[] {
  const here = messages.commits.filter(({ isHere }) => isHere);
  return here.map(({ hash, date, author, subject: message }, at) => ({
    n: at + 1,
    hash: hash.slice(0, HASH_LENGTH),
    date: utc(date),
    author,
    message,
    plan: Number(commits.has(hash)),
  }));
}

function commitEntityRows(plan: PlanView, { events, messages: { naming } }: GitFacts) {
  const rows = new Map<string, { hash: string; id: string; changes: number; names: number }>();
  const rowOf = (commit: string, id: string) => {
    const hash = commit.slice(0, HASH_LENGTH);
    return rows.getOrInsert(`${commit} ${id}`, { hash, id, changes: 0, names: 0 });
  };
  for (const event of events) rowOf(event.hash, idOf(plan, event)).changes = 1;
  for (const { id } of plan.entities) {
    for (const { hash, isHere } of naming.get(id.toUpperCase()) ?? []) {
      if (isHere) rowOf(hash, id).names = 1;
    }
  }
  return rows.values();
}
