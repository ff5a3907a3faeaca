/**
 * Edits of one field of an entity. They are written only if the field still has the displayed
 * value, and can be undone.
 */

import { type Host, ToolError } from "./host.ts";

/** The fields of `plan.get` that the board shows. */
export interface Entity {
  id: string;
  title?: string;
  status?: string;
  attributes?: Record<string, string>;
  criteria?: { text: string; checked: boolean }[];
  /** By heading; `description` comes first. */
  sections?: Record<string, string>;
  notEditable?: { reason: string; sections: string[] };
}

export interface Field {
  readonly kind: "title" | "attribute" | "section" | "criterion";
  readonly name: string;
}

export interface Edit {
  readonly id: string;
  readonly field: Field;
  /** The displayed value. */
  readonly before: string;
  /** The new value; for a criterion `x` or an empty string. */
  readonly after: string;
}

export function valueIn(entity: Entity, { kind, name }: Field): string {
  if (kind === "title") return entity.title ?? "";
  if (kind === "attribute") return entity.attributes?.[name] ?? "";
  return (entity.sections?.[name] ?? "").replaceAll("\r\n", "\n").trim();
}

/**
 * Writes an edit with `plan.update`.
 *
 * @throws {Error} If the field has changed; nothing is written then.
 */
export async function applyEdit(host: Host, { id, field, before, after }: Edit): Promise<void> {
  const { kind, name } = field;
  // Ticking a ticked criterion is not a conflict.
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
      `${id}: ${labelOf(field)} was changed meanwhile and is now ${shorten(now) || "empty"}. ` +
        "Nothing was written.",
    );
  }
}

export function inverseOf({ before, after, ...edit }: Edit): Edit {
  return { ...edit, before: after, after: before };
}

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
