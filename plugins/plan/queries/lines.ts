/** The lines of a file that name other entities. */

import type { Entity } from "../entity/entity.ts";
import type { PointerKind } from "../store/relations.ts";
import { type PlanView, sourceText } from "./access.ts";

/** Finds the line of a reference, from 1: a source in the tag, a dependency in its section. */
export function referenceLines(plan: PlanView, item: Entity) {
  const text = sourceText(plan, item);
  const lines = text.split("\n");
  const tagEnd = text.slice(0, item.bodyStart).split("\n").length;
  return (name: string, kind: PointerKind): number | undefined => {
    const word = RegExp.escape(name);
    const pattern = new RegExp(String.raw`(?<![A-Za-z0-9-])${word}(?![A-Za-z0-9]|[-.]\d)`, "i");
    let first: number | undefined;
    let isDependencies = false;
    for (const [at, line] of lines.entries()) {
      if (/^#{1,2}\s/.test(line)) isDependencies = /depend|block/i.test(line);
      const isTag = at < tagEnd;
      if (isTag !== (kind === "source") || !pattern.test(line)) continue;
      if (kind !== "depends" && kind !== "blocks" || isDependencies) return at + 1;
      first ??= at + 1;
    }
    return first;
  };
}
