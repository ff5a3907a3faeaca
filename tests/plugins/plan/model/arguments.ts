/**
 * Generators for every argument of every tool of the plan. They give small numbers for what is in the
 * plan, which `meant` replaces when the call is made, so that a sequence shrinks.
 */

import fc from "../../../support/npm/fast_check.ts";
import { criteriaOf, type Entity, KINDS, ratioOf, sectionOf } from "./facts.ts";
import type { World } from "./world.ts";

export type Raw = Readonly<Record<string, unknown>>;

const words = (text: string) => text.split(" ");

/** The arguments of each tool besides `dir`, which all have. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  "plan_board": "show entity filter",
  "plan_claim": "assignee id type milestone tag release takeOver note localOnly anyway",
  "plan_create": "type title items id attrs sections criteria body dependsOn blocks anyway preview",
  "plan_get": "id ids fields at",
  "plan_history": "id since sinceNewest until by compare workingTree summary limit cursor",
  "plan_init": "",
  "plan_list":
    "type status open milestone tag assignee priority text claimed blocks branches fields sort " +
    "limit cursor",
  "plan_merge": "id all take",
  "plan_next": "type milestone tag assignee count explain ahead detail",
  "plan_next_id": "type",
  "plan_rename": "kind from to references file preview",
  "plan_review": "milestone since idle sinceNewest status kind id",
  "plan_status": "milestone detail",
  "plan_undo": "token commit ids preview",
  "plan_update":
    "id ids where changes edits status priority severity complexity assignee milestone supersedes " +
    "attrs check uncheck criteria title sections append note by dependsOn blocks if " +
    "resolve resolveFile preview",
  "plan_validate": "severity type id milestone since strict detail",
};

export const namesOf = (tool: string) => words(`${ARGUMENTS[tool] ?? ""} dir`.trim());

const any = (...values: readonly unknown[]) => fc.constantFrom(...values);

/** The number of something in the plan; the last one is nothing that exists. */
const MOST = 6;
const pick = fc.nat(MOST);
const picks = fc.uniqueArray(pick, { minLength: 1, maxLength: 2 });

/** Few names, some of which mean something elsewhere, so that they meet. */
export const MILESTONES = words("v1 now cards");
export const HEADINGS = words("Notes Assignee Status Approach description dependencies");
const OWNERS = words("ada bob");
const CRITERIA = ["It runs", "404", "2", "WORK-001 is done"];
const TEXTS = [
  "It is so.",
  "- [ ] Another one\n- [x] Half done",
  'See {% ref "WORK-001" /%}.',
  "| a | b |\n\nTwo paragraphs.",
  "",
];

const textsOf = (values: readonly string[], maxKeys: number) =>
  fc.dictionary(fc.constantFrom(...HEADINGS), any(...values), { minKeys: 1, maxKeys });
const quoted = pick.map((quoted) => ({ quoted }));
const which = fc.oneof(
  ...[quoted, quoted, pick.map((number) => ({ number }))],
  any("all"),
);
const added = fc.uniqueArray(fc.constantFrom(...CRITERIA), { minLength: 1, maxLength: 2 });
const milestone = any(...MILESTONES, "none");
/** Flags, and arguments of few values. */
const FLAGS =
  "all anyway apply branches claimed explain localOnly open preview release strict summary " +
  "workingTree";
const FEW =
  "at=HEAD by=Ada|bob complexity=simple|unknown cursor=0|1 detail=short|full dir=plan file=own idle=30d|0d " +
  "kind=open-criteria|open-dependencies|criteria-done|work-done|nothing-blocks|idle " +
  "priority=critical|high|medium|low resolve=Done resolveFile=plan/../.gitignore " +
  "severity=major|minor show=now|today|headers|cards since=14d|2020-01-01|2w sinceNewest=14d " +
  "sort=-id|priority,-modified supersedes=ADR-001 " +
  "tag=none|core takeOver=ada|bob|owner text=Item|runs title=Another|404 to=WORK-005|BUG-005 " +
  "type=work|bug|all until=2099-01-01";

