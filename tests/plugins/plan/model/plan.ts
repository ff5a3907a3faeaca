/**
 * The facts of a plan and its rules, as the documents state them. Shares no code with the server: a
 * reader of its own, for the simple Markdown that the sequences write.
 */

export interface Section {
  /** Empty for the text below the title. */
  readonly heading: string;
  readonly text: string;
}

export interface Entity {
  readonly file: string;
  readonly type: string;
  readonly id: string;
  readonly title: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly sections: readonly Section[];
}

/** Entities in the order of their files. */
export type Plan = readonly Entity[];

/** The files of a plan, relative to it. */
export type Files = Readonly<Record<string, string>>;

export const words = (text: string) => text.split(" ");

const kind = (folder: string, prefix: string, statuses: string, finished: string) => ({
  folder,
  prefix,
  statuses: words(statuses),
  finished: words(finished),
});

const [FIXED, OVER] = ["fixed wontfix duplicate", "superseded deprecated"];

/** What 0.25 has of a type: its folder, ids, statuses, and those that finish it. */
export const KINDS: Readonly<Record<string, ReturnType<typeof kind>>> = {
  work: kind("work", "WORK-", "draft ready in-progress review done blocked pending", "done"),
  bug: kind("bugs", "BUG-", `reported confirmed in-progress ${FIXED}`, FIXED),
  spec: kind("specs", "SPEC-", `draft review accepted ${OVER}`, `accepted ${OVER}`),
  decision: kind("decisions", "ADR-", `proposed accepted ${OVER}`, `accepted ${OVER}`),
  milestone: kind("milestones", "", "planning active complete", "complete"),
};

export const isTask = ({ type }: Entity) => type === "work" || type === "bug";
export const statusOf = ({ attributes }: Entity) => attributes["status"] ?? "";
export const assigneeOf = ({ attributes }: Entity) => attributes["assignee"] ?? "";
export const milestoneOf = ({ attributes }: Entity) => attributes["milestone"] ?? "";
export const readyStatus = ({ type }: Entity) => type === "work" ? "ready" : "confirmed";
export const isReady = (entity: Entity) =>
  isTask(entity) && statusOf(entity) === readyStatus(entity);
export const isDone = (entity: Entity) => ["done", "fixed"].includes(statusOf(entity));
export const isFinished = (entity: Entity) =>
  KINDS[entity.type]!.finished.includes(statusOf(entity));
/** Whether somebody works on it, or has finished it. */
export const isTakenUp = (entity: Entity) =>
  ["in-progress", "review"].includes(statusOf(entity)) || isFinished(entity);

/** Reads an entity; `undefined` if the text has none, or is in conflict. */
export function readEntity(file: string, source: string): Entity | undefined {
  const text = source.replaceAll("\r\n", "\n");
  const [, type = "", tag = "", rest = ""] = /^\{% (\w+) (.*?) %\}\n([^]*)$/.exec(text) ?? [];
  if (KINDS[type] === undefined || text.includes("\n<<<<<<< ")) return undefined;
  const { id, name, ...attributes } = Object.fromEntries(
    [...tag.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key, value]) => [key!, value!]),
  );
  const [head = "", ...parts] = rest.split(`{% /${type} %}`)[0]!.split(/^## /m);
  const [, title = "", below = ""] = /^\s*# (.*)\n?([^]*)$/.exec(head) ?? [];
  const sections = [`\n${below}`, ...parts].map((part) => {
    const [heading = "", ...lines] = part.split("\n");
    return { heading: heading.trim(), text: lines.join("\n").trim() };
  });
  return {
    ...{ file, type, id: id ?? name ?? "", title: title.trim(), attributes },
    sections: sections.filter(({ text }) => text !== ""),
  };
}

export function readPlan(files: Files): Plan {
  return Object.keys(files).sort().flatMap((file) => readEntity(file, files[file]!) ?? []);
}

/** The text of an entity as a person writes it. */
export function written({ type, id, title, attributes, sections }: Entity): string {
  const all = { [type === "milestone" ? "name" : "id"]: id, ...attributes };
  const tag = Object.entries(all).filter(([, value]) => value !== "")
    .map(([name, value]) => `${name}="${value}"`).join(" ");
  const parts = sections.map(({ heading, text }) =>
    heading === "" ? `${text}\n` : `## ${heading}\n\n${text}\n`
  );
  return [`{% ${type} ${tag} %}\n`, `# ${title}\n`, ...parts, `{% /${type} %}\n`].join("\n");
}

export function criteriaOf({ sections }: Entity): { text: string; checked: boolean }[] {
  return sections.flatMap(({ text }) =>
    [...text.replace(/^```[^]*?^```$/gm, "").matchAll(/^- \[([ x])\] (.*)$/gm)]
      .map(([, mark, text]) => ({ text: text!, checked: mark === "x" }))
  );
}

/** The ticked criteria and all of them, such as `1/3`. */
export function ratioOf(entity: Entity): string {
  const all = criteriaOf(entity);
  const { length } = all.filter(({ checked }) => checked);
  return all.length === 0 ? "" : `${length}/${all.length}`;
}

/** The first section of a name; the description has no heading. */
export function sectionOf({ sections }: Entity, name: string): Section | undefined {
  const wanted = name === "description" ? "" : name.toLowerCase();
  return sections.find(({ heading }) => heading.toLowerCase() === wanted);
}

/** The headings under which every version reads dependencies. */
const ABOUT_DEPENDENCIES = ["dependencies", "blocked by", "depends on", "deps", "requires"];

export const isAboutDependencies = ({ heading }: Section) =>
  ABOUT_DEPENDENCIES.includes(heading.toLowerCase());

const refsIn = (text: string) =>
  [...text.matchAll(/\{% ref "([^"]+)" \/%\}/g)].map(([, id]) => id!);

/** What it depends on: in 0.25, only work items have a section for that. */
export function dependenciesOf(entity: Entity): string[] {
  if (entity.type !== "work") return [];
  const texts = entity.sections.filter(isAboutDependencies).map(({ text }) => text);
  return [...new Set(texts.flatMap(refsIn))];
}

/** What keeps an unfinished task from being done: its unfinished dependencies. */
export function blockersOf(entity: Entity, plan: Plan): string[] {
  if (!isTask(entity) || isFinished(entity)) return [];
  const open = plan.filter((other) => !isFinished(other)).map(({ id }) => id);
  return dependenciesOf(entity).filter((id) => open.includes(id));
}

/** Whether it waits for nothing: without a section for that, for all that it refers to. */
export function isFree(entity: Entity, plan: Plan): boolean {
  const hasSection = entity.type === "work" && entity.sections.some(isAboutDependencies);
  const needs = hasSection
    ? dependenciesOf(entity)
    : entity.sections.flatMap(({ text }) => refsIn(text));
  const isOver = words(`done ${FIXED} ${OVER}`);
  return plan.every((other) => !needs.includes(other.id) || isOver.includes(statusOf(other)));
}

/** The finished tasks and all tasks of a milestone: what was dropped is not done. */
export function progressOf({ id }: Entity, plan: Plan): [done: number, total: number] {
  const items = plan.filter((item) => isTask(item) && milestoneOf(item) === id);
  return [items.filter(isDone).length, items.length];
}
