/** The board's first tab: what to take up next, who works on what, and what needs a decision. */

import type { CallContext } from "../../../src/tools/context.ts";
import { askGit } from "../git/log.ts";
import { claimSentence, knownClaims } from "../remote/mod.ts";
import { type Item, type PlanView, present } from "../queries/access.ts";
import type { PlanPlugin } from "../queries/ask_plugin.ts";
import { readAvailability, waitingGroups, waitsFor } from "../queries/availability.ts";
import { readClaims } from "../queries/claims.ts";
import { CLAIMED } from "../queries/lifecycle.ts";
import { findDrift, type Reviewed } from "../queries/review.ts";
import { type Elsewhere, readElsewhere } from "../queries/states_elsewhere.ts";
import { problemsOf } from "../store/problems.ts";
import { inSlices } from "../store/slices.ts";
import { parseTime } from "./history.ts";
import { IDLE, readGit } from "./review.ts";

/** How many items are offered, as by `plan.next { count: 3 }`. */
const OFFERED = 3;

/** A correction, as `plan.review` has it: the arguments of `plan.update`, and when it is right. */
export interface Fix {
  readonly arguments: { readonly id: string } & Readonly<Record<string, unknown>>;
  readonly when: string;
}

/** An item that somebody works on. */
export interface Flight {
  readonly id: string;
  /** Empty if nobody is assigned. */
  readonly owner: string;
  /** The branch, worktree or clone. */
  readonly place?: string;
  readonly ticked: number;
  readonly criteria: number;
  /** The last activity, ISO 8601. */
  readonly last?: string;
  /** The finding of `plan.review`, if it is idle. */
  readonly idle?: string;
  /** Since when, ISO 8601. */
  readonly idleSince?: string;
  readonly fix?: Fix;
}

/** What needs a decision. */
export interface Need {
  readonly kind: string;
  readonly id: string;
  readonly text: string;
  readonly fix?: Fix;
}

export interface NowData {
  /** The items to take up; the reason is such as `high · unblocks 4`. */
  readonly next: readonly { readonly id: string; readonly reason: string }[];
  /** Ready items that wait for the same entity; `for` is empty if it is unknown. */
  readonly waiting: readonly { readonly for: string; readonly ids: readonly string[] }[];
  readonly flights: readonly Flight[];
  readonly needs: readonly Need[];
  /** The name in git's configuration, which claims suggest. */
  readonly me: string;
  /** What could not be read. */
  readonly notes: readonly string[];
}

/** The findings of `plan.review` that need a decision; the others are about finished records. */
const NEEDS = ["reverted", "merged-pr", "open-criteria", "spec-done", "nothing-blocks"];

/** Reads the facts of the tab, each by the function that its tool uses. */
export async function readNow(
  plan: PlanView,
  plugin: PlanPlugin,
  context: CallContext,
): Promise<NowData> {
  const { signal } = context;
  const idleSince = parseTime(IDLE, "idle");
  const [elsewhere, remote, { notChecked, ...read }, available, me, branch] = await Promise.all([
    readElsewhere(plan, plugin, signal),
    knownClaims(context),
    readGit(plan, plugin, idleSince, signal),
    readAvailability(plugin, plan, context),
    askOr("", ["config", "user.name"], plan, signal),
    askOr("", ["symbolic-ref", "--short", "-q", "HEAD"], plan, signal),
  ]);
  const reviewed: Reviewed = { plan, scope: plan.items, idleSince, dir: undefined, ...read };
  const drift = (await inSlices(findDrift(reviewed))).map(({ at, shown }) => ({ at, ...shown }));
  const flights = await flightsOf(plan, plugin, elsewhere, remote.claims, branch, signal);
  const idle = new Map(drift.filter(({ kind }) => kind === "idle").map((one) => [one.id, one]));
  return {
    next: available.offered.slice(0, OFFERED).map(({ id, priority }) => {
      const unblocks = plan.items.filter((other) =>
        waitsFor(plan, other).some((one) => one.id === id)
      ).length;
      const reasons = [priority, unblocks > 0 ? `unblocks ${unblocks}` : ""];
      return { id, reason: reasons.filter(Boolean).join(" · ") };
    }),
    waiting: waitingGroups(plan, available).map(({ item, ids }) => ({
      for: item?.id ?? "",
      ids,
    })),
    flights: flights.map((flight) => {
      const found = flight.isHere ? idle.get(flight.id) : undefined;
      return {
        ...flight,
        ...present({
          idle: found?.text,
          idleSince: found && (flight.last ?? new Date(found.at).toISOString()),
          fix: found?.fix,
        }),
      };
    }),
    needs: [
      ...conflictsOf(plan, elsewhere),
      ...plan.items.filter(({ status }) => status === "review").map(({ id, entity }) => ({
        kind: "review",
        id,
        text: `waits for a review${entity.attributes["assignee"] ? "" : "; nobody is assigned"}`,
      })),
      ...finishedMilestones(plan),
      ...drift.filter(({ kind }) => NEEDS.includes(kind))
        .map(({ kind, id, text, fix }) => ({ kind, id, text, fix })),
    ],
    me,
    notes: [...notChecked, ...elsewhere.leftOut, ...remote.unknown ? [remote.unknown] : []],
  };
}

