/**
 * What of an entity's text the history compares.
 *
 * @module
 */

import { loadedPlanDiff, type PlanDiff } from "./diff.ts";
import type { Criterion } from "./scanner.ts";

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
  /** Its check boxes. */
  readonly criteria: readonly Criterion[];
  /** The text of its resolution; `undefined` where there is none. */
  readonly resolution: string | undefined;
}

const TAG = /^\{%\s*(spec|work|bug|decision|milestone)\b([^]*?)%\}/;
const ATTRIBUTE = /([\w-]+)=(?:"([^"]*)"|'([^']*)')/g;

/** The plugin's own comparison. */
export function loadDiff(): Promise<PlanDiff> {
  return loadedPlanDiff();
}

/** Takes what counts from a file's text; `null` where it holds no entity. */
export function snapshotOf(source: string, diff: PlanDiff): Snapshot | null {
  // Other line ends are no change.
  const text = source.replaceAll("\r\n", "\n");
  const tag = findTag(text);
  if (tag === undefined) return null;
  const attributes: Record<string, string> = {};
  for (const [, name, double, single] of tag.attributes.matchAll(ATTRIBUTE)) {
    attributes[name!] = double ?? single ?? "";
  }
  return {
    type: tag.type,
    id: attributes["id"] ?? attributes["name"],
    title: /^#\s+(.+?)\s*$/m.exec(text)?.[1],
    attributes,
    criteria: diff.parseCheckboxes(text),
    resolution: diff.hasResolutionSection(text)
      ? text.slice(text.search(/^##\s+Resolution\s*$/m))
      : undefined,
  };
}

/** Whether two texts are of one entity: an id may be changed, or a title, but not both at once. */
export function isSameEntity(before: Snapshot, after: Snapshot): boolean {
  return before.id === after.id || before.title === after.title;
}

/** The opening tag, wherever it begins a line outside a code fence; it may span lines. */
function findTag(text: string): { type: string; attributes: string } | undefined {
  let fence: string | undefined;
  let offset = 0;
  for (const line of text.split("\n")) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (mark[0] === fence[0] && mark.length >= fence.length) fence = undefined;
    } else if (fence === undefined && line.startsWith("{%")) {
      const tag = TAG.exec(text.slice(offset, offset + 8192));
      if (tag !== null) return { type: tag[1]!, attributes: tag[2]! };
    }
    offset += line.length + 1;
  }
  return undefined;
}
