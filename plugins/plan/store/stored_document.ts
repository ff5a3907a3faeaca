/** Interim, until document.ts is there. */
import { type ConflictMarkers, conflictMarkers } from "../conflicts.ts";
import type { Criterion } from "../entity.ts";
import { criteriaOf } from "../outline.ts";
import { findEntityTag } from "../../../src/project/entities.ts";
import { plainText } from "../parser.ts";

export interface StoredDocument {
  readonly text: string;
  readonly bodyStart: number;
  readonly criteria: readonly Criterion[];
  readonly conflict: ConflictMarkers | undefined;
  readonly further: readonly string[];
}

export function readStored(source: string): StoredDocument {
  const text = plainText(source);
  return {
    text,
    bodyStart: findEntityTag(text)?.end ?? 0,
    criteria: criteriaOf(text) ?? [],
    conflict: conflictMarkers(text),
    further: [],
  };
}