/** Who works on what: in this folder, on other branches, and in other clones. */
async function flightsOf(
  plan: PlanView,
  plugin: PlanPlugin,
  { states }: Elsewhere,
  claims: Awaited<ReturnType<typeof knownClaims>>["claims"],
  branch: string,
  signal: AbortSignal,
): Promise<(Flight & { isHere: boolean })[]> {
  const here = plan.items.filter(({ status }) => status === CLAIMED);
  const known = await readClaims(plan, plugin, here, signal);
  const flights = here.map((item) => {
    const claim = known.claims.get(item);
    return {
      ...flightOf(item, branch),
      ...present({ last: claim && new Date(claim.lastActivity).toISOString() }),
      isHere: true,
    };
  });
  for (const found of states.values()) {
    for (const { item, branch, worktree, date } of found) {
      if (item.status !== CLAIMED) continue;
      const place = worktree ?? branch ?? "";
      flights.push({ ...flightOf(item, place), ...present({ last: date }), isHere: false });
    }
  }
  for (const [id, claim] of claims) {
    const item = plan.find(id);
    if (claim.isHere || item === undefined || item.finished) continue;
    flights.push({
      ...flightOf(item, claimSentence(claim)),
      owner: claim.owner,
      ...present({ last: claim.since || undefined }),
      isHere: false,
    });
  }
  return flights;
}

function flightOf({ id, entity: { attributes, criteria } }: Item, place: string) {
  return {
    id,
    owner: attributes["assignee"] ?? "",
    ...present({ place: place || undefined }),
    ticked: criteria.filter(({ checked }) => checked).length,
    criteria: criteria.length,
  };
}

/** Files that a merge left in conflict, ids that two files or branches have. */
function conflictsOf(plan: PlanView, { collisions }: Elsewhere): Need[] {
  const problems = problemsOf(plan.state).filter(({ severity }) => severity === "error")
    .map(({ source, message }) => ({ kind: "conflict", id: source, text: message }));
  const same = collisions.map(({ item: { id, title }, branch, worktree }) => ({
    kind: "conflict",
    id,
    text: `is another entity on ${worktree ?? branch}: ${title}`,
  }));
  return [...problems, ...same];
}

/** Milestones whose work is finished, but which are still planned or active. */
function finishedMilestones(plan: PlanView): Need[] {
  return plan.items.filter(({ type, finished }) => type === "milestone" && !finished)
    .flatMap(({ id, status }): Need[] => {
      const work = plan.items.filter(({ type, entity: { attributes } }) =>
        attributes["milestone"] === id && (type === "work" || type === "bug")
      );
      if (work.length === 0 || work.some(({ finished }) => !finished)) return [];
      return [{
        kind: "milestone",
        id,
        text: `is ${status || "without status"}, but all of its work is finished`,
        fix: {
          arguments: { id, if: { status }, status: "complete" },
          when: "nothing more is planned for it",
        },
      }];
    });
}

async function askOr(
  otherwise: string,
  args: readonly string[],
  { dir }: PlanView,
  signal: AbortSignal,
): Promise<string> {
  try {
    return (await askGit([...args], { cwd: dir, signal })).trim();
  } catch {
    return otherwise;
  }
}
