/**
 * Where the plan and what really happened have drifted apart.
 *
 * @module
 */

import { plainLine } from "../../../src/plain_text.ts";
import { read } from "../document.ts";
import type { Message, Messages } from "../commit_messages.ts";
import { type HistoryEvent, reachedBy } from "../history_events.ts";
import { type Item, listed, pathOf, type PlanView } from "./access.ts";
import { blockedNote, dependenciesOf } from "./dependencies.ts";
import { isDone, isReady } from "./lifecycle.ts";

/** The kinds of findings, the most certain first. */
export const KINDS = [
  "reverted",
  "merged-pr",
  "spec-done",
  "nothing-blocks",
  "idle",
  "open-criteria",
  "no-resolution",
] as const;

/** One finding. */
export interface Finding {
  /** Its kind. */
  kind: typeof KINDS[number];
  /** The entity. */
  id: string;
  /** What is wrong, in a sentence. */
  text: string;
  /** Places in files, commits and pull requests that show it. */
  evidence: string[];
  /** The call that corrects it, and the condition under which it is right. */
  fix: { tool: string; arguments: Record<string, unknown>; when?: string };
  /** When it became so, in milliseconds. */
  at: number;
}

/** What findings are made of. */
export interface Reviewed {
  readonly plan: PlanView;
  /** The entities that are looked at. */
  readonly scope: readonly Item[];
  /** The events of an entity's file, newest first; `undefined` without git. */
  readonly eventsOf: ((item: Item) => readonly HistoryEvent[]) | undefined;
  /** What commits say; `undefined` without git. */
  readonly messages: Messages | undefined;
  /** From when on without a commit an item counts as idle, in milliseconds. */
  readonly idleSince: number;
  /** The call's own `dir`, for the calls that correct. */
  readonly dir: string | undefined;
  /** The remote repositories, such as `owner/name`; empty where they are not known. */
  readonly repositories: readonly string[];
}

/** How many places a finding names as evidence, and how many criteria or ids its correction. */
const [MOST_EVIDENCE, MOST_NAMED] = [4, 50];

