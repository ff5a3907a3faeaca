/** Statuses that contradict the plan or git: six kinds, each with its correction. */

import { orOtherwise } from "../../../src/errors.ts";
import { inTurns } from "../../../src/io/turns.ts";
import { counted } from "../../../src/plugin/counted.ts";
import { areCriteriaMet, openCount } from "./progress.ts";
import { dependenciesOf } from "../store/plan.ts";
import { blockedNote, idAndStatus, openDependencies } from "./waits.ts";
import { type Entity, listedValues } from "../entity/entity.ts";
import { type Claim, dateFinder, type GitFacts, readClaims, readGitFacts } from "./git_facts.ts";
import { type PlanView } from "./access.ts";
import { dayOf, zonedDate } from "../entity/durations.ts";
import { filterItems } from "./select.ts";
import { parseTime } from "./times.ts";
import { CLAIMED, doneStatus, isDone, isReady, isTask, readyStatus } from "../entity/lifecycle.ts";

/** The facts that the checks use. */
interface Reviewed {
  readonly plan: PlanView;
  /** None without git. */
  readonly datesOf: GitFacts["datesOf"];
  /** The items in progress; none without git. */
  readonly claims: ReadonlyMap<Entity, Claim>;
  /** In milliseconds. */
  readonly idleSince: number;
}

/** A problem that a check finds. */
interface Problem {
  /** Such as `done with 2 of 5 criteria open`. */
  readonly text: string;
  /** When it began, ISO 8601; by default when the entity got its status. */
  readonly at?: string | undefined;
  /** The arguments of `plan_update` that correct it, and when that is right. */
  readonly change: Readonly<Record<string, unknown>>;
  readonly when: string;
}

/** The checks by the kinds of their findings, in the order of the answer. */
const REVIEW_CHECKS = {
  "open-criteria": (item) => {
    const { status, criteria } = item;
    const open = openCount(item);
    if (!isDone(status) || open === 0) return undefined;
    return {
      text: `${status} with ${open} of ${criteria.length} criteria open`,
      change: { check: "all" },
      when: "each of them holds; otherwise tick those that hold, and reset the status",
    };
  },
  "open-dependencies": (item, { plan }) => {
    const open = openDependencies(plan, item);
    if (open.length === 0) return undefined;
    return {
      text: `${item.status}, but it depends on ${open.map(idAndStatus).join(", ")}`,
      change: { dependsOn: open.map(({ id }) => `-${id}`) },
      when: "it did not need them; otherwise finish those, or reset the status",
    };
  },
  "criteria-done": (item, { datesOf }) => {
    const { type, status, criteria: { length } } = item;
    const isStarted = isTask(item) && status === CLAIMED || isReady(type, status);
    if (!isStarted || length === 0 || !areCriteriaMet(item)) return undefined;
    return {
      text: `${status} with ${length} of ${length} criteria ticked`,
      at: datesOf(item).events.find(({ criteriaChanges }) => criteriaChanges !== undefined)?.date,
      change: { status: doneStatus(type), resolve: "All criteria are ticked." },
      when: "no work is left; better, resolve says what was done",
    };
  },
  // A spec or milestone that is still open.
  "work-done": (item, reviewed) => {
    const { plan } = reviewed;
    const { id, type, status } = item;
    const isSpec = type === "spec" && status === "accepted" && areCriteriaMet(item);
    if (item.finished || !isSpec && type !== "milestone") return undefined;
    const final = doneStatus(type);
    // Older versions of the plugin cannot say that a spec is implemented.
    if (plan.plugin.vocabulary?.status[type]?.includes(final) === false) return undefined;
    const work = isSpec ? plan.implementing(id) : plan.tasksOf(id);
    const done = work.filter((task) => isDone(task.status));
    if (done.length === 0 || work.some(({ finished }) => !finished)) return undefined;
    return {
      text: `not ${final}, but its work is finished: ${counted(work.length, "item")}`,
      at: reachedLast([item, ...done], reviewed),
      change: { status: final },
      when: isSpec ? "its work items cover all of it" : "nothing more is planned for it",
    };
  },
  "nothing-blocks": (item, reviewed) => {
    const { plan } = reviewed;
    const text = isTask(item) ? blockedNote(plan, item) : undefined;
    if (text === undefined) return undefined;
    const finished = dependenciesOf(item).flatMap((id) => plan.find(id) ?? []);
    return {
      text,
      at: reachedLast([item, ...finished], reviewed),
      change: { status: readyStatus(item.type) },
      when: "nothing outside the plan blocks it",
    };
  },
  "idle": (item, { claims, idleSince }) => {
    const claim = claims.get(item);
    if (claim === undefined || claim.lastActivity >= idleSince) return undefined;
    const day = dayOf(zonedDate(claim.lastActivity));
    const status = readyStatus(item.type);
    return {
      text: `${item.status}, but no commit names or changes it since ${day}`,
      at: zonedDate(claim.since),
      change: claim.owner === "" ? { status } : { status, assignee: "" },
      when: "nobody works on it",
    };
  },
} satisfies Record<string, (item: Entity, reviewed: Reviewed) => Problem | undefined>;

