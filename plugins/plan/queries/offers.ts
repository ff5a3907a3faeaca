/** Items that are offered as next, and why others are not, as answers show them. */

import { quotedName } from "../../../src/plain_text.ts";
import type { Entity } from "../entity/entity.ts";
import { readyStatus } from "../entity/lifecycle.ts";
import { type Named, pathOf, type PlanView, rowOf, rowsOf, unlessEmpty, uriOf } from "./access.ts";
import { type Availability, rankOf, whyNotOffered } from "./availability.ts";
import {
  blockersOf,
  conflictNote,
  duplicateNote,
  idAndStatus,
  isSound,
  mentionsThatWithhold,
  withheldBy,
} from "./waits.ts";

/** How many drafts are named where nothing is ready. */
const DRAFTS = 5;

/** The plugin's rule for references, stated once for all items. */
const NOTE = "Without a Dependencies section, mentions count as dependencies";

/** Why nothing more is offered; where nothing is ready, also how a draft becomes so. */
export function offerNotes(
  plan: PlanView,
  available: Availability,
  explain: boolean,
): { drafts?: Named[]; note?: string } {
  const { offered, withheld, unready } = available;
  const why = whyNotOffered(plan, available);
  const [first] = unready;
  const isNothing = offered.length === 0;
  if (isNothing && withheld.length === 0 && first !== undefined) {
    const call = `plan_update { id: ${quotedName(first.id)}, status: "${
      readyStatus(first.type)
    }" }`;
    return {
      drafts: unready.slice(0, DRAFTS).map(rowOf),
      note: `Nothing is ready: ${why}. Once the criteria are settled, ${call} offers it.`,
    };
  }
  // Where much is offered, the number of withheld items is enough.
  const isClear = withheld.every((item) => isSound(plan, item));
  if (offered.length > withheld.length && !explain && isClear) return {};
  if (why === "") return isNothing ? { note: "Nothing is ready or waits to become so" } : {};
  const mentions = (isNothing || explain) &&
      withheld.some((item) => mentionsThatWithhold(plan, item).length > 0)
    ? `. ${NOTE}: plan_validate { type: "mention-blocks" } has the corrections`
    : "";
  const start = isNothing ? "Nothing is offered" : `${offered.length} offered`;
  return { note: `${start}: ${why}${mentions}` };
}

/** The fields of an item that every list of ready items has. */
export function readyRow(item: Entity) {
  return { id: item.id, title: item.title || undefined, type: item.type, ...rankOf(item) };
}

/** An item with its other attributes and the titles of its references. */
export function offeredRow(plan: PlanView, item: Entity) {
  const { attributes, criteria, refs } = item;
  const shownAlready = ["id", "status", "priority", "complexity"];
  const others = Object.entries(attributes)
    .filter(([name, value]) => value !== "" && !shownAlready.includes(name));
  return {
    ...readyRow(item),
    criteria: criteria.map(({ text, checked }) => ({ text, checked: checked || undefined })),
    attributes: others.length === 0 ? undefined : Object.fromEntries(others),
    references: unlessEmpty(rowsOf(plan, refs)),
    path: pathOf(plan, item),
    uri: uriOf(item),
  };
}

/** Explains why a ready item is withheld. */
export function withheldRow(plan: PlanView, item: Entity, taken: string | undefined) {
  const [blockers, others] = [blockersOf(plan, item), withheldBy(plan, item)];
  const listOf = (items: readonly Entity[]) => items.map(idAndStatus).join(", ");
  const reasons = taken === undefined ? [] : [`Taken elsewhere: ${taken}`];
  if (blockers.length > 0) reasons.push(`Unfinished dependencies: ${listOf(blockers)}`);
  if (others.some(({ id }) => item.dependencies?.some((dependency) => dependency.id === id))) {
    reasons.push(`The plan plugin counts only done and fixed: ${listOf(others)}`);
  } else if (others.length > 0) {
    reasons.push(`References: ${listOf(others)}`);
  }
  reasons.push(
    ...[duplicateNote(plan, item), conflictNote(item)].filter((note) => note !== undefined),
  );
  return {
    id: item.id,
    title: item.title || undefined,
    reason: reasons.join("; ") || "It has no id",
  };
}
