/**
 * Edits of entities. They are written only if each field still has the displayed value, and can be
 * undone.
 */

import { type Host, ToolError } from "./host.ts";

/** The fields of `plan.get` that the board shows. */
export interface Entity {
  id: string;
  title?: string;
  status?: string;
  path?: string;
  attributes?: Record<string, string>;
  criteria?: { text: string; checked: boolean }[];
  /** By heading; `description` comes first. */
  sections?: Record<string, string>;
  notEditable?: { reason: string; sections: string[] };
}

/** Values of fields: attributes by name. */
export type Values = Readonly<Record<string, string>>;

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
  /** Further arguments of `plan.update`, such as `check`; an edit with them has no undo. */
  readonly more?: Readonly<Record<string, unknown>>;
  /** Other attributes that change with it. */
  readonly also?: { readonly before: Values; readonly after: Values };
}

/** The result of the last action. */
export interface Notice {
  readonly text: string;
  readonly bad?: boolean;
  readonly undoable?: boolean;
}

/** Undoes a write; `text` describes the result. */
export interface Undo {
  readonly text: string;
  run(): Promise<unknown>;
}

/** A question about finishing an entity with open criteria, asked where it was dropped. */
export interface Question {
  readonly edit: Edit;
  readonly open: number;
}

export function valueIn(entity: Entity, { kind, name }: Field): string {
  if (kind === "title") return entity.title ?? "";
  if (kind === "attribute") return entity.attributes?.[name] ?? "";
  return (entity.sections?.[name] ?? "").replaceAll("\r\n", "\n").trim();
}

/**
 * Writes an edit with `plan.update`, and returns the tool's warnings.
 *
 * @throws {Error} If a field has changed; nothing is written then.
 */
export async function applyEdit(host: Host, edit: Edit): Promise<readonly string[]> {
  const { id, field, before, after, more = {}, also } = edit;
  const { kind, name } = field;
  // Ticking a ticked criterion is not a conflict.
  const condition = kind === "criterion" ? {} : { if: { [name]: before, ...also?.before } };
  const change = kind === "section"
    ? { sections: { [name]: after } }
    : kind === "criterion"
    ? { [after === "" ? "uncheck" : "check"]: name }
    : { [name]: after };
  // Attributes without an argument of their own.
  const isOther = kind === "attribute" && !ARGUMENTS.includes(name);
  const args = { id, ...(isOther ? { attrs: change } : change), ...also?.after, ...more };
  try {
    const { warnings = [] } = await host.call<{ warnings?: string[] }>("update", {
      ...args,
      ...condition,
    });
    return warnings;
  } catch (error) {
    const current = error instanceof ToolError ? error.current : {};
    const now = current[name];
    if (now === undefined) throw error;
    throw new Error(
      `${id}: ${labelOf(field)} was changed meanwhile and is now ${shorten(now) || "empty"}. ` +
        "Nothing was written.",
    );
  }
}

/** The attributes that are arguments of `plan.update`. */
const ARGUMENTS = ["status", "priority", "severity", "complexity", "assignee", "milestone"];

export function inverseOf({ before, after, more: _, also, ...edit }: Edit): Edit {
  return {
    ...edit,
    before: after,
    after: before,
    ...(also === undefined ? {} : { also: { before: also.after, after: also.before } }),
  };
}

export function describeEdit({ id, field, before, after, also }: Edit): string {
  if (field.kind === "criterion") {
    return `${id}: ${after === "" ? "unticked" : "ticked"} ${labelOf(field)}`;
  }
  if (field.kind !== "attribute") return `${id}: ${labelOf(field)} saved`;
  const names = [[field.name, before, after]];
  for (const [name, value] of Object.entries(also?.after ?? {})) {
    names.push([name, also!.before[name] ?? "", value]);
  }
  const changes = names.filter(([, before, after]) => before !== after).map(([name, from, to]) =>
    `${name === "status" ? "" : `${name} `}${from || "none"} → ${to || "none"}`
  );
  return `${id}: ${changes.join(", ")}`;
}

function labelOf({ kind, name }: Field): string {
  return kind === "title" ? "the title" : `"${shorten(name)}"`;
}

function shorten(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`;
}
