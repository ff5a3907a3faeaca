/**
 * The types of plan entities, and which files contain one. `plugins/plan/entity/document.ts` parses
 * entities.
 */

import { FENCE, FENCE_END } from "../../../src/markdoc/fences.ts";

/** The entity types, which are the names of their tags. */
export const ENTITY_TYPES = ["spec", "work", "bug", "decision", "milestone"] as const;

export type EntityType = typeof ENTITY_TYPES[number];

const OPENING = new RegExp(`^[ \\t]*\\{%\\s*(${ENTITY_TYPES.join("|")})(?=[\\s%/]|$)`);

export function isEntityType(name: string): name is EntityType {
  return ENTITY_TYPES.some((type) => type === name);
}

/** An attribute with a string, which is all that entities have. */
const ATTRIBUTE = /([\w-]+)="([^"]*)"/g;

/**
 * The type and the attributes of the entity in a file: of the first tag at the start of a line
 * outside code fences and comments. Also finds tags that Markdoc cannot parse.
 */
export function entityIn(
  source: string,
): { type: EntityType; attributes: Record<string, string> } | undefined {
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
      if (end < 0) return undefined;
      continue;
    }
    if (fence !== undefined) {
      if (FENCE_END.exec(line)?.[1]?.startsWith(fence)) fence = undefined;
      continue;
    }
    fence = FENCE.exec(line)?.[2];
    const type = OPENING.exec(line)?.[1];
    if (type === undefined || !isEntityType(type)) continue;
    const found = source.slice(at, source.indexOf("%}", at)).matchAll(ATTRIBUTE);
    return {
      type,
      attributes: Object.fromEntries(Array.from(found, ([, key, value]) => [key, value])),
    };
  }
  return undefined;
}
