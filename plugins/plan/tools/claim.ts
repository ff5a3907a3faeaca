/** `plan.claim`: assigns an item to an agent, so that no two agents work on the same one. */

import * as z from "zod";
import { RefraktError } from "../../../src/errors.ts";
import type { CallContext } from "../../../src/tools/context.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import type { PlanPlugin } from "../queries/ask_plugin.ts";
import { readElsewhere } from "../queries/states_elsewhere.ts";
import { editUnderLock } from "../write/edit_entity.ts";
import { unknownEntity } from "../store/failures.ts";
import { existingPlan, withPlanLock } from "../store/place.ts";
import { type Item, openPlan, type PlanView, rowOf } from "../queries/access.ts";
import { blockersOf } from "../queries/dependencies.ts";
import { sentenceOf } from "../queries/elsewhere.ts";
import { CLAIMED, isReady, readyStatus } from "../queries/lifecycle.ts";
import { checkAttributes } from "../entity/values.ts";
import { dirArgument, namedEntity, WRITES } from "./fields.ts";
import { planTool } from "./plan_tool.ts";
import { checkScope, offeredItems, readyItems, shown } from "./next.ts";

/** How many skipped items a note lists. */
const MAX_NAMED = 10;

const Input = z.strictObject({
  assignee: z.string().trim().min(1).describe("Who takes it; the same name in every call"),
  id: z.string().optional().describe("Default: the first item of plan.next"),
  type: z.enum(["work", "bug", "all"]).optional(),
  milestone: z.string().optional(),
  tag: z.string().optional(),
  release: z.boolean().optional().describe("With id: returns it to ready"),
  takeOver: z.string().optional().describe("With id: the owner to take it from"),
  dir: dirArgument(),
});

const Output = z.object({
  items: offeredItems,
  withheld: z.int().optional(),
  released: z.object(namedEntity).optional(),
  note: z.string().optional(),
});

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
      checkAttributes({ assignee: input.assignee });
      const dir = existingPlan(context, input.dir);
      const elsewhere = id === undefined
        ? await claimedElsewhere(plugin, context, input)
        : new Map();
      return await withPlanLock(dir, context.signal, async () => {
        const claim = new Claim(plugin, context, input, dir);
        if (id === undefined) return await claim.next(elsewhere);
        return release ? await claim.release(id) : await claim.one(id);
      });
    },
  });
}

/** What somebody else works on in other branches and worktrees, in words by id. */
async function claimedElsewhere(
  plugin: PlanPlugin,
  context: CallContext,
  { dir, assignee }: Input,
): Promise<Map<string, string>> {
  const plan = await openPlan(context, dir, plugin);
  const { states } = await readElsewhere(plan, plugin, context.signal);
  return new Map([...states].flatMap(([id, found]) => {
    const state = found.find(({ item }) => item.status === CLAIMED && ownerOf(item) !== assignee);
    return state === undefined ? [] : [[id, sentenceOf(state)]];
  }));
}

/** One call, which holds the plan's lock. */
class Claim {
  readonly #plugin: PlanPlugin;
  readonly #context: CallContext;
  readonly #input: Input;
  readonly #dir: string;

