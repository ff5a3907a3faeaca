/** What calls that write do to the facts of a plan; an error's code where they must be refused. */

import {
  criteriaOf,
  type Criterion,
  dependenciesOf,
  type Entity,
  isAboutDependencies,
  isReady,
  isTask,
  isValid,
  keyOf,
  ownerOf,
  type Plan,
  ratioOf,
  readyStatus,
  sectionOf,
  statusOf,
} from "./facts.ts";

/** The plan after a call, or the code of its error. */
export type Outcome = Plan | string;

/** Arguments as a client sends them. */
export type Args = Readonly<Record<string, unknown>>;

type Texts = Readonly<Record<string, string>>;
type Pick = string | number | readonly (string | number)[];

const today = () => new Date().toISOString().slice(0, 10);
const ATTRIBUTES = "status priority severity complexity assignee milestone supersedes".split(" ");
/** The names that a condition reads as attributes. */
const KNOWN = [...ATTRIBUTES, "tags", "source", "date", "version", "target"];
const CRITERIA = ["acceptance criteria", "criteria", "ac", "done when"];

/** Refused, with a code; thrown inside of this file. */
class Refused {
  constructor(readonly code: string) {}
}

function attempt(work: () => Plan): Outcome {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refused) return error.code;
    throw error;
  }
}

function require(holds: unknown, code: string): asserts holds {
  if (!holds) throw new Refused(code);
}

function replaced(plan: Plan, ...changed: readonly Entity[]): Plan {
  return plan.map((one) => changed.find(({ file }) => file === one.file) ?? one);
}

/** The only entity with an id, in any case of letters. */
function named(plan: Plan, id: string): Entity {
  const found = plan.filter((one) => one.id.toLowerCase() === id.toLowerCase());
  require(found.length > 0, "NOT_FOUND");
  require(found.length === 1, "CONFLICT");
  return found[0]!;
}

function withSection(one: Entity, heading: string, change: (text: string) => string): Entity {
  const known = sectionOf(one, heading);
  const name = known?.heading ?? (keyOf(heading) === "description" ? "" : heading);
  const put = { heading: name, text: change(known?.text ?? "").trim() };
  const sections = known === undefined
    ? [...one.sections, put]
    : one.sections.map((each) => each === known ? put : each);
  return { ...one, sections: sections.filter((each) => each !== put || put.text !== "") };
}

const appended = (text: string, more: string) => [text, more].filter(Boolean).join("\n\n");

/** Adds a signed line to the notes: below another one, without a blank line. */
function noted(one: Entity, by: string, note: string): Entity {
  const line = `- ${today()} ${[by, note].filter(Boolean).join(": ")}`;
  return withSection(
    one,
    "Notes",
    (text) => /^- .*$(?![^])/m.test(text) ? `${text}\n${line}` : appended(text, line),
  );
}

/** Ticks, clears or removes the criteria that a call means, by number or text. */
function marked(one: Entity, given: Pick, mark: "x" | " " | undefined): Entity {
  const all = criteriaOf(one);
  const may = ({ checked }: Criterion) => mark === undefined || checked !== (mark === "x");
  const pick = (each: string | number) => {
    const fits = all.filter(may);
    const exact = fits.filter(({ text }) => text === String(each));
    const isText = all.some(({ text }) => text === String(each));
    const isNumber = typeof each === "number" ||
      !isText && /^\d+$/.test(each) && all[Number(each) - 1] !== undefined;
    const found = isNumber
      ? all.slice(Number(each) - 1).slice(0, 1)
      : exact.length > 0
      ? exact
      : fits.filter(({ text }) => text.includes(String(each)));
    require(found.length === 1, "VALIDATION_ERROR");
    return found.filter(may);
  };
  const isAll = [given].flat().includes("all");
  require(!isAll || all.length > 0 || mark === undefined, "VALIDATION_ERROR");
  const texts = new Set((isAll ? all.filter(may) : [given].flat().flatMap(pick))
    .map(({ text }) => text));
  const sections = one.sections.map((section) => ({
    ...section,
    text: section.text.split("\n").flatMap((line) => {
      const [, text = ""] = /^- \[[ x]\] (.*)$/.exec(line) ?? [];
      if (!texts.has(text)) return [line];
      return mark === undefined ? [] : [`- [${mark}] ${text}`];
    }).join("\n").trim(),
  }));
  return { ...one, sections: sections.filter(({ heading, text }) => heading + text !== "") };
}

