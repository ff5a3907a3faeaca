/** `plan_claim`: assigns an item to an agent, so that no two agents work on the same one. */

import { meantBy, quoted, word } from "../../../src/plain_text.ts";
import * as z from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { askGit } from "../../../src/io/git_ask.ts";
import { remoteAge } from "../git/remote_age.ts";
import { listClaims } from "../remote/claims.ts";
import { openRemote, takenError } from "../remote/mod.ts";
import { pruneFinished } from "../write/prune_remote.ts";
import {
  claimConflict,
  type Claiming,
  claimItem,
  ownerOf,
  releaseItem,
  type RemoteSide,
} from "../write/claim_item.ts";
import { type PlanPlace, withPlanLock } from "../store/place.ts";
import {
  type Item,
  itemNamed,
  openCount,
  openPlan,
  pathOf,
  type PlanView,
  rowOf,
  type Taken,
} from "../queries/access.ts";
import {
  readAvailability,
  readTaken,
  type Scope,
  waitsFor,
  whyNotOffered,
} from "../queries/availability.ts";
import { uncheckedSentence } from "../queries/elsewhere.ts";
import { idAndStatus } from "../queries/dependencies.ts";
import { CLAIMED, isReady, isTask } from "../queries/lifecycle.ts";
import { checkAttributes } from "../entity/values.ts";
import { namedEntity, uncheckedPlaces } from "../tool_parts/fields.ts";
import { offeredItem, readyRow, shown } from "./next.ts";
import { writeTool } from "../tool_parts/plan_tool.ts";
import { requireSignature } from "../write/edits/notes.ts";

/** How many skipped items a note lists. */
const MAX_NAMED = 10;

/** Among how many free items a call chooses that was too late for the first one. */
const NEAREST = 8;

const Output = z.object({
  items: z.array(offeredItem.extend({
    openCriteria: z.int().optional(),
    newestNote: z.string().optional(),
  })),
  withheld: z.int().optional(),
  released: z.object(namedEntity).optional(),
  note: z.string().optional(),
  unchecked: uncheckedPlaces(),
  remote: z.enum(["confirmed", "unconfirmed"]).optional(),
});

const NOTHING: Taken = { taken: new Map(), unchecked: [] };

type Answer = z.infer<typeof Output>;

export const claimTool = writeTool({
  name: "plan_claim",
  title: "Claim an item",
  description:
    "Takes the next ready item, or the given one: sets in-progress and the assignee, unless " +
    "somebody else was faster.",
  annotations: { idempotentHint: false },
  input: {
    assignee: z.string().trim().min(1).describe(
      "Your name, the same in every call; nobody verifies it",
    ),
    id: z.string().optional().describe("Default: the first item of plan_next"),
    type: z.enum(["work", "bug", "all"]).optional(),
    milestone: z.string().optional(),
    tag: z.string().optional(),
    release: z.boolean().optional().describe("With id: returns it to ready"),
    takeOver: z.string().optional().describe("With id: its owner"),
    note: z.string().optional().describe("With release or takeOver: a handover line"),
    localOnly: z.boolean().optional().describe("Without the remote"),
    anyway: z.boolean().optional().describe("Even without git"),
  },
  output: Output,
  run: async (
    {
      assignee: given,
      id,
      release = false,
      takeOver: from,
      note,
      localOnly = false,
      anyway,
      ...scope
    },
    place,
  ): Promise<Answer> => {
    const { items } = await openPlan(place);
    const owners = items.map(ownerOf);
    const assignee = meantBy(given, owners) ?? given;
    if (id === undefined && (release || from !== undefined)) {
      throw new RefraktError("INVALID_ARGS", '"release" and "takeOver" need an id', {
        hint: 'plan_list { "claimed": true } lists what is claimed.',
      });
    }
    if (release && from !== undefined) {
      throw new RefraktError("INVALID_ARGS", '"release" and "takeOver" exclude each other', {
        hint: "To free an item of another owner, take it over first.",
      });
    }
    if (note !== undefined && !release && from === undefined) {
      throw new RefraktError("INVALID_ARGS", '"note" is for "release" and "takeOver"', {
        hint: "Write other notes with plan_update.",
      });
    }
    if (!owners.includes(assignee)) checkAttributes({ assignee });
    if (note !== undefined) requireSignature(assignee);
    // Before the lock, because other calls would wait for the network.
    const remote = localOnly ? undefined : await remoteSide(place);
    const others = release ? NOTHING : await takenByOthers(place, assignee, localOnly);
    const { taken, failed } = others;
    if (failed !== undefined && anyway !== true) throw unknownElsewhere(failed);
    const known = [...owners, ...others.owners?.values() ?? []];
    const takeOver = from && (meantBy(from, known) ?? from);
    const claiming = { ...place, assignee, takeOver, note, remote };
    const answer: Answer = await withPlanLock(place, () => {
      if (id === undefined) return claimNext(claiming, { ...scope, assignee }, taken);
      return release ? releaseOne(claiming, id) : claimOne(claiming, id, others);
    });
    answer.unchecked = uncheckedSentence(others.unchecked);
    if (place.context.project.remote === undefined) {
      // Nothing else shows claims on a remote.
      const asksAge = failed === undefined && !release;
      const age = asksAge ? await remoteAge(place.git).catch(() => undefined) : "";
      const warning = age && `${age}; claims since then are unknown`;
      return { ...answer, note: [answer.note, warning].filter(Boolean).join(". ") || undefined };
    }
    if (remote === undefined) return { ...answer, remote: "unconfirmed" };
    await pruneFinished(await openPlan(place), remote);
    return { ...answer, remote: "confirmed" };
  },
});

