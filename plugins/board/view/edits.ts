/**
 * Edits of one field of an entity, as people make them: each is checked against the value that
 * was on the screen, and can be taken back.
 *
 * @module
 */

import type { Host } from "./host.ts";

/** An entity as `plan.get` answers it, as far as the board shows it. */
export interface Entity {
  /** Its id. */
  id: string;
  /** Its title. */
  title?: string;
  /** Its status. */
  status?: string;
  /** Its other attributes. */
  attributes?: Record<string, string>;
  /** Its criteria. */
  criteria?: { text: string; checked: boolean }[];
  /** Its sections by heading; `description` comes first. */
  sections?: Record<string, string>;
  /** The sections that cannot be edited, and why. */
  notEditable?: { reason: string; sections: string[] };
}

/** What an edit changes. */
export type Field =
  | { readonly kind: "title" }
  | { readonly kind: "attribute"; readonly name: string }
  | { readonly kind: "section"; readonly name: string }
  | { readonly kind: "criterion"; readonly name: string };

/** An edit. */
export interface Edit {
  /** The entity. */
  readonly id: string;
  /** What is changed. */
  readonly field: Field;
  /** The value that was shown; the edit is refused where it is another by now. */
  readonly before: string;
  /** The new value; a criterion's is `x` or empty. */
  readonly after: string;
}

/** The field has another value by now. */
export class Conflict extends Error {}

/** Reads the value of a field. */
export function valueIn(entity: Entity, field: Field): string {
  switch (field.kind) {
    case "title":
      return entity.title ?? "";
    case "attribute":
      return (field.name === "status" ? entity.status : entity.attributes?.[field.name]) ?? "";
    case "section":
      return (entity.sections?.[field.name] ?? "").replaceAll("\r\n", "\n").trim();
    case "criterion":
      return entity.criteria?.find(({ text }) => text === field.name)?.checked === true ? "x" : "";
  }
}

/**
 * Writes an edit with `plan.update`.
 *
 * @returns The value as it was stored: the server escapes what would end the entity.
 * @throws {Conflict} Where somebody changed the field meanwhile; nothing is written then.
 */
export async function applyEdit(host: Host, { id, field, before, after }: Edit): Promise<string> {
  const fields = ["attributes", "criteria", "sections", "title", "status"];
  const read = async () => valueIn(await host.call<Entity>("get", { id, fields }), field);
  const now = await read();
  if (now !== before) {
    throw new Conflict(
      `${id}: somebody changed ${labelOf(field)} meanwhile. It is now ${
        shorten(now) || "empty"
      }. ` +
        "Nothing was written.",
    );
  }
  await host.call("update", { id, ...argumentsOf(field, after) });
  return await read();
}

/** The edit that takes another one back. */
export function inverseOf({ before, after, ...edit }: Edit): Edit {
  return { ...edit, before: after, after: before };
}

/** An edit in words. */
export function describeEdit({ id, field, before, after }: Edit): string {
  switch (field.kind) {
    case "criterion":
      return `${id}: ${after === "" ? "unticked" : "ticked"} "${shorten(field.name)}"`;
    case "attribute":
      return `${id}: ${field.name === "status" ? "" : `${field.name} `}${before || "none"} → ${
        after || "none"
      }`;
    default:
      return `${id}: ${labelOf(field)} saved`;
  }
}

function labelOf(field: Field): string {
  return field.kind === "title" ? "the title" : `"${shorten(field.name)}"`;
}

function argumentsOf(field: Field, value: string): Record<string, unknown> {
  switch (field.kind) {
    case "title":
      return { title: value };
    case "attribute":
      return { [field.name]: value };
    case "section":
      return { sections: { [field.name]: value } };
    case "criterion":
      return { [value === "" ? "uncheck" : "check"]: field.name };
  }
}

function shorten(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`;
}
