/** Drift between the plan and what git shows. */

import { shortLine } from "../../../src/plain_text.ts";
import { read } from "../entity/document.ts";
import type { Message, Messages } from "../git/messages.ts";
import { type HistoryEvent, valueFrom } from "../git/events.ts";
import { type Item, listed, pathOf, type PlanView } from "./access.ts";
import { blockedNote, dependenciesOf } from "./dependencies.ts";
import { CLAIMED, isDone, isReady } from "./lifecycle.ts";
import { counted } from "../../../src/tools/counted.ts";

/** What a check found in an entity. */
interface Found {
  readonly text: string;
  /** The same in a few words. */
  readonly brief: string;
  /** Sorts findings of a kind, such as the number of open criteria. */
  readonly count?: number;
  /** Places in files, commits and pull requests. */
  readonly evidence: readonly string[];
  /** The arguments of `plan_update` that correct it, and the condition for that. */
  readonly change: Record<string, unknown>;
  readonly when: string;
  /** Since when, in milliseconds. */
  readonly at: number;
}

/** The input of a review. `eventsOf` and `messages` are `undefined` without git. */
export interface Reviewed {
  readonly plan: PlanView;
  /** The events of an entity's file, newest first. */
  readonly eventsOf: ((item: Item) => readonly HistoryEvent[]) | undefined;
  readonly messages: Messages | undefined;
  /** In milliseconds. */
  readonly idleSince: number;
  /** The remote repositories as `owner/name`, if known. */
  readonly repositories: readonly string[];
}

/** How much evidence a finding has, and how many criteria its fix. */
const [MOST_EVIDENCE, MOST_NAMED] = [4, 50];

