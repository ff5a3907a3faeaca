/**
 * The types of plan entities, and which files contain one. `plugins/plan/entity/document.ts` parses
 * entities.
 */

import { FENCE, FENCE_END } from "../../../src/markdoc/lines.ts";

/** The entity types, which are the names of their tags. */
export const ENTITY_TYPES = ["spec", "work", "bug", "decision", "milestone"] as const;

export type EntityType = typeof ENTITY_TYPES[number];

const OPENING_TAG = new RegExp(`^[ \\t]*\\{%\\s*(?:${ENTITY_TYPES.join("|")})(?=[\\s%/]|$)`);

export function isEntityType(name: string): name is EntityType {
  return ENTITY_TYPES.some((type) => type === name);
}

/**
 * Whether a file has an entity: its tag at the start of a line outside code fences and comments. Also
 * finds tags that Markdoc cannot parse.
 */
export function hasEntity(source: string): boolean {
  const last = source.lastIndexOf("%}");
  let fence: string | undefined;
  for (let [at, end] = [0, 0]; at <= last; at = end + 1) {
    end = source.indexOf("\n", at);
    if (end < 0) end = source.length;
    const line = source.slice(at, end);
    const comment = fence === undefined ? /^[ \t]*<!--/.exec(line)?.[0].length : undefined;
    const close = comment === undefined ? -1 : source.indexOf("-->", at + comment);
    if (close !== -1) {
      end = source.indexOf("\n", close);
      if (end < 0) return false;
      continue;
    }
    if (fence !== undefined) {
      if (FENCE_END.exec(line)?.[1]?.startsWith(fence)) fence = undefined;
      continue;
    }
    fence = FENCE.exec(line)?.[2];
    if (OPENING_TAG.test(line)) return true;
  }
  return false;
}
