/** The board's first tab: what to take up next, who works on what, and what needs a decision. */

import { quoted, word } from "../../../src/plain_text.ts";
import { activeMilestones, criteriaRatio } from "./progress.ts";
import { mentionFix, waitsFor } from "./waits.ts";
import { dependenciesOf } from "../store/relations.ts";
import type { Entity } from "../entity/entity.ts";
import { ageOf, monthOf, zonedDate } from "../entity/durations.ts";
import { gitUser } from "../remote/git_remote.ts";
import { branchOf } from "../git/refs.ts";
import { knownClaims } from "../remote/mod.ts";
import { type PlanView, sourceText } from "./access.ts";
import { rankOf, readAvailability, takenIn, UNSOUND, waitingGroups } from "./availability.ts";
import { readClaims } from "./claims.ts";
import { CLAIMED, reviewStatuses } from "../entity/lifecycle.ts";
import { type Elsewhere, readElsewhere } from "./elsewhere.ts";
import { problemsOf } from "../store/problems.ts";
import { type Finding, IDLE, reviewPlan } from "./review.ts";
import { parseTime } from "./times.ts";

/** How many items are offered, as by `plan_next { count: 3 }`. */
const OFFERED = 3;

/** A correction, as `plan_review` has it: the arguments of `plan_update`, and when it is right. */
export interface Fix {
  /** What it does, in a word or two. */
  readonly label: string;
  readonly arguments: { readonly id: string } & Readonly<Record<string, unknown>>;
  readonly when: string;
}

/** An item that somebody works on. */
export interface Flight {
  readonly id: string;
  /** Empty if nobody is assigned. */
  readonly owner: string;
  /** The branch, worktree or clone. */
  readonly place?: string | undefined;
  readonly ticked: number;
  readonly criteria: number;
  /** Such as `active 3d ago` or `idle since March 2026`. */
  readonly activity?: string | undefined;
  /** The finding of `plan_review`, if it is idle. */
  readonly idle?: string | undefined;
  readonly fix?: Fix | undefined;
}

/** What needs a decision. */
export interface Need {
  readonly kind: string;
  readonly id: string;
  /** The title of the entity, without its name. */
  readonly title: string;
  readonly text: string;
  readonly fix?: Fix | undefined;
  /** Of a review: the statuses after Accept and Send back. */
  readonly accept?: string | undefined;
  readonly back?: string | undefined;
  /** Whether it is neither of an active milestone nor of the last 30 days. */
  readonly isOld?: true | undefined;
}

/** An item to take up; the reason is such as `high · unblocks 4`, the prompt for an agent. */
export interface Offer {
  readonly id: string;
  readonly reason: string;
  readonly prompt: string;
}

/** A ready item that waits, and why. */
export interface Waiting {
  readonly id: string;
  readonly title: string;
  /** Such as `depends on it, line 12`, or `only mentions it, line 45`. */
  readonly why?: string | undefined;
  /** The arguments of `plan_update` after which it does not wait for it any more. */
  readonly free?: { readonly id: string } & Readonly<Record<string, unknown>> | undefined;
}

export interface NowData {
  readonly next: readonly Offer[];
  /** How many ready items wait for what, such as `11 wait: 4 for WORK-094, 7 for SPEC-001`. */
  readonly waits: string;
  /** Ready items that wait for the same entity; `for` is empty if it is unknown. */
  readonly waiting: readonly {
    readonly for: string;
    readonly title: string;
    readonly items: readonly Waiting[];
  }[];
  readonly flights: readonly Flight[];
  readonly needs: readonly Need[];
  /** The name in git's configuration, which claims suggest. */
  readonly me: string;
  /** What could not be read. */
  readonly notes: readonly string[];
}

/** What corrects the findings of `plan_review`; an idle item is among those in flight. */
const CORRECTIONS: Readonly<Record<Exclude<Finding["kind"], "idle">, string>> = {
  // Criteria are ticked one by one in the panel.
  "open-criteria": "",
  // Finishing the dependency is as likely as removing it.
  "open-dependencies": "",
  "criteria-done": "Finish",
  "work-done": "Complete",
  "nothing-blocks": "Unblock",
};

