/**
 * The facts of a plan, and its rules, as issue and documentation state them. Shares no code with the
 * server: a reader of its own, for the simple Markdown that the sequences write.
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
  /** Whether its tag is closed; else its sections cannot be changed. */
  readonly isClosed: boolean;
}

export interface Criterion {
  readonly text: string;
  readonly checked: boolean;
}

/** Entities in the order of their files. */
export type Plan = readonly Entity[];

/** The files of a plan, relative to it. */
export type Files = Readonly<Record<string, string>>;

const words = (text: string) => text.split(" ");
const TASK = "status assignee milestone source tags";

/** What 0.25 knows of a type; `over` are the statuses that finish it. */
export const KINDS = Object.fromEntries(
  [
    ["work", "work", "WORK-", "draft ready in-progress review done blocked pending"],
    ["bug", "bugs", "BUG-", "reported confirmed in-progress fixed wontfix duplicate"],
    ["spec", "specs", "SPEC-", "draft review accepted superseded deprecated"],
    ["decision", "decisions", "ADR-", "proposed accepted superseded deprecated"],
    ["milestone", "milestones", "", "planning active complete"],
  ].map(([type, folder, prefix, statuses]) =>
    [type!, { folder: folder!, prefix: prefix!, statuses: words(statuses!) }] as const
  ),
);

const OVER: Readonly<Record<string, readonly string[]>> = {
  work: words("done cancelled superseded"),
  bug: words("fixed wontfix duplicate"),
  spec: words("implemented shipped superseded deprecated"),
  decision: words("accepted rejected superseded deprecated"),
  milestone: words("complete"),
};

const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  work: words(`${TASK} priority complexity`),
  bug: words(`${TASK} severity`),
  spec: words("status version supersedes tags"),
  decision: words("status date supersedes source tags"),
  milestone: words("status target"),
};

/** Whether 0.25 accepts the values of attributes; an empty one removes. */
export function isValid(type: string, attributes: Readonly<Record<string, string>>): boolean {
  return Object.entries(attributes).every(([name, value]) =>
    ATTRIBUTES[type]!.includes(name) &&
    (name !== "status" || KINDS[type]!.statuses.includes(value))
  );
}

export const isTask = ({ type }: Entity) => type === "work" || type === "bug";
export const statusOf = ({ attributes }: Entity) => attributes["status"] ?? "";
export const ownerOf = ({ attributes }: Entity) => attributes["assignee"] ?? "";
export const readyStatus = ({ type }: Pick<Entity, "type">) =>
  type === "work" ? "ready" : "confirmed";
export const isReady = (one: Entity) => isTask(one) && statusOf(one) === readyStatus(one);
export const isDone = (one: Entity) => ["done", "fixed"].includes(statusOf(one));

const DROPPED = words("cancelled superseded wontfix duplicate rejected deprecated");

export function isFinished(one: Entity, plan: Plan): boolean {
  const isNewer = plan.some((spec) =>
    spec.type === "spec" && ["implemented", "shipped"].includes(statusOf(spec))
  );
  return OVER[one.type]!.includes(statusOf(one)) ||
    one.type === "spec" && statusOf(one) === "accepted" && !isNewer;
}

/** Whether somebody works on it, or has finished it. */
export const isTakenUp = (one: Entity) =>
  ["in-progress", "review"].includes(statusOf(one)) || OVER[one.type]!.includes(statusOf(one));

/** Reads an entity; `undefined` if the text has none, or is in conflict. */
export function readEntity(file: string, source: string): Entity | undefined {
  const text = source.replaceAll("\r\n", "\n");
  const [, type = "", tag = "", rest = ""] = /^\{% (\w+) (.*?) %\}\n([^]*)$/.exec(text) ?? [];
  if (KINDS[type] === undefined || text.includes("\n<<<<<<< ")) return undefined;
  const { id, name, ...attributes } = Object.fromEntries(
    [...tag.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key, value]) => [key!, value!]),
  );
  const body = rest.split(`{% /${type} %}`)[0]!;
  const [head = "", ...parts] = body.split(/^## /m);
  const [, title = "", below = ""] = /^\s*# (.*)\n?([^]*)$/.exec(head) ?? [];
  const sections = [`\n${below}`, ...parts].map((part) => {
    const [heading = "", ...lines] = part.split("\n");
    return { heading: heading.trim(), text: lines.join("\n").trim() };
  });
  return {
    file,
    type,
    id: id ?? name ?? "",
    title: title.trim(),
    attributes,
    sections: sections.filter(({ heading, text }) => heading !== "" || text !== ""),
    isClosed: rest.includes(`{% /${type} %}`),
  };
}

