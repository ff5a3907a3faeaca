/** Changes of entities by `plan.update`, with their conditions, and what takes them back. */

import type { Host } from "./host.ts";

/** The fields of `plan.get` that the board shows. */
export interface Entity {
  id: string;
  title?: string;
  status?: string;
  path?: string;
  attributes?: Record<string, string>;
  criteria?: { text: string; checked?: boolean }[];
  /** By heading; `description` comes first. */
  sections?: Record<string, string>;
  notEditable?: { reason: string; sections: string[] };
  dependencies?: { id: string; status?: string }[];
}

export type Values = Readonly<Record<string, string>>;

/** What `plan.update` gets. */
export type Arguments = Readonly<Record<string, unknown>>;

/** A change of one entity, and how it is reported. */
export interface Change {
  readonly args: Arguments & { readonly id: string };
  readonly text: string;
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
export interface Question extends Change {
  readonly open: number;
  /** The resolution, while it is written. */
  readonly resolution?: string;
}

/** Sets attributes that still are as they were shown. */
export function attributeChange(id: string, before: Values, after: Values): Change {
  const changes = Object.entries(after).filter(([name, to]) => to !== before[name])
    .map(([name, to]) =>
      `${name === "status" ? "" : `${name} `}${before[name] || "none"} → ${to || "none"}`
    );
  return { args: { id, attrs: after, if: before }, text: `${id}: ${changes.join(", ")}` };
}

/** Replaces the title or a section that still is as it was shown. */
export function textChange(id: string, name: string, before: string, after: string): Change {
  const change = name === "title" ? { title: after } : { sections: { [name]: after } };
  const what = name === "title" ? "the title" : `"${shorten(name)}"`;
  return { args: { id, ...change, if: { [name]: before } }, text: `${id}: ${what} saved` };
}

/** The text of a section as it is edited. */
export function sectionIn({ sections = {} }: Entity, name: string): string {
  return (sections[name] ?? "").replaceAll("\r\n", "\n").trim();
}

/** Calls `plan.update`, and returns its warnings and what takes the call back. */
export async function updateWithUndo(
  host: Host,
  args: Change["args"],
): Promise<{ warnings: readonly string[]; undo: () => Promise<unknown> }> {
  const fields = ["title", "status", "attributes", "sections"];
  const read = () => host.call<Entity>("get", { id: args.id, fields });
  const before = await read();
  const { warnings = [] } = await host.call<{ warnings?: string[] }>("update", args);
  const after = read();
  return { warnings, undo: async () => host.call("update", between(await after, before)) };
}

/** The change that makes one state of an entity another; ticks are in the text of sections. */
function between(from: Entity, to: Entity): Arguments {
  const partsOf = ({ title = "", status = "", attributes, sections = {} }: Entity): Values[] => [
    { title },
    { ...attributes, status },
    sections,
  ];
  const [now, wanted] = [partsOf(from), partsOf(to)];
  const condition: Record<string, string> = {};
  const [title, attrs, sections] = now.map((part, at) => {
    const other = wanted[at]!;
    const names = Object.keys({ ...part, ...other }).filter((name) => part[name] !== other[name]);
    for (const name of names) condition[name] = part[name] ?? "";
    return Object.fromEntries(names.map((name) => [name, other[name] ?? ""]));
  });
  return { id: to.id, ...title, attrs, sections, if: condition };
}

export function shorten(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`;
}
