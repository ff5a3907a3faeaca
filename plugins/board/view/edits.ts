/**
 * Edits of entities. They are written only if each field still has the displayed value, and can be
 * undone.
 */

import { type Host, ToolError } from "./host.ts";
import { changeText } from "./model.ts";

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
  /** Further arguments of `plan.update`, such as `check`; `dependsOn` replaces the change. */
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

/** The arguments of `plan.update` for an edit; it is written only if the fields still are as shown. */
export function argumentsOf({ id, field, before, after, more = {}, also }: Edit): Arguments {
  const { kind, name } = field;
  // Ticking a ticked criterion is not a conflict.
  const condition = kind === "criterion" ? {} : { if: { [name]: before, ...also?.before } };
  const change = more["dependsOn"] !== undefined
    ? {}
    : kind === "section"
    ? { sections: { [name]: after } }
    : kind === "criterion"
    ? { [after === "" ? "uncheck" : "check"]: name }
    : kind === "title"
    ? { title: after }
    : { attrs: { [name]: after, ...also?.after } };
  return { id, ...change, ...more, ...condition };
}

/** What `plan.update` gets. */
export type Arguments = Readonly<Record<string, unknown>> & { readonly id: string };

/**
 * Calls `plan.update`, and returns its warnings.
 *
 * @throws {Error} If a field has changed; nothing is written then.
 */
export async function update(
  host: Host,
  args: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  try {
    return (await host.call<{ warnings?: string[] }>("update", args)).warnings ?? [];
  } catch (error) {
    const [current] = Object.entries(error instanceof ToolError ? error.current : {});
    if (current === undefined) throw error;
    const [name, now] = current;
    throw new Error(
      `${args["id"] ?? "An entity"}: "${shorten(name)}" was changed meanwhile and is now ` +
        `${shorten(now) || "empty"}. Nothing was written.`,
    );
  }
}

/** Calls `plan.update`, and returns its warnings and what takes the call back. */
export async function updateWithUndo(
  host: Host,
  args: Arguments,
): Promise<{ warnings: readonly string[]; undo: () => Promise<unknown> }> {
  const fields = ["title", "status", "attributes", "sections"];
  const read = () => host.call<Entity>("get", { id: args.id, fields });
  const before = await read();
  const warnings = await update(host, args);
  const after = read();
  return { warnings, undo: async () => update(host, between(await after, before)) };
}

/** The change that makes one state of an entity another; ticks are in the text of sections. */
function between(from: Entity, to: Entity): Arguments {
  const texts = ({ title = "", status = "", attributes, sections = {} }: Entity) => ({
    title: { title },
    attrs: { ...attributes, status },
    sections,
  });
  const [before, after] = [texts(from), texts(to)];
  const change = (kind: keyof typeof before, one: typeof before) => {
    const values: Values = one[kind];
    const names = Object.keys({ ...before[kind], ...after[kind] })
      .filter((name) => Object(before[kind])[name] !== Object(after[kind])[name]);
    return Object.fromEntries(names.map((name) => [name, values[name] ?? ""]));
  };
  return {
    id: to.id,
    ...change("title", after),
    attrs: change("attrs", after),
    sections: change("sections", after),
    if: { ...change("title", before), ...change("attrs", before), ...change("sections", before) },
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
    changeText(name!, from!, to!)
  );
  return `${id}: ${changes.join(", ")}`;
}

function labelOf({ kind, name }: Field): string {
  return kind === "title" ? "the title" : `"${shorten(name)}"`;
}

function shorten(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`;
}