function withCriteria(one: Entity, texts: readonly string[]): Entity {
  const lines = texts.map((text) => `- [ ] ${text}`).join("\n");
  const at = one.sections.find(({ heading }) => CRITERIA.includes(keyOf(heading))) ??
    one.sections.findLast(({ text }) => /^- \[[ x]\] /m.test(text));
  const heading = at === undefined ? "Acceptance Criteria" : at.heading || "description";
  return withSection(one, heading, (text) => appended(text, lines));
}

/** Adds dependencies; none at all removes them. */
export function depending(one: Entity, ids: readonly string[]): Entity {
  const known = one.sections.find(isAboutDependencies);
  const heading = known?.heading ?? "Dependencies";
  const others = one.sections.some((each) => each !== known && each.text.includes("{% ref "));
  const fresh = [...new Set(ids)].filter((id) => !known?.text.includes(id));
  if (ids.length === 0) return withSection(one, heading, () => others ? "None." : "");
  if (fresh.length === 0) return one;
  const lines = fresh.map((id) => `- {% ref "${id}" /%}`).join("\n");
  return withSection(one, heading, (text) => appended(text === "None." ? "" : text, lines));
}

/** Refuses unknown ids, itself, and cycles. */
function checkDependencies(
  plan: Plan,
  id: string,
  ids: readonly string[],
  blocks: readonly string[],
) {
  const given = [...ids, ...blocks];
  require(!given.includes(id), "VALIDATION_ERROR");
  require(given.every((other) => plan.some((one) => one.id === other)), "NOT_FOUND");
  const seen = new Set(
    given.length > 0
      ? ids.concat(
        ...plan.filter((one) => one.id === id)
          .map(dependenciesOf),
      )
      : [],
  );
  for (const from of seen) {
    if (blocks.includes(from)) seen.add(id);
    for (const to of plan.filter((one) => one.id === from).flatMap(dependenciesOf)) seen.add(to);
  }
  require(!seen.has(id), "VALIDATION_ERROR");
}

/** Whether an entity has the values of a condition; an empty one means that it has none. */
function meets(one: Entity, { sections = {}, ...flat }: Args): boolean {
  const textOf = (name: string) => sectionOf(one, name)?.text ?? "";
  const valueOf = (name: string) =>
    name === "title" ? one.title : name === "criteria" ? ratioOf(one) ?? "" : textOf(name);
  return Object.entries(flat).every(([name, value]) =>
    value === (KNOWN.includes(name) ? one.attributes[name] ?? "" : valueOf(name))
  ) && Object.entries(sections as Texts).every(([name, value]) => textOf(name) === value);
}

function changed(one: Entity, args: Args): Entity {
  const { attrs = {}, title, sections = {}, append = {}, resolve } = args as Record<string, Texts>;
  const { check, uncheck, criteria: { add, remove } = {}, dependsOn } = args as {
    check?: Pick;
    uncheck?: Pick;
    criteria?: { add?: string[]; remove?: Pick };
    dependsOn?: string[];
  };
  const given = Object.entries(args).filter(([name]) => ATTRIBUTES.includes(name));
  const attributes = { ...attrs, ...Object.fromEntries(given) as Texts };
  const isGood = attributes["status"] !== "" && isValid(one.type, attributes);
  require(isGood, "VALIDATION_ERROR");
  require(meets(one, args["if"] as Args ?? {}), "CONFLICT");
  const kept = Object.entries({ ...one.attributes, ...attributes }).filter(([, value]) => value);
  let next: Entity = { ...one, attributes: Object.fromEntries(kept) };
  if (title !== undefined) next = { ...next, title: String(title) };
  for (const [name, text] of Object.entries(sections)) next = withSection(next, name, () => text);
  if (uncheck !== undefined) next = marked(next, uncheck, " ");
  if (check !== undefined) next = marked(next, check, "x");
  if (remove !== undefined) next = marked(next, remove, undefined);
  for (const [name, text] of Object.entries(append)) {
    next = withSection(next, name, (old) => appended(old, text));
  }
  if (add !== undefined) next = withCriteria(next, add);
  if (dependsOn !== undefined) next = depending(next, dependsOn);
  require(resolve === undefined || isTask(next), "VALIDATION_ERROR");
  return resolve === undefined
    ? next
    : withSection(next, "Resolution", (text) =>
      appended(text && `${text}\n\n---`, `Completed: ${today()}\n\n${resolve}`));
}