/** Reads the remote's claims; `undefined` without a remote. */
async function remoteSide({ context, git }: PlanPlace): Promise<RemoteSide | undefined> {
  const scratch = await openRemote(context);
  if (scratch === undefined) return undefined;
  const [items, branch] = await Promise.all([
    listClaims(scratch),
    askGit(["rev-parse", "--abbrev-ref", "HEAD"], git).catch(() => ""),
  ]);
  return { scratch, items, branch: branch.trim() };
}

function unknownElsewhere({ message, hint }: RefraktError): RefraktError {
  const what = `What others have taken up is unknown: ${message}`;
  return new RefraktError("UNKNOWN_ELSEWHERE", what, {
    hint: `Nothing was written. ${hint ?? ""} anyway: true claims without knowing.`,
  });
}

/** What others have taken up, and where. */
async function takenByOthers(
  place: PlanPlace,
  assignee: string,
  localOnly: boolean,
): Promise<Taken> {
  const { context } = place;
  const local = { ...context, project: { ...context.project, remote: undefined } };
  const plan = await openPlan({ ...place, context: localOnly ? local : context });
  return await readTaken(plan, assignee);
}

/** Claims the first item that nobody else has. */
async function claimNext(
  claiming: Claiming,
  { assignee, ...scope }: Scope & { readonly assignee: string },
  taken: Taken["taken"],
): Promise<Answer> {
  const plan = await openPlan(claiming);
  // What others have taken is named with what is skipped.
  const available = await readAvailability(plan, scope, NOTHING);
  const withheld = available.withheld.length;
  const skipped = [
    ...new Set(
      available.withheld.flatMap(({ id, contents: { conflict } }) => {
        const { length } = plan.state.allOf(id);
        if (length > 1) return `${word(id)} (${length} files have this id)`;
        return conflict === undefined ? [] : `${word(id)} (conflict markers)`;
      }),
    ),
  ];
  const skippedNote = () =>
    skipped.length === 0 ? undefined : `Skipped: ${skipped.slice(0, MAX_NAMED).join("; ")}`;
  const offered = new Map(available.offered.map((item) => [item.id, item]));
  const free = [...offered.values()].filter((item) => {
    const owner = ownerOf(item);
    const reason = owner !== "" && owner !== assignee
      ? `reserved for ${quoted(owner)}`
      : taken.get(item.id);
    if (reason !== undefined) skipped.push(`${word(item.id)} (${reason})`);
    return reason === undefined;
  });
  let at = 0;
  for (let item = free[at]; item !== undefined; item = free[at]) {
    free.splice(at, 1);
    try {
      const now = await take(claiming, item);
      const claimed = itemNamed(now, item.id);
      const items = [{ ...shown(now, claimed), status: claimed.status }];
      return { items, withheld, note: skippedNote() };
    } catch (error) {
      // Somebody was faster: try another one, not the one that all others try, too.
      if (!(error instanceof RefraktError) || error.code !== "CONFLICT") throw error;
      skipped.push(`${word(item.id)} (taken meanwhile)`);
      if (claiming.remote !== undefined) {
        at = Math.floor(Math.random() * Math.min(NEAREST, free.length));
      }
    }
  }
  const why = whyNotOffered(plan, available) || "nothing is ready or waits to become so";
  return { items: [], withheld, note: skippedNote() ?? `Nothing is offered: ${why}` };
}

