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
  type Section,
  sectionOf,
  statusOf,
} from "./facts.ts";

/** The plan after a call, or the code of its error. */
export type Outcome = Plan | string;

/** Arguments as a client sends them. */
export type Args = Readonly<Record<string, unknown>>;

type Texts = Readonly<Record<string, string>>;
type Pick = string | number | readonly (string | number)[];

export const today = () => new Date().toISOString().slice(0, 10);

const NAMED = ["status", "priority", "severity", "complexity", "assignee", "milestone"];
const ATTRIBUTES = [...NAMED, "supersedes", "pr", "released-in"];

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

function replaced(plan: Plan, ...changed: readonly Entity[]): Plan {
  return plan.map((one) => changed.find(({ file }) => file === one.file) ?? one);
}

/** The only entity with an id, in any case of letters. */
function named(plan: Plan, id: string): Entity {
  const found = plan.filter((one) => one.id.toLowerCase() === id.toLowerCase());
  if (found.length === 0) throw new Refused("NOT_FOUND");
  if (found.length > 1) throw new Refused("CONFLICT");
  return found[0]!;
}

function withSection(one: Entity, heading: string, change: (text: string) => string): Entity {
  const known = sectionOf(one, heading);
  const name = known?.heading ?? (keyOf(heading) === "description" ? "" : heading);
  const put = { heading: name, text: change(known?.text ?? "").trim() };
  const sections = known === undefined
    ? put.text === "" ? one.sections : [...one.sections, put]
    : one.sections.flatMap((each): Section[] =>
      each !== known ? [each] : put.text === "" ? [] : [put]
    );
  return { ...one, sections };
}

const appended = (text: string, more: string) => [text, more].filter(Boolean).join("\n\n");

/** The criteria that a call means, by number or text. */
function picked(one: Entity, given: Pick, kind: "check" | "uncheck" | "remove"): Criterion[] {
  const all = criteriaOf(one);
  const may = ({ checked }: Criterion) => kind === "remove" || checked !== (kind === "check");
  if ([given].flat().includes("all")) {
    if (all.length === 0 && kind !== "remove") throw new Refused("VALIDATION_ERROR");
    return all.filter(may);
  }
  return [given].flat().flatMap((each) => {
    const exact = all.filter(may).filter(({ text }) => text === String(each));
    const isNumber = typeof each === "number" || exact.length === 0 && /^\d+$/.test(each);
    const found = isNumber
      ? all.slice(Number(each) - 1).slice(0, 1)
      : exact.length > 0
      ? exact
      : all.filter(may).filter(({ text }) => text.includes(String(each)));
    if (found.length !== 1) throw new Refused("VALIDATION_ERROR");
    return found.filter(may);
  });
}

