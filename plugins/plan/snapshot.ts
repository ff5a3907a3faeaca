/**
 * What of an entity's text the history compares.
 *
 * @module
 */

import { findEntityTag } from "../../src/project/entities.ts";
import type { PlanDiff } from "./diff.ts";
import { type Criterion, idOf } from "./entity.ts";
import { criteriaOf } from "./outline.ts";
import { detached } from "./git_log.ts";

/** One version of an entity. */
export interface Snapshot {
  /** Its type. */
  readonly type: string;
  /** Its id, or a milestone's name. */
  readonly id: string | undefined;
  /** Its first heading. */
  readonly title: string | undefined;
  /** The attributes of its tag. */
  readonly attributes: Record<string, string>;
  /** Its criteria. */
  readonly criteria: readonly Criterion[];
  /** Tells one text of its resolution from another; `undefined` where there is none. */
  readonly resolution?: number;
}

const ATTRIBUTE = /([\w-]+)=(?:"([^"]*)"|'([^']*)')/g;

/** Takes what counts from a file's text; `null` where it holds no entity. */
export function snapshotOf(source: string, diff: PlanDiff): Snapshot | null {
  // Other line ends are no change.
  const text = source.replaceAll("\r\n", "\n");
  const tag = findEntityTag(text);
  if (tag === undefined) return null;
  const attributes: Record<string, string> = {};
  for (const [, name, double, single] of tag.attributes.matchAll(ATTRIBUTE)) {
    attributes[name!] = double ?? single ?? "";
  }
  return detached({
    type: tag.type,
    id: idOf(attributes),
    title: /^#\s+(.+?)\s*$/m.exec(text)?.[1],
    attributes,
    criteria: criteriaOf(text) ?? [],
    ...(diff.hasResolutionSection(text)
      ? { resolution: digest(text.slice(text.search(/^##\s+Resolution\s*$/m))) }
      : {}),
  });
}

/** A number that two texts share by accident once in four thousand million times. */
function digest(text: string): number {
  let hash = 2_166_136_261;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619);
  }
  return hash >>> 0;
}

/** Whether two texts are of one entity: an id may be changed, or a title, but not both at once. */
export function isSameEntity(before: Snapshot, after: Snapshot): boolean {
  return before.id === after.id || before.title === after.title;
}
