/** What can be changed in an entity. */

/** Criteria by number (from 1) or by text, or `all`. */
export type CriterionPick = readonly (string | number)[];

/** A section, and the headings of those that it should stand before if it is new. */
export interface SectionEdit {
  readonly heading: string;
  readonly text: string;
  readonly before?: readonly string[];
}

/** The edits by their kinds. */
interface Kinds {
  /** An empty value removes the attribute. */
  readonly attributes: { readonly values: Readonly<Record<string, string>> };
  readonly title: { readonly text: string };
  readonly check: { readonly which: CriterionPick };
  readonly uncheck: { readonly which: CriterionPick };
  readonly remove: { readonly which: CriterionPick };
  readonly reword: { readonly which: string; readonly text: string };
  readonly addCriteria: { readonly texts: readonly string[] };
  readonly dependsOn: { readonly ids: readonly string[] };
  readonly independentOf: { readonly ids: readonly string[] };
  readonly declareDependencies: unknown;
  /** An empty text removes the section. */
  readonly section: SectionEdit;
  /** A text that occurs once in a section. */
  readonly passage: { readonly section: string; readonly old: string; readonly new: string };
  readonly append: SectionEdit;
  readonly resolve: { readonly text: string };
  readonly note: { readonly text: string; readonly by: string };
  /** Everything below the title. */
  readonly body: { readonly text: string };
}

export type Edit = {
  [Kind in keyof Kinds]: { readonly kind: Kind } & Kinds[Kind];
}[keyof Kinds];

/** An edit of a kind. */
export type EditOf<Kind extends keyof Kinds> = Kinds[Kind];