export const KINDS = Object.keys(REVIEW_CHECKS) as (keyof typeof REVIEW_CHECKS)[];

/** A finding about an entity. */
export type Finding = ReturnType<typeof findingOf>;

function findingOf(kind: string, item: Entity, problem: Problem, reviewed: Reviewed) {
  const { id, status } = item;
  const { text, at = reachedAt(item, reviewed), change, when } = problem;
  const { dirArgument: dir } = reviewed.plan;
  return { kind, id, status, text, at, arguments: { id, if: { status }, ...change, dir }, when };
}

/** Runs the checks; returns their findings by kind, the newest first. */
async function reviewItems(reviewed: Reviewed): Promise<Finding[]> {
  const { entities, signal } = reviewed.plan;
  const findings: Finding[][] = KINDS.map(() => []);
  for await (const item of inTurns(entities, signal)) {
    for (const [at, kind] of KINDS.entries()) {
      const problem: Problem | undefined = REVIEW_CHECKS[kind](item, reviewed);
      if (problem !== undefined) findings[at]!.push(findingOf(kind, item, problem, reviewed));
    }
  }
  return findings.flatMap((all) => all.sort((a, b) => Date.parse(b.at) - Date.parse(a.at)));
}

/** How long nothing has happened to an item that is idle, unless the caller says it. */
export const IDLE = "30d";

/** @param milestone Only findings about it. */
export async function reviewPlan(plan: PlanView, milestone?: string, idle: string = IDLE) {
  const scope = milestone === undefined ? plan.entities : scopeOf(plan, milestone);
  const ids = new Set(scope.map(({ id }) => id));
  const idleSince = parseTime(idle, "idle").time;
  const started = plan.entities.filter((item) => isTask(item) && item.status === CLAIMED);
  const git = await orOtherwise(
    plan.signal,
    async () => ({ ...await readGitFacts(plan), ...await readClaims(plan, started) }),
    ({ message }) => ({
      datesOf: dateFinder([]),
      claims: new Map<Entity, Claim>(),
      events: [],
      warnings: [`${message}: idle was not checked`],
    }),
  );
  const all = await reviewItems({ ...git, plan, idleSince });
  const findings = all.filter(({ id }) => ids.has(id));
  // The date of the newest change, and what needs more than git has.
  return { findings, newest: git.events[0]?.date, notChecked: git.warnings };
}

/** A milestone, its items, and the specs that they implement. */
function scopeOf(plan: PlanView, milestone: string): Entity[] {
  const items = filterItems(plan, { milestone });
  const sources = new Set(items.flatMap((item) => listedValues(item, "source")));
  return plan.entities.filter((item) =>
    item.id === milestone || items.includes(item) || sources.has(item.id)
  );
}

/** When an item reached its status: the commit's date, or the file's if it is not committed. */
function reachedAt(item: Entity, { datesOf }: Reviewed): string {
  return datesOf(item).reached ?? zonedDate(item.mtime);
}

function reachedLast(items: readonly Entity[], reviewed: Reviewed): string {
  return newestOf(items.map((item) => reachedAt(item, reviewed)));
}

/** The newest of some dates. */
export function newestOf(dates: readonly string[]): string {
  return dates.reduce((a, b) => Date.parse(b) > Date.parse(a) ? b : a);
}
