/** Changes of entities by `plan_update`, with their conditions. */

/** The fields of `plan_get` that the board shows. */
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
}

type Attributes = Readonly<Record<string, string>>;

/** What `plan_update` gets. */
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
  /** Whether it names what Undo takes back. */
  readonly undoable?: boolean;
  /** Whether Today shows more of it. */
  readonly shows?: boolean;
}

/** The answer of a write. */
export interface Written {
  readonly undo?: string;
  /** Of a new entity. */
  readonly id?: string;
  readonly warnings?: readonly string[];
}

/** Sets attributes that still are as they were shown. */
export function attributeChange(id: string, before: Attributes, after: Attributes): Change {
  const changes = Object.entries(after).filter(([name, to]) => to !== before[name])
    .map(([name, to]) =>
      `${name === "status" ? "" : `${name} `}${before[name] || "none"} → ${to || "none"}`
    );
  return { args: { id, attrs: after, if: before }, text: `${id}: ${changes.join(", ")}` };
}

/** Replaces the title, if it still is as it was shown. */
export function titleChange(id: string, before: string, title: string): Change {
  return { args: { id, title, if: { title: before } }, text: `${id}: the title saved` };
}

/** Replaces a section that still is as it was shown. */
export function textChange(id: string, name: string, before: string, after: string): Change {
  const change = { sections: { [name]: after }, if: { sections: { [name]: before } } };
  return { args: { id, ...change }, text: `${id}: "${shorten(name)}" saved` };
}

/** The text of a section as it is edited. */
export function sectionIn({ sections = {} }: Entity, name: string): string {
  // A heading may be named like what every object has.
  const text = Object.hasOwn(sections, name) ? sections[name]! : "";
  return text.replaceAll("\r\n", "\n").trim();
}

export function shorten(text: string): string {
  const characters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  return characters.length <= 80 ? text : `${characters.slice(0, 80).join("")}…`;
}