/** Writes each line of a criterion again; `undefined` removes it. */
function marked(one: Entity, which: readonly Criterion[], mark: string | undefined): Entity {
  const texts = new Set(which.map(({ text }) => text));
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

const CRITERIA = ["acceptance criteria", "criteria", "ac", "done when"];

function withCriteria(one: Entity, texts: readonly string[]): Entity {
  const lines = texts.map((text) => `- [ ] ${text}`).join("\n");
  const isList = ({ text }: Section) => /^- \[[ x]\] /m.test(text);
  const own = one.sections.find(({ heading }) => CRITERIA.includes(keyOf(heading)));
  const at = own ?? one.sections.findLast(isList);
  return withSection(
    one,
    at === undefined ? "Acceptance Criteria" : at.heading || "description",
    (text) => appended(text, lines),
  );
}

/** Adds dependencies; none at all removes them. */
export function depending(one: Entity, ids: readonly string[]): Entity {
  const known = one.sections.find(isAboutDependencies);
  const heading = known?.heading ?? "Dependencies";
  const others = one.sections.some((section) =>
    section !== known && section.text.includes("{% ref ")
  );
  if (ids.length === 0) return withSection(one, heading, () => others ? "None." : "");
  const fresh = [...new Set(ids)].filter((id) => !known?.text.includes(id));
  const lines = fresh.map((id) => `- {% ref "${id}" /%}`).join("\n");
  if (fresh.length === 0) return one;
  return withSection(one, heading, (text) => appended(text === "None." ? "" : text, lines));
}

/** Refuses unknown ids, itself, and cycles. */
function checkDependencies(
  plan: Plan,
  id: string,
  ids: readonly string[],
  blocks: readonly string[],
) {
  if (ids.length + blocks.length === 0) return;
  if ([...ids, ...blocks].includes(id)) throw new Refused("VALIDATION_ERROR");
  for (const other of [...ids, ...blocks]) {
    if (plan.every((one) => one.id !== other)) throw new Refused("NOT_FOUND");
  }
  const next = (from: string) => {
    const own = plan.find((one) => one.id === from);
    return [
      ...own === undefined ? [] : dependenciesOf(own),
      ...from === id ? ids : [],
      ...blocks.includes(from) ? [id] : [],
    ];
  };
  const seen = new Set<string>();
  for (const open = next(id); open.length > 0;) {
    const from = open.pop()!;
    if (from === id) throw new Refused("VALIDATION_ERROR");
    if (!seen.has(from)) open.push(...next(from));
    seen.add(from);
  }
}

/** The names that a condition reads as attributes. */
const KNOWN = [...ATTRIBUTES, "tags", "source", "date", "version", "target"];

/** Whether an entity has the values of a condition; an empty one means that it has none. */
function meets(one: Entity, { sections = {}, ...flat }: Args): boolean {
  const textOf = (name: string) => sectionOf(one, name)?.text ?? "";
  return Object.entries(flat).every(([name, value]) =>
    value ===
      (name === "title"
        ? one.title
        : name === "criteria"
        ? ratioOf(one) ?? ""
        : KNOWN.includes(name) || name in one.attributes
        ? one.attributes[name] ?? ""
        : textOf(name))
  ) && Object.entries(sections as Texts).every(([name, value]) => textOf(name) === value);
}

function changed(one: Entity, args: Args): Entity {
  const { attrs = {}, title, sections = {}, append = {}, resolve } = args as Record<string, Texts>;
  const { check, uncheck, criteria = {}, dependsOn } = args as {
    check?: Pick;
    uncheck?: Pick;
    criteria?: { add?: string[]; remove?: Pick };
    dependsOn?: string[];
  };
  const given = Object.entries(args).filter(([name]) => ATTRIBUTES.includes(name));
  const attributes = { ...attrs, ...Object.fromEntries(given) as Texts };
  if (attributes["status"] === "" || !isValid(one.type, attributes)) {
    throw new Refused("VALIDATION_ERROR");
  }
  if (!meets(one, args["if"] as Args ?? {})) throw new Refused("CONFLICT");
  const kept = Object.entries({ ...one.attributes, ...attributes }).filter(([, value]) =>
    value !== ""
  );
  let next: Entity = { ...one, attributes: Object.fromEntries(kept) };
  if (title !== undefined) next = { ...next, title: String(title) };
  for (const [heading, text] of Object.entries(sections)) {
    next = withSection(next, heading, () => text);
  }
  for (const [heading, text] of Object.entries(append)) {
    next = withSection(next, heading, (old) => appended(old, text));
  }
  if (uncheck !== undefined) next = marked(next, picked(next, uncheck, "uncheck"), " ");
  if (check !== undefined) next = marked(next, picked(next, check, "check"), "x");
  const { add, remove } = criteria;
  if (remove !== undefined) next = marked(next, picked(next, remove, "remove"), undefined);
  if (add !== undefined) next = withCriteria(next, add);
  if (dependsOn !== undefined) next = depending(next, dependsOn);
  if (resolve === undefined) return next;
  if (!isTask(next)) throw new Refused("VALIDATION_ERROR");
  return withSection(
    next,
    "Resolution",
    (text) => appended(text && `${text}\n\n---`, `Completed: ${today()}\n\n${resolve}`),
  );
}

/** `plan.update`. */
export function updated(plan: Plan, args: Args): Outcome {
  return attempt(() => {
    const { id, ids, title, dependsOn = [], blocks } = args as Record<string, string[]>;
    const asked = ids ?? [String(id)];
    if ((id === undefined) === (ids === undefined)) throw new Refused("INVALID_ARGS");
    if (ids !== undefined && (title ?? blocks) !== undefined) throw new Refused("INVALID_ARGS");
    const targets = [...new Set(asked.map((one) => named(plan, one)))];
    const done = targets.map((one) => changed(one, args));
    for (const one of targets) checkDependencies(plan, one.id, dependsOn, blocks ?? []);
    const others = [...new Set(blocks ?? [])].map((one) => named(plan, one));
    return replaced(plan, ...done, ...others.map((one) => depending(one, [targets[0]!.id])));
  });
}

/** `plan.claim` with an id. */
export function claimed(plan: Plan, args: Args): Outcome {
  return attempt(() => {
    const { id = "", assignee = "", takeOver, note } = args as Texts;
    const release = args["release"] === true;
    if (release && takeOver !== undefined) throw new Refused("INVALID_ARGS");
    if (note !== undefined && !release && takeOver === undefined) throw new Refused("INVALID_ARGS");
    const one = plan.find((each) => each.id.toLowerCase() === id.toLowerCase());
    if (one === undefined) throw new Refused("NOT_FOUND");
    if (!isTask(one)) throw new Refused("VALIDATION_ERROR");
    const [status, owner] = [statusOf(one), ownerOf(one)];
    const isOwn = status === "in-progress" && owner === assignee;
    const isOpen = isReady(one) || status === "in-progress";
    const mayTake = takeOver === undefined ? ["", assignee].includes(owner) : takeOver === owner;
    if (release ? !isOwn : !(isOpen && mayTake)) throw new Refused("CONFLICT");
    if (isOwn && !release) return plan;
    named(plan, id);
    const by = release ? "released" : `taken over`;
    const from = release ? "" : ` from ${takeOver}`;
    const line = note && `- ${today()}, ${by} by ${assignee}${from}: ${note}`;
    const attributes = release
      ? { status: readyStatus(one), assignee: "" }
      : { status: "in-progress", assignee };
    return replaced(plan, changed(one, { ...attributes, append: line ? { Handover: line } : {} }));
  });
}

/** `plan.renumber` to an id that is free. */
export function renumbered(plan: Plan, id: string, to: string, file: string | undefined): Plan {
  const isShared = plan.filter((one) => one.id === id).length > 1;
  const word = new RegExp(String.raw`(?<![\w-])${RegExp.escape(id)}(?![\w-])`, "g");
  const rename = (text: string) => text.replaceAll(word, () => to);
  return plan.map((one): Entity => {
    const isIt = one.id === id && (file === undefined || one.file === file);
    if (isShared) return isIt ? { ...one, id: to } : one;
    return {
      ...one,
      id: isIt ? to : one.id,
      title: rename(one.title),
      attributes: Object.fromEntries(
        Object.entries(one.attributes).map(([name, value]) => [name, rename(value)]),
      ),
      sections: one.sections.map(({ heading, text }) => ({
        heading: rename(heading),
        text: rename(text),
      })),
    };
  });
}
