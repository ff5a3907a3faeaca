/**
 * Edits of one field of an entity, as people make them: each is written only where the value is
 * still the one that was on the screen, and can be undone.
 *
 * @module
 */

import { type Host, ToolError } from "./host.ts";

/** An entity as `plan.get` returns it, as far as the board shows it. */
export interface Entity {
  id: string;
  title?: string;
  status?: string;
  attributes?: Record<string, string>;
  criteria?: { text: string; checked: boolean }[];
  /** By heading; `description` comes first. */
  sections?: Record<string, string>;
  /** The sections that cannot be edited, and why. */
  notEditable?: { reason: string; sections: string[] };
}

/** What an edit changes; the title has its own name. */
export interface Field {
  readonly kind: "title" | "attribute" | "section" | "criterion";
  readonly name: string;
}

/** An edit. */
export interface Edit {
  /** The entity. */
  readonly id: string;
  /** What is changed. */
  readonly field: Field;
  /** The value that was shown. */
  readonly before: string;
  /** The new value; a criterion's is `x` or empty. */
  readonly after: string;
}

/** Reads the value of a field. */
export function valueIn(entity: Entity, { kind, name }: Field): string {
  if (kind === "title") return entity.title ?? "";
  if (kind === "attribute") return entity.attributes?.[name] ?? "";
  return (entity.sections?.[name] ?? "").replaceAll("\r\n", "\n").trim();
}

/**
 * Writes an edit with `plan.update`.
 *
 * @throws {Error} Where somebody changed the field meanwhile; nothing is written then.
 */
export async function applyEdit(host: Host, { id, field, before, after }: Edit): Promise<void> {
  const { kind, name } = field;
  // A criterion that somebody else has ticked is ticked.
  const condition = kind === "criterion" ? {} : { if: { [name]: before } };
  const change = kind === "section"
    ? { sections: { [name]: after } }
    : kind === "criterion"
    ? { [after === "" ? "uncheck" : "check"]: name }
    : { [name]: after };
  try {
    await host.call("update", { id, ...change, ...condition });
  } catch (error) {
    const now = error instanceof ToolError ? error.current[name] : undefined;
    if (now === undefined) throw error;
    throw new Error(
      `${id}: somebody changed ${labelOf(field)} meanwhile. It is now ${
        shorten(now) || "empty"
      }. ` +
        "Nothing was written.",
    );
  }
}

/** The edit that undoes another one. */
export function inverseOf({ before, after, ...edit }: Edit): Edit {
  return { ...edit, before: after, after: before };
}

/** An edit in words. */
export function describeEdit({ id, field, before, after }: Edit): string {
  if (field.kind === "criterion") {
    return `${id}: ${after === "" ? "unticked" : "ticked"} ${labelOf(field)}`;
  }
  if (field.kind !== "attribute") return `${id}: ${labelOf(field)} saved`;
  const name = field.name === "status" ? "" : `${field.name} `;
  return `${id}: ${name}${before || "none"} → ${after || "none"}`;
}

function labelOf({ kind, name }: Field): string {
  return kind === "title" ? "the title" : `"${shorten(name)}"`;
}

function shorten(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`;
}