/** `#12`, `owner/name#12` or a URL. */
const PULL_REQUEST = /^(?:\S*?([\w.-]+\/[\w.-]+))?(?:#|\/pull\/|^)(\d{1,9})$/;

/** In versions of the plugin without the status `implemented`, a section says that a spec is done. */
const SPEC_DONE = "Implemented";

/** The statuses of tasks: new, ready, done. */
const STATUSES: Readonly<Record<string, readonly [string, string, string]>> = {
  work: ["draft", "ready", "done"],
  bug: ["reported", "confirmed", "fixed"],
};

type Check = (item: Item, reviewed: Reviewed) => Found | undefined;

const TASKS = Object.keys(STATUSES);
const TASKS_AND_SPECS = [...TASKS, "spec"];

/** The checks by kind, the most severe first, each with the types that it is about. */
const CHECKS = {
  "reverted": [reverted, TASKS_AND_SPECS],
  "merged-pr": [mergedPr, TASKS],
  "open-criteria": [openCriteria, TASKS_AND_SPECS],
  "criteria-done": [criteriaDone, TASKS],
  "spec-done": [specDone, ["spec"]],
  "milestone-done": [milestoneDone, ["milestone"]],
  "nothing-blocks": [nothingBlocks, TASKS_AND_SPECS],
  "idle": [idle, TASKS],
  "no-resolution": [noResolution, TASKS_AND_SPECS],
} satisfies Record<string, [check: Check, types: readonly string[]]>;

/** The kinds of findings. */
export const KINDS = Object.keys(CHECKS) as (keyof typeof CHECKS)[];

/** A finding about an entity. */
export interface Drift {
  /** Since when, in milliseconds. */
  readonly at: number;
  /** The entity's. */
  readonly status: string;
  /** The id, and the finding in a few words. */
  readonly line: string;
  readonly shown: {
    readonly kind: (typeof KINDS)[number];
    readonly id: string;
    readonly text: string;
    readonly evidence: string[];
    readonly fix: {
      readonly tool: string;
      readonly arguments: Record<string, unknown> & { readonly id: string };
      readonly when: string;
    };
  };
}

/** Finds drift, by kind, and within a kind by count. */
export function* findDrift(reviewed: Reviewed): Generator<void, Drift[]> {
  const { plan } = reviewed;
  const findings: Drift[] = [];
  for (const kind of KINDS) {
    const [check, types]: [Check, readonly string[]] = CHECKS[kind];
    const ofKind = [];
    for (const item of plan.items) {
      yield;
      const found = types.includes(item.type) ? check(item, reviewed) : undefined;
      if (found === undefined) continue;
      const { id, status } = item;
      const { text, brief, count = 0, at, change, when } = found;
      // Open criteria have line numbers.
      const file = kind === "open-criteria" ? [] : [pathOf(plan, item)];
      const evidence = [...file, ...found.evidence].slice(0, MOST_EVIDENCE);
      const args = { id, if: { status }, ...change, dir: plan.given };
      const fix = { tool: "plan_update", arguments: args, when };
      const line = shortLine(`${id} ${brief}`, 120);
      ofKind.push({ at, count, status, line, shown: { kind, id, text, evidence, fix } });
    }
    findings.push(...ofKind.sort((a, b) => b.count - a.count));
  }
  return findings;
}

function reverted(item: Item, reviewed: Reviewed): Found | undefined {
  const { messages } = reviewed;
  if (messages === undefined || !isDone(item.status)) return undefined;
  const own = namingOf(item, reviewed).filter(({ isHere, isRevert }) => isHere && !isRevert);
  const { event } = reached(item, reviewed);
  for (const { hash } of [...own, ...mergesOf(item, reviewed).merges, ...event ? [event] : []]) {
    const by = messages.reverts.get(hash);
    // A newer commit has done the work again.
    if (by === undefined || own.some((one) => !one.isMerge && one.order < by.order)) continue;
    return {
      text: `It is ${item.status}, but one of its commits was reverted`,
      brief: `${item.status}, by ${by.hash.slice(0, 7)}`,
      evidence: [commitText(by), `reverts ${hash.slice(0, 7)}`],
      change: { status: readyStatus(item) },
      when: "the work has to be done again",
      at: Date.parse(by.date),
    };
  }
  return undefined;
}

function mergedPr(item: Item, reviewed: Reviewed): Found | undefined {
  if (item.finished) return undefined;
  const { prs, merges } = mergesOf(item, reviewed);
  const standing = merges.filter(({ hash }) => !reviewed.messages?.reverts.has(hash));
  // The rest of the work may be in a pull request that is not merged.
  if (prs.length === 0 || standing.length < prs.length) return undefined;
  const shown = shortLine(prs.join(", "), 200);
  const commits = standing.map(commitText);
  return {
    text: `${shown} is merged, but the item is ${item.status || "without status"}`,
    brief: `${item.status}, ${shown}`,
    evidence: [...commits, shown],
    change: {
      status: STATUSES[item.type]![2],
      resolve: `Merged with ${shown}: ${commits.join("; ")}.`,
    },
    when: "no work is left",
    at: Math.max(...standing.map(({ date }) => Date.parse(date))),
  };
}

/** The pull requests of an item, and the commits that merged them. */
function mergesOf(item: Item, { messages, repositories }: Reviewed) {
  const prs = [...new Set([...listed(item, "pr"), item.entity.resolution?.pr ?? ""])].filter(
    Boolean,
  );
  const merges = prs.flatMap((pr) => {
    // The pattern backtracks too long on long texts.
    const [, repository, number] = pr.length < 300 ? PULL_REQUEST.exec(pr) ?? [] : [];
    const isForeign = repository !== undefined && repositories.length > 0 &&
      !repositories.includes(repository.toLowerCase());
    return isForeign ? [] : messages?.merges.get(Number(number)) ?? [];
  });
  return { prs, merges };
}

function specDone(item: Item, reviewed: Reviewed): Found | undefined {
  const { plan } = reviewed;
  if (item.status !== "accepted") return undefined;
  if (item.entity.criteria.some(({ checked }) => !checked)) return undefined;
  const work = plan.implementing(item.id);
  const done = work.filter(({ status }) => isDone(status));
  if (done.length === 0 || !work.every(({ finished }) => finished)) return undefined;
  const hasStatus = plan.plugin.vocabulary?.status["spec"]?.includes("implemented") !== false;
  const { sections = [] } = hasStatus ? {} : read(plan.store.source(item.entity)).entity ?? {};
  if (sections.some(({ name }) => name === SPEC_DONE)) return undefined;
  const last = lastOf(done, reviewed);
  const ids = shortLine(done.map(({ id }) => id).join(", "), 500);
  return {
    text: `It is accepted, and all of its work is done: ${ids}`,
    brief: `${counted(done.length, "item")} done`,
    count: done.length,
    evidence: last.evidence,
    change: hasStatus ? { status: "implemented" } : { sections: { [SPEC_DONE]: `By ${ids}.` } },
    when: "its work items cover all of it",
    at: Math.max(last.at, reached(item, reviewed).at),
  };
}

function milestoneDone(item: Item, reviewed: Reviewed): Found | undefined {
  if (item.finished) return undefined;
  const work = reviewed.plan.tasksOf(item.id);
  if (work.length === 0 || !work.every(({ finished }) => finished)) return undefined;
  const last = lastOf(work, reviewed);
  return {
    text: `It is ${item.status || "without status"}, but all of its work is finished`,
    brief: `${work.length} finished`,
    count: work.length,
    evidence: last.evidence,
    change: { status: "complete" },
    when: "nothing more is planned for it",
    at: last.at,
  };
}

/** When the last of some items reached its status, and what shows that. */
function lastOf(items: readonly Item[], reviewed: Reviewed): Pick<Found, "at" | "evidence"> {
  const times = items.map((item) => ({ ...reached(item, reviewed), item }));
  const { at, event, item } = times.reduce((a, b) => b.at > a.at ? b : a);
  return { at, evidence: [`${item.id} is ${item.status}`, ...eventText(event)] };
}

function nothingBlocks(item: Item, reviewed: Reviewed): Found | undefined {
  const { plan } = reviewed;
  const text = blockedNote(plan, item);
  if (text === undefined) return undefined;
  const finished = dependenciesOf(item).flatMap((id) => plan.find(id) ?? []);
  return {
    text,
    brief: finished.length === 0 ? "no dependencies" : `${finished.length} finished`,
    evidence: finished.map(({ id, status }) => `${id} is ${status}`),
    change: { status: readyStatus(item) },
    when: "nothing outside the plan blocks it",
    at: Math.max(...[item, ...finished].map((one) => reached(one, reviewed).at)),
  };
}

function idle(item: Item, reviewed: Reviewed): Found | undefined {
  const { messages, eventsOf, idleSince } = reviewed;
  if (messages === undefined || eventsOf === undefined || messages.from > idleSince) return;
  const isStarted = item.status === CLAIMED;
  if (!isStarted && !isReady(item.type, item.status)) return undefined;
  const { at, event } = reached(item, reviewed);
  const naming = namingOf(item, reviewed);
  // A ticked criterion or a new assignee is activity; an edit of the text is not.
  const active = eventsOf(item).filter(({ criteriaChanges, attributeChanges = [] }) =>
    criteriaChanges !== undefined || attributeChanges.some(({ field }) => field === "assignee")
  );
  const latest = Math.max(at, ...[...naming, ...active].map(({ date }) => Date.parse(date)));
  if (!(latest < idleSince)) return undefined;
  const last = naming.toSorted((a, b) => Date.parse(b.date) - Date.parse(a.date))[0];
  const named = last === undefined
    ? "none of the examined commits names it"
    : `last named in ${commitText(last)}`;
  const { assignee } = item.entity.attributes;
  return {
    text: `It is ${item.status} since ${dayOf(at)}. No commit names it or changes its criteria ` +
      `or assignee since ${dayOf(latest)}`,
    brief: `${item.status} ${dayOf(latest)}`,
    count: -latest,
    evidence: [...eventText(event), named],
    change: {
      status: STATUSES[item.type]![isStarted ? 1 : 0],
      ...(isStarted && assignee ? { assignee: "" } : {}),
    },
    when: isStarted ? "nobody works on it" : "it is not planned soon",
    at,
  };
}

function openCriteria(item: Item, reviewed: Reviewed): Found | undefined {
  const { plan } = reviewed;
  if (!isDone(item.status) || item.entity.criteria.every(({ checked }) => checked)) {
    return undefined;
  }
  const source = plan.store.source(item.entity);
  const { criteria = [] } = read(source).entity ?? {};
  const open = criteria.filter(({ checked }) => !checked);
  if (open.length === 0) return undefined;
  const { at, event } = reached(item, reviewed);
  const lines = open.slice(0, MOST_EVIDENCE - 1)
    .map(({ start }) => `${pathOf(plan, item)}:${source.slice(0, start).split("\n").length}`);
  return {
    text: `It is ${item.status} with ${open.length} of ${criteria.length} criteria open: ` +
      shortLine(open[0]!.text, 120),
    brief: `${open.length} of ${criteria.length}`,
    count: open.length,
    evidence: [...lines, ...eventText(event)],
    ...unproven(item, reviewed) ?? {
      change: { check: open.slice(0, MOST_NAMED).map(({ number }) => number) },
      when: "each of them holds; otherwise reset its status",
    },
    at,
  };
}

/** The correction of an item of which nothing but its status says that it is done. */
function unproven(
  item: Item,
  reviewed: Reviewed,
): Pick<Found, "change" | "when"> | undefined {
  const { criteria, resolution } = item.entity;
  if (resolution || criteria.length === 0 || criteria.some(({ checked }) => checked)) return;
  const { event } = reached(item, reviewed);
  const before = event?.attributeChanges?.find(({ field }) => field === "status")?.from;
  if (!before || reviewed.messages?.from !== -Infinity) return;
  const created = reviewed.eventsOf?.(item).at(-1)?.hash;
  const isNamed = namingOf(item, reviewed)
    .some(({ hash, isHere, isRevert }) => isHere && !isRevert && hash !== created);
  if (isNamed || mergesOf(item, reviewed).merges.length > 0) return;
  return {
    change: { status: before },
    when: "it is not done: since it was created, no commit names it, and nothing is ticked; " +
      "otherwise tick what holds, and write a resolution",
  };
}

function criteriaDone(item: Item, reviewed: Reviewed): Found | undefined {
  const { type, status, entity: { criteria, mtime } } = item;
  if (status !== CLAIMED && !isReady(type, status)) return undefined;
  if (criteria.length === 0 || criteria.some(({ checked }) => !checked)) return undefined;
  const event = reviewed.eventsOf?.(item).find(({ criteriaChanges }) => criteriaChanges);
  const evidence = eventText(event);
  const ticked = ["All criteria are ticked", ...evidence].join(", the last in ");
  return {
    text: `It is ${status}, but all of its criteria are ticked`,
    brief: `${status}, ${criteria.length} of ${criteria.length}`,
    count: criteria.length,
    evidence,
    change: { status: STATUSES[type]![2], resolve: `${ticked}.` },
    when: "no work is left; better, write what was done",
    at: event === undefined ? mtime : Date.parse(event.date),
  };
}

function noResolution(item: Item, reviewed: Reviewed): Found | undefined {
  if (!isDone(item.status) || item.entity.resolution) return undefined;
  const { at, event } = reached(item, reviewed);
  const evidence = eventText(event);
  const naming = namingOf(item, reviewed)
    .filter(({ hash, isHere, isRevert }) => isHere && !isRevert && hash !== event?.hash);
  return {
    text: `It is ${item.status} without a resolution`,
    brief: event === undefined ? "not committed" : event.date.slice(0, 10),
    evidence: [...evidence, ...naming.slice(0, 2).map((one) => `named in ${commitText(one)}`)],
    ...unproven(item, reviewed) ?? {
      change: { resolve: `Marked ${item.status}${event ? ` in ${evidence[0]}` : ""}.` },
      when: "you know nothing more; better, write what was done",
    },
    at,
  };
}

function namingOf({ id }: Item, { messages }: Reviewed): readonly Message[] {
  return messages?.naming.get(id.toUpperCase()) ?? [];
}

/** When an item reached its status: the commit's date, or the file's if it is not committed. */
function reached(
  item: Item,
  { eventsOf }: Reviewed,
): { at: number; event: HistoryEvent | undefined } {
  const event = eventsOf?.(item).find((one) => valueFrom(one, "status") !== undefined);
  return event !== undefined && valueFrom(event, "status") === item.status
    ? { at: Date.parse(event.date), event }
    : { at: item.entity.mtime, event: undefined };
}

function readyStatus({ type }: Item): string {
  return STATUSES[type]?.[1] ?? "ready";
}

function commitText({ hash, date, subject }: Pick<Message, "hash" | "date" | "subject">): string {
  return `${hash.slice(0, 7)} ${date.slice(0, 10)} ${shortLine(subject, 100)}`;
}

function eventText(event: HistoryEvent | undefined): string[] {
  return event === undefined ? [] : [commitText({ ...event, subject: event.message })];
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