  constructor(
    plugin: PlanPlugin,
    context: CallContext,
    input: Input,
    dir: string,
  ) {
    [this.#plugin, this.#context, this.#input] = [plugin, context, input];
    this.#dir = dir;
  }

  /** Claims the first offered item that nobody else has, here or elsewhere. */
  async next(elsewhere: ReadonlyMap<string, string>): Promise<Answer> {
    const { assignee, type, milestone, tag } = this.#input;
    const scope = {
      ...(type === undefined ? {} : { type }),
      ...(milestone === undefined ? {} : { milestone }),
      ...(tag === undefined ? {} : { tag }),
    };
    const plan = await this.#open();
    checkScope(plan, scope);
    const { offered, withheld } = await readyItems(this.#plugin, plan, scope, this.#context);
    const found = offered.flatMap(({ id }) => plan.find(id) ?? []);
    const skipped: string[] = [];
    const note = () => ({ note: `Skipped: ${skipped.slice(0, MAX_NAMED).join("; ")}` });
    for (const item of found) {
      const owner = ownerOf(item);
      const reason = owner !== "" && owner !== assignee
        ? `reserved for ${owner}`
        : elsewhere.get(item.id);
      if (reason !== undefined) {
        skipped.push(`${item.id} (${reason})`);
        continue;
      }
      try {
        const taken = await this.#take(item);
        return { ...taken, withheld: withheld.length, ...(skipped.length > 0 ? note() : {}) };
      } catch (error) {
        // An editor without the lock was faster: try the next one.
        if (!(error instanceof RefraktError) || error.code !== "CONFLICT") throw error;
      }
    }
    const nothing = { note: "Nothing is ready. plan.next with explain lists what is withheld" };
    const answer = { items: [], withheld: withheld.length };
    return { ...answer, ...(skipped.length > 0 ? note() : nothing) };
  }

  /** Claims one item; also succeeds if the assignee already has it. */
  async one(id: string): Promise<Answer> {
    const { assignee, takeOver } = this.#input;
    const plan = await this.#open();
    const item = itemOf(plan, id);
    const owner = ownerOf(item);
    if (item.status === CLAIMED && owner === assignee) return this.#answer(plan, item);
    if (takeOver !== undefined && takeOver !== owner) throw conflict(item, takeOver);
    const isFree = isReady(item.type, item.status) || item.status === CLAIMED;
    if (!isFree || owner !== "" && owner !== assignee && takeOver === undefined) {
      throw conflict(item);
    }
    const answer = await this.#take(item);
    const blockers = blockersOf(plan, item).map((other) => `${other.id} (${other.status})`);
    return blockers.length === 0
      ? answer
      : { ...answer, note: `Unfinished dependencies: ${blockers.join(", ")}` };
  }

  async release(id: string): Promise<Answer> {
    const { assignee } = this.#input;
    const item = itemOf(await this.#open(), id);
    if (item.status !== CLAIMED || ownerOf(item) !== assignee) throw conflict(item, assignee);
    await this.#change(item, { status: readyStatus(item.type), assignee: "" });
    return { items: [], released: rowOf(itemOf(await this.#open(), id)) };
  }

  async #take(item: Item): Promise<Answer> {
    await this.#change(item, { status: CLAIMED, assignee: this.#input.assignee });
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

  /** Changes an item unless its status or assignee has changed since this call read it. */
  async #change(item: Item, attributes: Record<string, string>): Promise<void> {
    const condition = { status: item.status, assignee: ownerOf(item) };
    const change = { dir: this.#dir, id: item.id, attributes, edits: [], condition };
    await editUnderLock(this.#plugin, this.#context, change);
  }

  #open(): Promise<PlanView> {
    return openPlan(this.#context, this.#input.dir, this.#plugin);
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

function ownerOf({ entity }: Item): string {
  return entity.attributes["assignee"] ?? "";
}

function conflict(item: Item, expected?: string): RefraktError {
  const owner = ownerOf(item);
  const who = owner === "" ? "nobody" : owner;
  const wanted = expected === undefined ? "" : `, not ${expected}`;
  return new RefraktError(
    "CONFLICT",
    `${item.id} is ${item.status}, assigned to ${who}${wanted}`,
    {
      hint: item.status === CLAIMED && owner !== ""
        ? `Claim another item, or pass takeOver: ${JSON.stringify(owner)} if ${owner} has stopped.`
        : item.status === CLAIMED || isReady(item.type, item.status)
        ? "Nothing was written. Read it again with plan.get."
        : `Only ${readyStatus(item.type)} or in-progress items can be claimed.`,
      data: { current: { status: item.status, assignee: owner } },
    },
  );
}
