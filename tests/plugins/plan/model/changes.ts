/** What calls that write do to the facts of a plan. */

import { criteriaOf, type Entity } from "./plan.ts";
import { isAboutDependencies, isTask, KINDS, type Plan, sectionOf, words } from "./plan.ts";
import type { Args, Dice } from "./world.ts";

type Apply = (entity: Entity) => Entity;

type Change = (entity: Entity, dice: Dice, plan: Plan) => readonly [args: Args, apply: Apply];

export const MILESTONES = words("v1 now cards");
export const OWNERS = words("ada bob");
/** Some of them mean something elsewhere. */
const HEADINGS = words("Notes Assignee Status description");
const TEXTS = ["It is so.", "| a | b |\n\nTwo paragraphs.", 'See {% ref "WORK-001" /%}.'];
const VALUES: Readonly<Record<string, readonly string[]>> = {
  assignee: [...OWNERS, ""],
  milestone: [...MILESTONES, ""],
  tags: ["core, x", "core", ""],
};

const added = (text: string, more: string) => [text, more].filter(Boolean).join("\n\n");

export function withAttributes(entity: Entity, attributes: Record<string, string>): Entity {
  const all = Object.entries({ ...entity.attributes, ...attributes });
  return { ...entity, attributes: Object.fromEntries(all.filter(([, value]) => value !== "")) };
}

export function withSection(
  entity: Entity,
  heading: string,
  change: (text: string) => string,
): Entity {
  const before = sectionOf(entity, heading);
  const name = before?.heading ?? (heading === "description" ? "" : heading);
  const after = { heading: name, text: change(before?.text ?? "").trim() };
  const sections = before === undefined
    ? [...entity.sections, after]
    : entity.sections.map((section) => section === before ? after : section);
  return { ...entity, sections: sections.filter(({ text }) => text !== "") };
}

/** Adds a signed line to the notes: below another one, without a blank line. */
export function withNote(entity: Entity, by: string, note: string): Entity {
  const line = `- ${new Date().toISOString().slice(0, 10)} ${by}: ${note}`;
  return withSection(
    entity,
    "Notes",
    (text) => /^- .*$(?![^])/m.test(text) ? `${text}\n${line}` : added(text, line),
  );
}

/** Adds dependencies; none at all removes them. */
export function withDependencies(entity: Entity, ids: readonly string[]): Entity {
  const section = entity.sections.find(isAboutDependencies);
  const others = entity.sections.some((each) => each !== section && each.text.includes("{% ref "));
  const heading = section?.heading ?? "Dependencies";
  if (ids.length === 0) return withSection(entity, heading, () => others ? "None." : "");
  const fresh = ids.filter((id) => !section?.text.includes(`"${id}"`));
  if (fresh.length === 0) return entity;
  const lines = fresh.map((id) => `- {% ref "${id}" /%}`).join("\n");
  return withSection(entity, heading, (text) => added(text === "None." ? "" : text, lines));
}

const box = (text: string, checked: boolean) => `- [${checked ? "x" : " "}] ${text}`;

/** Ticks or clears a criterion, named by text or number. */
const mark = (name: "check" | "uncheck"): Change => (entity, dice, plan) => {
  const all = criteriaOf(entity);
  const checked = name === "check";
  const criterion = all.find((each) => each.checked !== checked);
  if (criterion === undefined) return add(entity, dice, plan);
  const { text } = criterion;
  const args = { [name]: dice.pick<unknown>([text, [text], all.indexOf(criterion) + 1]) };
  const marked = (line: string, other: string) => other === text ? box(text, checked) : line;
  return [args, (each) => ({
    ...each,
    sections: each.sections.map(({ heading, text }) => ({
      heading,
      // The one in code stays.
      text: text.replace(/^- \[[ x]\] (?!fenced)(.*)$/gm, marked),
    })),
  })];
};

const add: Change = (_entity, dice) => {
  const text = `It runs ${dice.below(1000)}`;
  return [{ criteria: { add: [text] } }, (entity) => {
    const section = sectionOf(entity, "Acceptance Criteria") ??
      entity.sections.findLast((each) => criteriaOf({ ...entity, sections: [each] }).length > 0);
    const heading = section === undefined ? "Acceptance Criteria" : section.heading;
    return withSection(entity, heading || "description", (text_) => added(text_, box(text, false)));
  }];
};

/** What an update may do. */
export const CHANGES: Readonly<Record<string, Change>> = {
  status: ({ type }, dice) => {
    const status = dice.pick(KINDS[type]!.statuses);
    return [{ status }, (entity) => withAttributes(entity, { status })];
  },
  attribute: (entity, dice, plan) => {
    if (!isTask(entity)) return CHANGES["title"]!(entity, dice, plan);
    const name = dice.pick(Object.keys(VALUES));
    const values = { [name]: dice.pick(VALUES[name]!) };
    return [name === "tags" ? { attrs: values } : values, (each) => withAttributes(each, values)];
  },
  title: (_entity, dice) => {
    const title = dice.pick(["Another", "404", "a | b", "Über & alles"]);
    // The name of a milestone stays before its title.
    const named = (each: Entity) => each.title.startsWith(`${each.id} — `) ? `${each.id} — ` : "";
    return [{ title }, (each) => ({ ...each, title: named(each) + title })];
  },
  section: (_entity, dice) => {
    const [name, isMore] = [dice.pick(HEADINGS), dice.isOneOf(2)];
    const text = dice.pick(isMore ? TEXTS : [...TEXTS, ""]);
    const change = (before: string) => isMore ? added(before, text) : text;
    const args = { [isMore ? "append" : "sections"]: { [name]: text } };
    return [args, (entity) => withSection(entity, name, change)];
  },
  uncheck: mark("uncheck"),
  check: mark("check"),
  add,
  depend: (entity, dice, plan) => {
    const others = plan.filter((other) => isTask(other) && other !== entity);
    if (entity.type !== "work" || others.length === 0) return add(entity, dice, plan);
    const dependsOn = dice.isOneOf(4) ? [] : [dice.pick(others).id];
    return [{ dependsOn }, (each) => withDependencies(each, dependsOn)];
  },
  note: (_entity, dice) => {
    const by = dice.pick(OWNERS);
    return [{ note: "Half done", by }, (entity) => withNote(entity, by, "Half done")];
  },
};