const PULL_REQUEST =
  /^(?:\S*?([\w.-]+\/[\w.-]+?))?(?:[#!]|\/(?:-\/)?(?:pulls?|merge_requests)\/|^)(\d{1,9})\/?$/;

/** The section of a spec whose work is done. */
const SPEC_DONE = "Implemented";

/** What a check finds of an entity. */
interface Found {
  readonly text: string;
  /** Where in the file it shows; at the end of the entity's tag without them. */
  readonly starts?: readonly number[];
  /** What else shows it. */
  readonly evidence: readonly string[];
  /** What `plan.update` has to change, and when that is right. */
  readonly change: Record<string, unknown>;
  readonly when: string;
  readonly at: number;
}

/** The checks by the kind of their findings. */
const CHECKS = {
  "reverted": reverted,
  "merged-pr": mergedPr,
  "spec-done": specDone,
  "nothing-blocks": nothingBlocks,
  "idle": idle,
  "open-criteria": openCriteria,
  "no-resolution": noResolution,
} satisfies Record<Finding["kind"], (item: Item, reviewed: Reviewed) => Found | undefined>;

/** The statuses of work and of bugs: new, to be taken up, done. */
const STATUSES: Readonly<Record<string, readonly [string, string, string]>> = {
  work: ["draft", "ready", "done"],
  bug: ["reported", "confirmed", "fixed"],
};

/** Finds drift, a kind after the other. */
export function* findDrift(reviewed: Reviewed): Generator<void, Finding[]> {
  const findings: Finding[] = [];
  for (const kind of KINDS) {
    for (const item of reviewed.scope) {
      yield;
      const found = item.type === "spec" || isTask(item) ? CHECKS[kind](item, reviewed) : undefined;
      if (found === undefined) continue;
      const { id, status } = item;
      const { text, at, change, when } = found;
      const { dir } = reviewed;
      const evidence = [...placesOf(item, reviewed, found.starts), ...found.evidence];
      const given = { id, if: { status }, ...change, ...(dir === undefined ? {} : { dir }) };
      const fix = { tool: "plan.update", arguments: given, when };
      findings.push({ kind, id, text, evidence: evidence.slice(0, MOST_EVIDENCE), fix, at });
    }
  }
  return findings;
}

/** Lines of an item's file. */
function placesOf(item: Item, { plan }: Reviewed, starts?: readonly number[]): string[] {
  const source = plan.store.source(item.entity);
  return (starts ?? [item.stored.document.bodyStart]).map((start) =>
    `${pathOf(plan, item)}:${source.slice(0, start).split("\n").length}`
  );
}

function reverted(item: Item, reviewed: Reviewed): Found | undefined {
  const { messages } = reviewed;
  if (messages === undefined || !isDone(item.status)) return undefined;
  const own = namingOf(item, reviewed).filter(({ isHere, isRevert }) => isHere && !isRevert);
  const hashes = [...own, ...mergesOf(item, reviewed).found].map(({ hash }) => hash);
  const done = reached(item, reviewed).event?.hash;
  for (const hash of new Set(done === undefined ? hashes : [...hashes, done])) {
    const by = messages.reverts.get(hash);
    // Work that was done again after it was taken back is done.
    if (by === undefined || own.some((one) => !one.isMerge && one.order < by.order)) continue;
    return {
      text: `It is ${item.status}, but a commit of it was reverted`,
      evidence: [commitText(by), `reverts ${hash.slice(0, 7)}`],
      change: { status: begun(item) },
      when: "the work has to be done again",
      at: Date.parse(by.date),
    };
  }
  return undefined;
}

function mergedPr(item: Item, reviewed: Reviewed): Found | undefined {
  if (item.finished || !isTask(item)) return undefined;
  const { prs, found } = mergesOf(item, reviewed);
  const merges = found.filter(({ hash }) => !reviewed.messages?.reverts.has(hash));
  // Where one of several is not merged, the rest of the work may be in it.
  if (merges.length === 0 || merges.length < prs.length) return undefined;
  const shown = plainLine(prs.join(", "), 200);
  const commits = merges.map(commitText);
  return {
    text: `${shown} is merged, and it is ${item.status || "without status"}`,
    evidence: [...commits, shown],
    change: {
      status: STATUSES[item.type]![2],
      resolve: `Merged with ${shown}: ${commits.join("; ")}.`,
    },
    when: "nothing of it is left to do",
    at: Math.max(...merges.map(({ date }) => Date.parse(date))),
  };
}

/** The pull requests of an item, `#12`, `owner/name#12` or an address, and what merged them. */
function mergesOf(item: Item, { messages, repositories }: Reviewed) {
  const own = item.entity.resolution?.pr;
  const prs = [...new Set([...listed(item, "pr"), ...own === undefined ? [] : [own]])];
  const found = prs.flatMap((pr) => {
    // Longer ones would take the pattern long.
    const [, repository, number] = pr.length < 300 ? PULL_REQUEST.exec(pr) ?? [] : [];
    const isOurs = repository === undefined || repositories.length === 0 ||
      repositories.includes(repository.toLowerCase());
    return isOurs ? messages?.merges.get(Number(number)) ?? [] : [];
  });
  return { prs, found };
}

function specDone(item: Item, reviewed: Reviewed): Found | undefined {
  const { plan } = reviewed;
  if (item.type !== "spec" || item.status !== "accepted") return undefined;
  // Older versions of the plugin have no status for it: there a section says so.
  const isStatus = plan.vocabulary?.status["spec"]?.includes("implemented") !== false;
  const work = plan.items.filter((one) => isTask(one) && listed(one, "source").includes(item.id));
  const done = work.filter(({ status }) => isDone(status));
  if (done.length === 0 || !work.every(({ finished }) => finished)) return undefined;
  const { sections = [] } = isStatus ? {} : read(plan.store.source(item.entity)).entity ?? {};
  if (sections.some(({ name }) => name === SPEC_DONE)) return undefined;
  const last = done.map((one) => ({ one, at: reached(one, reviewed).at }))
    .reduce((a, b) => b.at > a.at ? b : a);
  const ids = done.slice(0, MOST_NAMED).map(({ id }) => id).join(", ");
  const change = isStatus
    ? { status: "implemented" }
    : { sections: { [SPEC_DONE]: `By ${ids}${done.length > MOST_NAMED ? " …" : ""}.` } };
  const given = work.length - done.length;
  const dropped = given === 0 ? "" : `; ${given} more given up`;
  return {
    text: `It is accepted, and all of its work is done: ${done.length} of ${done.length}${dropped}`,
    evidence: [
      `${last.one.id} is ${last.one.status}`,
      ...eventText(reached(last.one, reviewed).event),
    ],
    change,
    when: "its work items cover all of it",
    at: Math.max(last.at, reached(item, reviewed).at),
  };
}

function nothingBlocks(item: Item, reviewed: Reviewed): Found | undefined {
  const { plan } = reviewed;
  const note = blockedNote(plan, item);
  if (note === undefined) return undefined;
  const finished = dependenciesOf(item).flatMap((id) => plan.find(id) ?? []);
  const times = [item, ...finished].map((one) => reached(one, reviewed).at);
  return {
    text: note,
    evidence: finished.map(({ id, status }) => `${id} is ${status}`),
    change: { status: begun(item) },
    when: "nothing outside of the plan blocks it",
    at: Math.max(...times),
  };
}

function idle(item: Item, reviewed: Reviewed): Found | undefined {
  const { messages, eventsOf, idleSince } = reviewed;
  const isGoing = isTask(item) && item.status === "in-progress";
  if (messages === undefined || eventsOf === undefined || messages.from > idleSince) return;
  if (!isGoing && !isReady(item.type, item.status)) return undefined;
  const { at, event } = reached(item, reviewed);
  const naming = namingOf(item, reviewed);
  // Ticking a criterion or taking an item over is work on it; an edit of its text may be anything.
  const active = eventsOf(item).filter(({ criteriaChanges, attributeChanges = [] }) =>
    criteriaChanges !== undefined || attributeChanges.some(({ field }) => field === "assignee")
  );
  const times = [...naming, ...active].map(({ date }) => Date.parse(date));
  if (!(Math.max(at, ...times) < idleSince)) return undefined;
  const last = naming.toSorted((a, b) => Date.parse(b.date) - Date.parse(a.date))[0];
  const change = isGoing
    ? { status: begun(item), ...(item.entity.attributes["assignee"] ? { assignee: "" } : {}) }
    : { status: STATUSES[item.type]![0] };
  return {
    text: `It is ${item.status} since ${dayOf(at)}, and no commit has named it since ` +
      dayOf(last === undefined ? at : Math.max(at, Date.parse(last.date))),
    evidence: [
      ...eventText(event),
      ...(last === undefined
        ? ["none of the examined commits names it"]
        : last.hash === event?.hash
        ? []
        : [`named last in ${commitText(last)}`]),
    ],
    change,
    when: isGoing ? "nobody works on it" : "it is not to be done soon",
    at,
  };
}

function openCriteria(item: Item, reviewed: Reviewed): Found | undefined {
  if (!isDone(item.status)) return undefined;
  if (item.entity.criteria.every(({ checked }) => checked)) return undefined;
  const { criteria = [] } = read(reviewed.plan.store.source(item.entity)).entity ?? {};
  const open = criteria.filter(({ checked }) => !checked);
  if (open.length === 0) return undefined;
  const { at, event } = reached(item, reviewed);
  const check = open.map(({ number }) => number).slice(0, MOST_NAMED);
  return {
    text: `It is ${item.status} with ${open.length} of ${criteria.length} criteria open: ` +
      plainLine(open[0]!.text, 120),
    starts: open.slice(0, MOST_EVIDENCE - 1).map(({ start }) => start),
    evidence: eventText(event),
    change: { check },
    when: "each of them holds; otherwise set its status back",
    at,
  };
}

function noResolution(item: Item, reviewed: Reviewed): Found | undefined {
  if (!isDone(item.status) || item.entity.resolution) return undefined;
  const { at, event } = reached(item, reviewed);
  const [done] = eventText(event);
  const naming = namingOf(item, reviewed).filter(({ hash, isHere, isRevert }) =>
    isHere && !isRevert && hash !== event?.hash
  );
  return {
    text: `It is ${item.status} without a resolution`,
    evidence: [
      ...eventText(event),
      ...naming.slice(0, 2).map((commit) => `named in ${commitText(commit)}`),
    ],
    ...(done === undefined ? { change: {}, when: 'you add "resolve": what was done' } : {
      change: { resolve: `Marked ${item.status} in ${done}.` },
      when: "nobody can say more; better, write what was done",
    }),
    at,
  };
}

function isTask({ type }: Item): boolean {
  return Object.hasOwn(STATUSES, type);
}

/** The commits that name an item. */
function namingOf({ id }: Item, { messages }: Reviewed): readonly Message[] {
  return messages?.naming.get(id.toUpperCase()) ?? [];
}

/** Since when an item has its status: by the commit, or by its file where it is not committed. */
function reached(
  item: Item,
  { eventsOf }: Reviewed,
): { at: number; event: HistoryEvent | undefined } {
  const event = eventsOf?.(item).find((one) =>
    (reachedBy(one) ?? one.initialAttributes?.["status"]) !== undefined
  );
  const isCommitted = event !== undefined &&
    (reachedBy(event) ?? event.initialAttributes?.["status"]) === item.status;
  return isCommitted
    ? { at: Date.parse(event.date), event }
    : { at: item.entity.mtime, event: undefined };
}

/** The status of an item that can be taken up. */
function begun({ type }: Item): string {
  return STATUSES[type]?.[1] ?? "ready";
}

function commitText({ hash, date, subject }: Pick<Message, "hash" | "date" | "subject">): string {
  return `${hash.slice(0, 7)} ${date.slice(0, 10)} ${plainLine(subject, 100)}`;
}

function eventText(event: HistoryEvent | undefined): string[] {
  if (event === undefined) return [];
  return [commitText({ ...event, subject: event.message })];
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
