/** `plan.claim`: assigns an item to an agent, so that no two agents work on the same one. */

import * as z from "zod";
import { RefraktError } from "../../../src/errors.ts";
import type { CallContext } from "../../../src/tools/context.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import type { PlanPlugin } from "../queries/ask_plugin.ts";
import { askGit, type GitPlace } from "../git/log.ts";
import { remoteAge } from "../git/remote_age.ts";
import { freshClaims, openRemote, takenError } from "../remote/mod.ts";
import { pruneFinished } from "../write/prune_remote.ts";
import {
  claimConflict,
  type Claiming,
  claimItem,
  ownerOf,
  releaseItem,
  type RemoteSide,
} from "../write/claim_item.ts";
import { unknownEntity } from "../store/failures.ts";
import { existingPlan, withPlanLock } from "../store/place.ts";
import { type Item, openPlan, type PlanView, rowOf, type Taken } from "../queries/access.ts";
import { readAvailability, readTaken, waitsFor, whyNotOffered } from "../queries/availability.ts";
import { CLAIMED, isReady } from "../queries/lifecycle.ts";
import { checkAttributes } from "../entity/values.ts";
import { dirArgument, namedEntity, WRITES } from "./fields.ts";
import { planTool } from "./plan_tool.ts";
import { checkScope, offeredItems, shown } from "./next.ts";

/** How many skipped items a note lists. */
const MAX_NAMED = 10;

/** Among how many free items a call chooses that was too late for the first one. */
const NEAREST = 8;

const Input = z.strictObject({
  assignee: z.string().trim().min(1).describe("The same name in every call"),
  id: z.string().optional().describe("Default: the first item of plan.next"),
  type: z.enum(["work", "bug", "all"]).optional(),
  milestone: z.string().optional(),
  tag: z.string().optional(),
  release: z.boolean().optional().describe("With id: returns it to ready"),
  takeOver: z.string().optional().describe("With id: its owner"),
  note: z.string().optional().describe("With release or takeOver: a handover line"),
  localOnly: z.boolean().optional().describe("Without the remote"),
  dir: dirArgument(),
});

const Output = z.object({
  items: offeredItems,
  withheld: z.int().optional(),
  released: z.object(namedEntity).optional(),
  note: z.string().optional(),
  remote: z.enum(["confirmed", "unconfirmed"]).optional(),
});

const NOTHING: Taken = { taken: new Map(), unknown: undefined };

type Input = z.infer<typeof Input>;
type Answer = z.infer<typeof Output>;

export function claimTool(plugin: PlanPlugin): Tool {
  return planTool(plugin, {
    name: "plan.claim",
    title: "Claim an item",
    description:
      "Takes the next ready item, or the given one: sets in-progress and the assignee, unless " +
      "somebody else was faster. Answers like plan.next.",
    annotations: { ...WRITES, idempotentHint: false },
    input: Input,
    output: Output,
    run: async (input, context): Promise<Answer> => {
      const { id, release = false, takeOver } = input;
      if (id === undefined && (release || takeOver !== undefined)) {
        throw new RefraktError("INVALID_ARGS", '"release" and "takeOver" need an id', {
          hint: 'plan.list { "claimed": true } lists what is claimed.',
        });
      }
      if (release && takeOver !== undefined) {
        throw new RefraktError("INVALID_ARGS", '"release" and "takeOver" exclude each other', {
          hint: "To free an item of another owner, take it over first.",
        });
      }
      if (input.note !== undefined && !release && takeOver === undefined) {
        throw new RefraktError("INVALID_ARGS", '"note" is for "release" and "takeOver"', {
          hint: "Write other notes with plan.update.",
        });
      }
      checkAttributes({ assignee: input.assignee });
      const dir = existingPlan(context, input.dir);
      // Before the lock, because other calls would wait for the network.
      const remote = input.localOnly === true ? undefined : await remoteSide(context, dir);
      const others = release ? NOTHING : await takenByOthers(plugin, context, input);
      const { assignee, note } = input;
      const claiming = { plugin, context, dir, assignee, takeOver, note, remote };
      const answer = await withPlanLock(dir, context.signal, async () => {
        const claim = new Claim(claiming, input, others);
        if (id === undefined) return await claim.next();
        return release ? await claim.release(id) : await claim.one(id);
      });
      const { project } = context;
      if (project.remote === undefined) {
        return await withAge(answer, { cwd: dir, signal: context.signal });
      }
      if (remote === undefined) return { ...answer, remote: "unconfirmed" };
      await pruneFinished(await openPlan(context, input.dir, plugin), remote, context);
      return { ...answer, remote: "confirmed" };
    },
  });
}

/** Reads the remote's claims; `undefined` without a remote. */
async function remoteSide(context: CallContext, dir: string): Promise<RemoteSide | undefined> {
  const scratch = await openRemote(context);
  if (scratch === undefined) return undefined;
  const [items, branch] = await Promise.all([
    freshClaims(scratch, context.signal),
    askGit(["rev-parse", "--abbrev-ref", "HEAD"], { cwd: dir, signal: context.signal }).catch(() =>
      ""
    ),
  ]);
  return { scratch, items, branch: branch.trim() };
}

/** Adds how old the view of a remote is, because nothing else shows claims there. */
async function withAge(answer: Answer, place: GitPlace): Promise<Answer> {
  const age = await remoteAge(place).catch(() => undefined);
  if (age === undefined) return answer;
  const text = `${age}; claims since then are unknown`;
  return { ...answer, note: answer.note === undefined ? text : `${answer.note}. ${text}` };
}