/** How many of what others wait for are named. */
const NAMED = 4;

/** How many waiting items have a reason with a line: each is a file to read. */
const MOST_REASONS = 60;

/** How long findings about finished work are shown at first, in milliseconds. */
const RECENT_MS = 30 * 24 * 60 * 60 * 1000;

/** The first offers, from the plan alone: without git and without what others have taken up. */
export async function firstOffers(plan: PlanView): Promise<readonly Offer[]> {
  const { offered } = await readAvailability(plan, {}, { taken: new Map(), unchecked: [] });
  return offered.slice(0, OFFERED).map((item) => offerOf(item, 0));
}

function offerOf(item: Entity, unblocks: number): Offer {
  const reasons = [rankOf(item).priority, unblocks > 0 ? `unblocks ${unblocks}` : ""];
  const reason = reasons.filter(Boolean).join(" · ");
  return { id: item.id, reason, prompt: promptFor(item.id, item.title) };
}

/** Reads the facts of the tab, each by the function that its tool uses. */
export async function readNow(plan: PlanView): Promise<NowData> {
  const [elsewhere, remote, { findings, notChecked }, me] = await Promise.all([
    readElsewhere(plan),
    knownClaims(plan),
    reviewPlan(plan, parseTime(IDLE, "idle").time),
    gitUser(plan.git),
  ]);
  const taken = takenIn(plan, elsewhere, remote);
  const available = await readAvailability(plan, {}, taken);
  const flights = await flightsOf(plan, elsewhere, remote.claims);
  const idle = new Map(findings.flatMap((one) => one.kind === "idle" ? [[one.id, one]] : []));
  let reasons = 0;
  const waiting = waitingGroups(plan, available).map(({ item: other, ids }) => ({
    for: other?.id ?? "",
    title: other?.title ?? "",
    items: ids.map((id): Waiting => {
      const item = plan.find(id)!;
      const isExplained = other !== undefined && reasons++ < MOST_REASONS;
      return { id, title: item.title, ...isExplained ? reasonFor(plan, item, other) : {} };
    }),
  }));
  const active = new Set(activeMilestones(plan));
  const recently = Date.now() - RECENT_MS;
  const needs: Omit<Need, "title">[] = [
    ...conflictsOf(plan, elsewhere),
    ...plan.entities.filter(({ status }) => status === "review").map((
      { id, type, attributes },
    ) => ({
      kind: "review",
      id,
      text: `waits for a review${attributes["assignee"] ? "" : "; nobody is assigned"}`,
      ...reviewStatuses(type, plan.plugin.vocabulary?.status[type] ?? []),
    })),
    ...findings.flatMap(({ kind, id, text, at, when, arguments: args }) => {
      if (kind === "idle") return [];
      const label = CORRECTIONS[kind];
      const isActive = active.has(plan.find(id)?.attributes["milestone"] ?? id);
      return {
        kind,
        id,
        text,
        fix: label === "" ? undefined : { label, arguments: args, when },
        isOld: Date.parse(at) >= recently || isActive ? undefined : true as const,
      };
    }),
  ];
  return {
    next: available.offered.slice(0, OFFERED).map((item) =>
      offerOf(
        item,
        plan.entities.filter((other) => waitsFor(plan, other).some((one) => one === item)).length,
      )
    ),
    waits: waitsText(waiting),
    waiting,
    flights: flights.map(({ last, isHere, ...flight }) => {
      const finding = isHere ? idle.get(flight.id) : undefined;
      const age = ageOf(last);
      if (finding === undefined) {
        return { ...flight, activity: last && `active ${age === "" ? "today" : `${age} ago`}` };
      }
      const { text, arguments: args, when } = finding;
      return {
        ...flight,
        activity: `idle since ${monthOf(last ?? finding.at)}`,
        idle: text,
        fix: { label: "Release", arguments: args, when },
      };
    }),
    needs: needs.map((need) => ({ ...need, title: titleIn(plan, need.id) })),
    me,
    notes: [...notChecked, ...taken.unchecked],
  };
}