/** `plan_update`. */
export function updated(plan: Plan, args: Args): Outcome {
  return attempt(() => {
    const { id, ids, title, dependsOn = [], blocks } = args as Record<string, string[]>;
    require((id === undefined) !== (ids === undefined), "INVALID_ARGS");
    require(ids === undefined || (title ?? blocks) === undefined, "INVALID_ARGS");
    const targets = [...new Set((ids ?? [String(id)]).map((one) => named(plan, one)))];
    const [owner, ...others] = new Set(targets.map((one) => one.attributes["assignee"] ?? ""));
    const by = String(args["by"] ?? (others.length === 0 ? owner : ""));
    const done = targets.map((one) => {
      const next = changed(one, args);
      return args["note"] === undefined ? next : noted(next, by, String(args["note"]));
    });
    for (const one of targets) checkDependencies(plan, one.id, dependsOn, blocks ?? []);
    const blocking = [...new Set(blocks ?? [])].map((one) => named(plan, one));
    return replaced(plan, ...done, ...blocking.map((one) => depending(one, [targets[0]!.id])));
  });
}

/** `plan_claim` with an id; without an owner here, that of another place counts. */
export function claimed(plan: Plan, args: Args, elsewhere = ""): Outcome {
  return attempt(() => {
    const { id = "", assignee = "", takeOver, note } = args as Texts;
    const release = args["release"] === true;
    require(!release || takeOver === undefined, "INVALID_ARGS");
    require(note === undefined || release || takeOver !== undefined, "INVALID_ARGS");
    const one = plan.find((each) => each.id.toLowerCase() === id.toLowerCase());
    require(one !== undefined, "NOT_FOUND");
    require(isTask(one), "VALIDATION_ERROR");
    const [status, owner] = [statusOf(one), ownerOf(one)];
    const isOwn = status === "in-progress" && owner === assignee;
    const isOpen = isReady(one) || status === "in-progress";
    const mayTake = takeOver === undefined
      ? ["", assignee].includes(owner)
      : takeOver === (owner || elsewhere);
    require(release ? isOwn : isOpen && mayTake, "CONFLICT");
    if (isOwn && !release) return plan;
    named(plan, id);
    const how = release ? "released" : `taken over from ${takeOver}`;
    const attributes = release
      ? { status: readyStatus(one), assignee: "" }
      : { status: "in-progress", assignee };
    const next = changed(one, attributes);
    return replaced(plan, note ? noted(next, String(assignee), `${how}: ${note}`) : next);
  });
}

/** `plan_rename` of an id to one that is free: attributes and references change, and no texts. */
export function renumbered(plan: Plan, id: string, to: string, file: string | undefined): Plan {
  const isShared = plan.filter((one) => one.id === id).length > 1;
  return plan.map((one): Entity => {
    const isIt = one.id === id && (file === undefined || one.file === file);
    if (isShared) return { ...one, id: isIt ? to : one.id };
    const values = Object.entries(one.attributes).map(([name, value]) => [
      name,
      value.split(",").map((part) => part.trim() === id ? part.replace(id, to) : part).join(","),
    ]);
    const changed: Entity = JSON.parse(
      JSON.stringify(one),
      (_, value) =>
        typeof value === "string" ? value.replaceAll(`ref "${id}"`, () => `ref "${to}"`) : value,
    );
    return { ...changed, id: isIt ? to : one.id, attributes: Object.fromEntries(values) };
  });
}