/** The values of an argument; those of one tool have its name, too. */
const VALUES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  ...Object.fromEntries(words(FLAGS).map((name) => [name, any(true, false)])),
  ...Object.fromEntries(
    words(FEW).map((one) => {
      const [name, values] = one.split("=");
      return [name, any(...values!.split("|"))];
    }),
  ),
  ...Object.fromEntries(words("id entity token from").map((name) => [name, pick])),
  ...Object.fromEntries(
    words("blocks ids plan_create~dependsOn plan_validate~id").map((
      name,
    ) => [name.replace("~", " "), picks]),
  ),
  ...Object.fromEntries(words("check uncheck").map((name) => [name, which])),
  ahead: any(1, 5),
  append: textsOf(TEXTS.slice(0, 2), 1),
  assignee: any(...OWNERS, "none"),
  "plan_claim assignee": any(...OWNERS),
  "plan_list assignee": any(["none"], ["none", "ada"]),
  "plan_update assignee": any(...OWNERS, ""),
  attrs: any({ tags: "core, x" }, { source: "SPEC-001" }, { source: "" }),
  "plan_create attrs": any({ status: "ready" }, { status: "shipped" }, { milestone: "v1" }),
  "plan_list blocks": any(true, false),
  body: any("Body text.\n\n## Notes\n\nMore."),
  // Whether several are changed one by one, in one call.
  "plan_update changes": any(true),
  "plan_update edits": any([]),
  "plan_update where": any({}),
  compare: any(["HEAD"], ["HEAD", "HEAD"]),
  count: any(1, 100),
  criteria: fc.oneof(fc.record({ add: added }), fc.record({ remove: which })),
  "plan_create criteria": added,
  dependsOn: fc.uniqueArray(pick, { maxLength: 2 }),
  fields: any(["modified"], ["taken", "blockedBy"]),
  "plan_get fields": any(["title"], ["sections"], ["taken"]),
  filter: any({}),
  "plan_create id": fc.oneof(pick, any("v2", "soon", "none", "WORK-005")),
  // What it is about, and whether it holds.
  if: fc.dictionary(
    fc.constantFrom(...words("status status status assignee title criteria nested"), ...HEADINGS),
    any(true, true, false),
    { minKeys: 1, maxKeys: 2 },
  ),
  items: any([
    { key: "a", type: "work", title: "First", dependsOn: ["$b"] },
    { key: "b", type: "bug", title: "Second", sections: { Notes: "Before $a." } },
  ]),
  limit: any(2, 50),
  milestone,
  "plan_list milestone": any(["none"], ["v1"], ["now", "none"]),
  "plan_update milestone": any(...MILESTONES, ""),
  note: any("Half done"),
  "plan_undo commit": any("HEAD"),
  "plan_rename kind": any("id"),
  "plan_rename preview": any(false),
  "plan_rename references": any(false),
  "plan_list priority": any(["high"], ["low"]),
  sections: textsOf(TEXTS, 2),
  "plan_create sections": textsOf(TEXTS.slice(0, 2), 1),
  "plan_validate since": any("HEAD"),
  "plan_validate severity": any("error", "warning"),
  status: any(...new Set(Object.values(KINDS).flatMap(({ statuses }) => statuses)), "shipped"),
  "plan_list status": any(["ready"], ["done", "fixed"], ["in-progress"]),
  "plan_review status": any(["done"], ["blocked"]),
  "plan_list tag": any(["none"], ["core", "none"]),
  take: any({}, { criteria: "both", sections: "ours" }, { criteria: "theirs", rest: "both" }),
  "plan_create type": any(...Object.keys(KINDS)),
  "plan_list type": any(["work"], ["bug", "spec"]),
  "plan_next_id type": any("work", "bug"),
  "plan_validate type": any(["duplicate-id"], ["broken-ref"]),
};

/** Arguments of a tool: those that are needed, and a few of the others. */
export function argumentsOf(tool: string, needed = "", most = 3): fc.Arbitrary<Raw> {
  const always = needed === "" ? [] : words(needed);
  const others = namesOf(tool).filter((name) => !always.includes(name));
  const valueOf = (name: string) => VALUES[`${tool} ${name}`] ?? VALUES[name] ?? any(undefined);
  return fc.subarray(others, { maxLength: Math.min(most, others.length) }).chain((names) =>
    fc.record(Object.fromEntries([...always, ...names].map((name) => [name, valueOf(name)])))
  );
}

/** The id of a number. */
export function idAt({ plan }: World, at: number): string {
  return at === MOST || plan.length === 0 ? "WORK-404" : plan[at % plan.length]!.id;
}

/** The values of a condition on an entity. */
function conditionOn(one: Entity | undefined, about: Readonly<Record<string, boolean>>) {
  const valueOf = (name: string) => {
    if (one === undefined) return "";
    if (name === "status" || name === "assignee") return one.attributes[name] ?? "";
    if (name === "criteria") return ratioOf(one) ?? "";
    return name === "title" ? one.title : sectionOf(one, name)?.text ?? "";
  };
  const entries = Object.entries(about).map(([name, holds]) =>
    name === "nested"
      ? ["sections", { Assignee: holds ? valueOf("Assignee") : "Nothing such" }]
      : [name, holds ? valueOf(name) : "Nothing such"]
  );
  return Object.fromEntries(entries);
}

/** The arguments with what is in the plan in place of numbers. */
export function meant(world: World, raw: Raw): Record<string, unknown> {
  const id = (value: unknown) => typeof value === "number" ? idAt(world, value) : value;
  const target = id(raw["id"] ?? raw["from"] ?? (raw["ids"] as unknown[] | undefined)?.[0]);
  const one = world.plan.find((each) => each.id === target);
  const criteria = one === undefined ? [] : criteriaOf(one);
  // What is quoted is mostly as the call needs it: open, or ticked.
  const criterion = (is?: boolean) => (value: unknown): unknown => {
    const { number, quoted } = Object(value);
    if (number !== undefined) return (number % (criteria.length + 1)) + 1;
    const fit = quoted < MOST ? criteria.filter(({ checked }) => checked !== is) : criteria;
    return quoted === undefined ? value : fit[quoted % (fit.length || 1)]?.text ?? "404";
  };
  const NAMED: Record<string, (value: unknown) => unknown> = {
    check: criterion(true),
    uncheck: criterion(true),
    criteria: (value) =>
      Object(value).remove === undefined ? value : { remove: criterion()(Object(value).remove) },
    if: (value) => conditionOn(one, Object(value)),
    takeOver: (value) => value === "owner" ? one?.attributes["assignee"] || "eve" : value,
    file: () => one?.file ?? "work/none.md",
    id,
    entity: id,
    from: id,
  };
  return Object.fromEntries(
    Object.entries(raw).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(id) : NAMED[name]?.(value) ?? value,
    ]),
  );
}