/** Claims one item; also succeeds if the assignee already has it. */
async function claimOne(
  claiming: Claiming,
  id: string,
  { taken, owners, changed }: Taken,
): Promise<Answer> {
  const { assignee, takeOver, remote } = claiming;
  const plan = await openPlan(claiming);
  const item = taskNamed(plan, id);
  const owner = ownerOf(item);
  const isOwn = item.status === CLAIMED && owner === assignee;
  // The owner on the remote counts, if there is one; without one here, that of another branch.
  const claim = remote?.items.get(item.id)?.claim;
  const place = taken.get(item.id);
  if (takeOver !== undefined && takeOver !== (claim?.owner ?? (owner || owners?.get(item.id)))) {
    throw claim === undefined ? claimConflict(item, takeOver, place) : takenError(claim);
  }
  if (isOwn && remote === undefined) return claimedItem(plan, item);
  const isFree = isReady(item.type, item.status) || item.status === CLAIMED;
  if (!isFree || owner !== "" && owner !== assignee && takeOver === undefined) {
    throw claimConflict(item);
  }
  const blockers = waitsFor(plan, item).map(idAndStatus).join(", ");
  const others = changed?.(item.id);
  const answer = claimedItem(await take(claiming, item), item);
  const notes = [
    blockers && `It waits for ${blockers}`,
    place && `Elsewhere it is ${place}`,
    others && `Not here yet: ${others}; plan_get reads it with at`,
  ];
  return { ...answer, note: isOwn ? undefined : notes.filter(Boolean).join(". ") || undefined };
}

async function releaseOne(claiming: Claiming, id: string): Promise<Answer> {
  const { assignee } = claiming;
  const item = taskNamed(await openPlan(claiming), id);
  if (item.status !== CLAIMED || ownerOf(item) !== assignee) throw claimConflict(item, assignee);
  await releaseItem(claiming, item);
  return { items: [], released: rowOf(itemNamed(await openPlan(claiming), id)) };
}

async function take(claiming: Claiming, item: Item): Promise<PlanView> {
  await claimItem(claiming, item);
  return await openPlan(claiming);
}

/** An item that the caller has named: without what the file said before. */
function claimedItem(plan: PlanView, { id }: Item): Answer {
  const item = itemNamed(plan, id);
  const { contents: { note }, entity: { attributes } } = item;
  return {
    items: [{
      ...readyRow(item),
      status: item.status,
      attributes: { assignee: attributes["assignee"] ?? "" },
      openCriteria: openCount(item) || undefined,
      newestNote: note,
      path: pathOf(plan, item),
    }],
  };
}

function taskNamed(plan: PlanView, id: string): Item {
  const item = itemNamed(plan, id);
  if (isTask(item)) return item;
  throw new RefraktError("VALIDATION_ERROR", `A ${item.type} cannot be claimed: ${word(id)}`, {
    hint: "Claim a work item or a bug; change others with plan_update.",
  });
}