async function takenByOthers(
  plugin: PlanPlugin,
  context: CallContext,
  { dir, assignee, localOnly }: Input,
): Promise<Taken> {
  const plan = await openPlan(context, dir, plugin);
  const local = { ...context, project: { ...context.project, remote: undefined } };
  return await readTaken(plugin, plan, localOnly === true ? local : context, assignee);
}

/** One call, which holds the plan's lock. */
class Claim {
  readonly #claiming: Claiming;
  readonly #input: Input;
  readonly #taken: Taken["taken"];

  constructor(claiming: Claiming, input: Input, { taken }: Taken) {
    [this.#claiming, this.#input, this.#taken] = [claiming, input, taken];
  }

  /** Claims the first offered item that nobody else has, here or elsewhere. */
  async next(): Promise<Answer> {
    const { assignee, type, milestone, tag } = this.#input;
    const { plugin, context } = this.#claiming;
    const scope = {
      ...(type === undefined ? {} : { type }),
      ...(milestone === undefined ? {} : { milestone }),
      ...(tag === undefined ? {} : { tag }),
    };
    const plan = await this.#open();
    checkScope(plan, scope);
    // What others have taken is named with what is skipped.
    const available = await readAvailability(plugin, plan, context, scope, NOTHING);
    const { offered, withheld } = available;
    const skipped: string[] = [];
    const free = offered.flatMap(({ id }) => plan.find(id) ?? []).filter((item) => {
      const owner = ownerOf(item);
      const reason = owner !== "" && owner !== assignee
        ? `reserved for ${owner}`
        : this.#taken.get(item.id);
      if (reason !== undefined) skipped.push(`${item.id} (${reason})`);
      return reason === undefined;
    });
    const note = () => ({ note: `Skipped: ${skipped.slice(0, MAX_NAMED).join("; ")}` });
    let at = 0;
    for (let item = free[at]; item !== undefined; item = free[at]) {
      free.splice(at, 1);
      try {
        const answer = await this.#take(item);
        return { ...answer, withheld: withheld.length, ...(skipped.length > 0 ? note() : {}) };
      } catch (error) {
        // Somebody was faster: try another one, not the one that all others try, too.
        if (!(error instanceof RefraktError) || error.code !== "CONFLICT") throw error;
        skipped.push(`${item.id} (taken meanwhile)`);
        if (this.#claiming.remote !== undefined) {
          at = Math.floor(Math.random() * Math.min(NEAREST, free.length));
        }
      }
    }
    const why = whyNotOffered(plan, available) || "nothing is ready or waits to become so";
    const nothing = { note: `Nothing is offered: ${why}` };
    const answer = { items: [], withheld: withheld.length };
    return { ...answer, ...(skipped.length > 0 ? note() : nothing) };
  }

  /** Claims one item; also succeeds if the assignee already has it. */
  async one(id: string): Promise<Answer> {
    const { assignee, takeOver, remote } = this.#claiming;
    const plan = await this.#open();
    const item = itemOf(plan, id);
    const owner = ownerOf(item);
    const isOwn = item.status === CLAIMED && owner === assignee;
    // The owner on the remote counts, if there is one.
    const claim = remote?.items.get(item.id)?.claim;
    if (takeOver !== undefined && takeOver !== (claim?.owner ?? owner)) {
      throw claim === undefined ? claimConflict(item, takeOver) : takenError(claim);
    }
    if (isOwn && remote === undefined) return this.#answer(plan, item);
    const isFree = isReady(item.type, item.status) || item.status === CLAIMED;
    if (!isFree || owner !== "" && owner !== assignee && takeOver === undefined) {
      throw claimConflict(item);
    }
    const answer = await this.#take(item);
    const blockers = waitsFor(plan, item).map((other) => `${other.id} (${other.status})`).join(
      ", ",
    );
    const taken = this.#taken.get(item.id);
    const notes = [blockers && `It waits for ${blockers}`, taken && `Elsewhere it is ${taken}`];
    const note = isOwn ? "" : notes.filter(Boolean).join(". ");
    return note === "" ? answer : { ...answer, note };
  }

  async release(id: string): Promise<Answer> {
    const { assignee } = this.#input;
    const item = itemOf(await this.#open(), id);
    if (item.status !== CLAIMED || ownerOf(item) !== assignee) throw claimConflict(item, assignee);
    await releaseItem(this.#claiming, item);
    return { items: [], released: rowOf(itemOf(await this.#open(), id)) };
  }

  async #take(item: Item): Promise<Answer> {
    await claimItem(this.#claiming, item);
    const plan = await this.#open();
    return this.#answer(plan, itemOf(plan, item.id));
  }

  #answer(plan: PlanView, item: Item): Answer {
    const { type, title, entity } = item;
    const { attributes, file, criteria, refs } = entity;
    const { severity = "", priority = severity, complexity = "" } = attributes;
    const { id } = item;
    const row = { id, title, type, priority, complexity, file, criteria, refs, attributes };
    return {
      items: [{
        ...shown(plan, { ...row, criteria: [...criteria], refs: [...refs], attributes }, false),
        status: item.status,
      }],
    };
  }

  #open(): Promise<PlanView> {
    const { context, plugin } = this.#claiming;
    return openPlan(context, this.#input.dir, plugin);
  }
}

function itemOf(plan: PlanView, id: string): Item {
  const item = plan.find(id);
  if (item === undefined) throw unknownEntity(plan.store, id);
  if (item.type === "work" || item.type === "bug") return item;
  throw new RefraktError("VALIDATION_ERROR", `A ${item.type} cannot be claimed: ${id}`, {
    hint: "Claim a work item or a bug; change others with plan.update.",
  });
}
