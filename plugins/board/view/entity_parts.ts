/** What the parts of an entity's panel get. */

import type { Board } from "./board_state.ts";
import type { Entity, Field } from "./edits.ts";

export type Named = { id: string; title?: string; status?: string };

export interface Opened extends Entity {
  dependencies?: Named[];
  references?: Named[];
  /** What points here; the kinds are names of lists. */
  referencedBy?: (Named & { kind: string })[];
}

export interface PartProps {
  board: Board;
  entity: Opened;
  edit(field: Field): (before: string, after: string) => Promise<boolean>;
}
