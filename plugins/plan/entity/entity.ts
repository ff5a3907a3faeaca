/** A file of the plan, and the entity in it: plain data. */

import type { Contents, ParsedText } from "./contents.ts";

export interface PlanFile {
  /** Relative to the plan, with `/`. */
  readonly file: string;
  /** When it was last changed, in milliseconds. */
  readonly mtime: number;
  /** The parsed text. */
  readonly parsed: ParsedText;
  /** Editors may empty a file while they save it. */
  readonly isEmpty: boolean;
  readonly isCrlf: boolean;
  /** Why it cannot be read. */
  readonly unreadable: string | undefined;
}

/** An entity of a plan. */
export interface Entity extends Contents {
  /** Its id, a milestone's name, or the file if it has neither. */
  readonly id: string;
  /** Whether it has an id of its own. */
  readonly hasId: boolean;
  /** Empty if unset. */
  readonly status: string;
  /** Whether the status ends the work. */
  readonly finished: boolean;
  /** Relative to the plan. */
  readonly file: string;
  readonly mtime: number;
  readonly source: PlanFile;
  /** The conflict in its file. */
  readonly conflict: ParsedText["conflict"];
}

/** The fields of an entity that take its id. */
export type TakenId = Pick<Entity, "id" | "type" | "attributes" | "file">;

/** An id that is taken in a file, or in another place. */
export function takenId(id: string, file: string): TakenId {
  return { id, type: "work", attributes: { id }, file };
}

/** Who works on an entity; empty if nobody is assigned. */
export function ownerOf({ attributes }: Pick<Entity, "attributes">): string {
  return attributes["assignee"] ?? "";
}

/** Splits a comma-separated attribute. */
export function listedValues({ attributes }: Entity, name: string): string[] {
  return splitList(attributes[name] ?? "");
}

export function splitList(text: string): string[] {
  return text.split(",").map((part) => part.trim()).filter((part) => part !== "");
}