export function readPlan(files: Files): Plan {
  return Object.keys(files).sort().flatMap((file) => readEntity(file, files[file]!) ?? []);
}

/** The text of an entity as a person writes it. */
export function written({ type, id, title, attributes, sections, isClosed }: Entity): string {
  const named = { [type === "milestone" ? "name" : "id"]: id, ...attributes };
  const tag = Object.entries(named).filter(([, value]) => value !== "")
    .map(([name, value]) => `${name}="${value}"`).join(" ");
  const parts = sections.map(({ heading, text }) =>
    heading === "" ? `${text}\n` : `## ${heading}\n${text}\n`
  );
  const end = isClosed ? `\n{% /${type} %}\n` : "";
  return [`{% ${type} ${tag} %}\n`, `# ${title}\n`, ...parts].join("\n") + end;
}

export function criteriaOf({ sections }: Entity): Criterion[] {
  return sections.flatMap(({ text }) =>
    [...text.matchAll(/^- \[([ x])\] (.*)$/gm)]
      .map(([, mark, text]) => ({ text: text!, checked: mark === "x" }))
  );
}

/** The ticked criteria and all of them, such as `1/3`. */
export function ratioOf(one: Entity): string | undefined {
  const all = criteriaOf(one);
  if (all.length === 0) return undefined;
  return `${all.filter(({ checked }) => checked).length}/${all.length}`;
}

export const keyOf = (heading: string) => heading.toLowerCase();

/** The first section of a name; the description has no heading, whatever else has its name. */
export function sectionOf({ sections }: Entity, name: string): Section | undefined {
  const wanted = name === "description" ? "" : name;
  return sections.find(({ heading }) => heading === wanted) ??
    sections.find(({ heading }) =>
      heading !== "" && wanted !== "" && keyOf(heading) === keyOf(name)
    );
}

/** The headings under which every version reads dependencies. */
const ABOUT_DEPENDENCIES = ["dependencies", "blocked by", "depends on", "deps", "requires"];

export const isAboutDependencies = ({ heading }: Section) =>
  ABOUT_DEPENDENCIES.includes(keyOf(heading));

const refsIn = (text: string) =>
  [...text.matchAll(/\{% ref "([^"]+)" \/%\}/g)].map(([, id]) => id!);

/** What it depends on: in 0.25, only work items have a section for that. */
export function dependenciesOf(one: Entity): string[] {
  if (one.type !== "work") return [];
  const ids = one.sections.filter(isAboutDependencies).flatMap(({ text }) => refsIn(text));
  return [...new Set(ids)].filter((id) => id !== one.id);
}

/** What keeps it from being offered: without that section, everything that it refers to. */
function needsOf(one: Entity): string[] {
  if (one.type === "work" && one.sections.some(isAboutDependencies)) return dependenciesOf(one);
  return one.sections.flatMap(({ text }) => refsIn(text));
}

/** The unfinished dependencies of an unfinished item. */
export function blockersOf(one: Entity, plan: Plan): string[] {
  return !isTask(one) || isFinished(one, plan) ? [] : openDependenciesOf(one, plan);
}

function openDependenciesOf(one: Entity, plan: Plan): string[] {
  return dependenciesOf(one).filter((id) => {
    const other = plan.find((other) => other.id === id);
    return other !== undefined && !isFinished(other, plan);
  });
}

export const isResolved = ({ sections }: Entity) =>
  sections.some(({ heading }) => heading === "Resolution");

/** Whether it waits for nothing: what others have taken is no matter of the plan's files. */
export function isFree(one: Entity, plan: Plan): boolean {
  return isReady(one) && needsOf(one).every((id) => {
    const other = plan.find((other) => other.id === id);
    return other === undefined || isDone(other) || DROPPED.includes(statusOf(other));
  });
}

/** What `plan_review` says of one entity, but for what only dates tell. */
export function problemsOf(one: Entity, plan: Plan): Readonly<Record<string, boolean>> {
  const work = plan.filter((item) => isTask(item) && item.attributes["milestone"] === one.id);
  const criteria = criteriaOf(one);
  const hasAll = criteria.length > 0 && criteria.every(({ checked }) => checked);
  const isStarted = isTask(one) && statusOf(one) === "in-progress" || isReady(one);
  return {
    "open-criteria": isDone(one) && criteria.some(({ checked }) => !checked),
    "open-dependencies": isTask(one) && isDone(one) && openDependenciesOf(one, plan).length > 0,
    "criteria-done": isStarted && hasAll,
    "work-done": one.type === "milestone" && !isFinished(one, plan) && work.some(isDone) &&
      work.every((item) => isFinished(item, plan)),
    "nothing-blocks": isTask(one) && statusOf(one) === "blocked" &&
      blockersOf(one, plan).length === 0,
  };
}