function promptFor(id: string, title: string): string {
  return `Take up ${word(id)}: ${
    quoted(title)
  }. Claim it with plan_claim, do the work, tick each criterion ` +
    "with plan_update when it holds, and finish it with a resolution.";
}

/** Why an item waits for another, with the line that says so, and what would free it. */
export function reasonFor(
  plan: PlanView,
  item: Entity,
  other: Entity,
): Omit<Waiting, "id" | "title"> {
  const isDependency = dependenciesOf(item).includes(other.id);
  const lines = sourceText(plan, item).split("\n");
  const line = lines.findLastIndex((one) => one.includes(other.id)) + 1;
  const at = line > 0 ? `, line ${line}` : "";
  return {
    why: `${isDependency ? "depends on it" : "only mentions it"}${at}`,
    free: isDependency ? { id: item.id, dependsOn: [`-${other.id}`] } : mentionFix(item)?.arguments,
  };
}

function waitsText(groups: NowData["waiting"]): string {
  const total = groups.reduce((sum, { items }) => sum + items.length, 0);
  if (total === 0) return "";
  const named = groups.slice(0, NAMED).map(({ for: id, items: { length } }) =>
    `${length} ${id === "" ? UNSOUND : `for ${word(id)}`}`
  );
  const more = groups.length > NAMED ? " …" : "";
  return `${total} ${total === 1 ? "waits" : "wait"}: ${named.join(", ")}${more}`;
}

/** The title of an entity; those of milestones often begin with their name. */
function titleIn(plan: PlanView, id: string): string {
  const { title = "" } = plan.find(id) ?? {};
  return title.startsWith(id) ? title.slice(id.length).replace(/^[\s:—–-]+/, "") : title;
}

/** An item in flight; `last` is the last activity, ISO 8601. */
type Found = Flight & { readonly isHere: boolean; readonly last: string | undefined };

/** Who works on what: in this folder, on other branches, and in other clones. */
async function flightsOf(
  plan: PlanView,
  { states }: Elsewhere,
  remote: Awaited<ReturnType<typeof knownClaims>>["claims"],
): Promise<Found[]> {
  const here = plan.entities.filter(({ status }) => status === CLAIMED);
  const { claims } = await readClaims(plan, here);
  const branch = branchOf(plan.dir) ?? "";
  const flights = here.map((item) => {
    const last = claims.get(item)?.lastActivity;
    const date = last === undefined ? undefined : zonedDate(last);
    return { ...flightOf(item, branch, date), isHere: true };
  });
  for (const { item, branch, worktree, date } of [...states.values()].flat()) {
    if (item.status !== CLAIMED) continue;
    flights.push({ ...flightOf(item, worktree ?? branch ?? "", date), isHere: false });
  }
  for (const [id, claim] of remote) {
    const item = plan.find(id);
    if (claim.isHere || item === undefined || item.finished) continue;
    const { owner, clone, since } = claim;
    const flight = flightOf(item, `clone ${clone}`, since || undefined);
    flights.push({ ...flight, owner, isHere: false });
  }
  return flights;
}

function flightOf(
  item: Entity,
  place: string,
  last: string | undefined,
): Flight & Pick<Found, "last"> {
  const { done, total } = criteriaRatio(item);
  return {
    id: item.id,
    owner: item.attributes["assignee"] ?? "",
    place: place || undefined,
    ticked: done,
    criteria: total,
    last,
  };
}

/** Files that a merge left in conflict, ids that two files or branches have. */
function conflictsOf(plan: PlanView, { collisions }: Elsewhere): Omit<Need, "title">[] {
  const problems = problemsOf(plan).filter(({ severity }) => severity === "error")
    .map(({ source, message }) => ({ kind: "conflict", id: source, text: message }));
  const same = collisions.map(({ item: { id, title }, branch, worktree }) => ({
    kind: "conflict",
    id,
    text: `is another entity ${worktree ? `in ${worktree}` : `on ${branch}`}: ${title}`,
  }));
  return [...problems, ...same];
}
