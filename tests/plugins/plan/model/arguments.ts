/**
 * Generators for every argument of every tool of the plan. They give small numbers for what is in the
 * plan, which `meant` replaces when the call is made, so that a sequence shrinks.
 */

import fc from "../../../support/npm/fast_check.ts";
import {
  criteriaOf,
  type Entity,
  ownerOf,
  ratioOf,
  sectionOf,
  STATUSES,
  statusOf,
} from "./facts.ts";
import type { World } from "./world.ts";

type Any = fc.Arbitrary<unknown>;

const any = (...values: readonly unknown[]): Any => fc.constantFrom(...values);

/** The number of something in the plan; the last one is nothing that exists. */
const pick = fc.nat(11);
const picks = (minLength: number) => fc.uniqueArray(pick, { minLength, maxLength: 2 });

export const OWNERS = ["ada", "bob"];
export const MILESTONES = ["v1", "now", "cards"];
const TEXTS = [
  "It is so.",
  "- [ ] Another one\n- [x] Half done",
  'See {% ref "WORK-001" /%}.',
  "| a | b |\n\nTwo paragraphs.",
  "",
];
export const HEADINGS = ["Notes", "Assignee", "Status", "Approach", "description", "dependencies"];
const CRITERIA = ["It runs", "404", "It is fast", "WORK-001 is done"];

const some = (...arbs: Any[]) => fc.oneof(...arbs);
const texts = fc.dictionary(fc.constantFrom(...HEADINGS), any(...TEXTS), {
  minKeys: 1,
  maxKeys: 2,
});
const filled = fc.dictionary(fc.constantFrom(...HEADINGS), any(TEXTS[0], TEXTS[1]), {
  minKeys: 1,
  maxKeys: 1,
});
const status = any(...new Set(Object.values(STATUSES).flat()), "shipped");
const milestone = any(...MILESTONES);
const which = some(pick.map((n) => ({ number: n })), pick.map((n) => ({ quoted: n })), any("all"));
const added = fc.uniqueArray(fc.constantFrom(...CRITERIA), { minLength: 1, maxLength: 2 });
const priority = any("critical", "high", "medium", "low");
const time = any("14d", "2020-01-01", "2 weeks");
const kinds = any("open-criteria", "nothing-blocks", "no-resolution", "milestone-done", "idle");
const yes = any(true, false);
const detail = any("short", "full");
const common = { dir: any("plan") };
/** A condition by what it is about, and whether it holds. */
const condition = fc.dictionary(
  fc.constantFrom("status", "assignee", "title", "criteria", "nested", ...HEADINGS),
  any(true, true, true, false),
  { minKeys: 1, maxKeys: 2 },
);

/** The generators by tool and argument. */
export const ARGUMENTS: Readonly<Record<string, Readonly<Record<string, Any>>>> = {
  "plan.update": {
    id: pick,
    ids: picks(1),
    status,
    priority,
    severity: any("major", "minor"),
    complexity: any("simple", "unknown"),
    assignee: any(...OWNERS, ""),
    milestone: any(...MILESTONES, ""),
    supersedes: any("ADR-001"),
    pr: any("#12"),
    "released-in": any("v1"),
    attrs: any({ tags: "core, x" }, { source: "SPEC-001" }, { source: "" }),
    check: which,
    uncheck: which,
    criteria: some(fc.record({ add: added }), fc.record({ remove: which })),
    title: any("Another title", "404"),
    sections: texts,
    append: filled,
    dependsOn: picks(0),
    blocks: picks(1),
    if: condition,
    resolve: any("Done so."),
    resolveFile: any("plan/../.gitignore"),
    preview: yes,
    ...common,
  },
  "plan.claim": {
    assignee: any(...OWNERS),
    id: pick,
    type: any("work", "bug", "all"),
    milestone,
    tag: any("core"),
    release: yes,
    takeOver: any(...OWNERS, "owner"),
    note: any("Half done"),
    localOnly: yes,
    anyway: yes,
    ...common,
  },
  "plan.create": {
    type: any("work", "bug", "spec", "decision", "milestone"),
    title: any("New", "now"),
    id: some(pick, any("v2", "timeline", "WORK-050")),
    attrs: any({ status: "ready" }, { status: "shipped" }, { milestone: "v1" }, { tags: "x" }),
    sections: filled,
    criteria: added,
    body: any("Body text.\n\n## Notes\n\nMore."),
    dependsOn: picks(1),
    blocks: picks(1),
    splitFrom: fc.record({ id: pick, criteria: fc.uniqueArray(fc.nat(2), { minLength: 1 }) }),
    anyway: yes,
    preview: yes,
    ...common,
  },
  "plan.get": {
    id: pick,
    ids: picks(1),
    fields: any(["title"], ["sections"], ["taken"]),
    ...common,
  },
  "plan.history": {
    id: pick,
    since: time,
    sinceNewest: any("14d"),
    until: any("2099-01-01"),
    summary: yes,
    limit: any(1, 5),
    cursor: any("0"),
    ...common,
  },
  "plan.init": common,
  "plan.list": {
    type: any(["work"], ["bug", "spec"]),
    status: any(["ready"], ["done", "fixed"], ["in-progress"]),
    open: yes,
    milestone: any(["none"], ["v1"], ["now", "none"]),
    tag: any(["none"]),
    assignee: any(["none"], ["none", "ada"]),
    priority: any(["high"], ["low"]),
    text: any("Item", "runs"),
    claimed: yes,
    branches: yes,
    fields: any(["modified"], ["taken", "blockedBy"]),
    sort: any("-id", "priority,-modified"),
    limit: any(2, 50),
    cursor: any("0", "1"),
    ...common,
  },
  "plan.merge": {
    id: pick,
    all: yes,
    take: any({}, { criteria: "both", sections: "ours" }, { criteria: "theirs", rest: "both" }),
    ...common,
  },
  "plan.migrate": {
    subcommand: any("filenames", "pr-attrs", "dependencies"),
    apply: yes,
    ...common,
  },
  "plan.next": {
    type: any("work", "bug", "all"),
    milestone: any("none", ...MILESTONES),
    tag: any("none"),
    assignee: any("none", ...OWNERS),
    count: any(1, 100),
    explain: yes,
    ahead: any(1, 5),
    detail,
    ...common,
  },
  "plan.renumber": { id: pick, file: any("own"), to: any("WORK-050", "BUG-050"), ...common },
  "plan.review": {
    milestone,
    since: time,
    idle: any("30d", "0d"),
    sinceNewest: any("14d"),
    status: any(["done"], ["blocked"]),
    kind: kinds,
    id: pick,
    ...common,
  },
  "plan.status": { milestone, detail, ...common },
  "plan.validate": {
    severity: any("error", "warning"),
    type: any(["duplicate-id"], ["broken-ref"]),
    id: picks(1),
    milestone,
    strict: yes,
    detail,
    ...common,
  },
  "plan.board": {
    show: any("now", "timeline", "headers", "cards"),
    entity: pick,
    filter: any({}),
    ...common,
  },
  "plan.undo": { token: pick, preview: yes, ...common },
};

/** Arguments of a tool: those that are needed, and a few of the others. */
export function argumentsOf(tool: string, needed: readonly string[], most = 3): fc.Arbitrary<Raw> {
  const all = ARGUMENTS[tool]!;
  const others = Object.keys(all).filter((name) => !needed.includes(name));
  return fc.tuple(fc.subarray(others, { maxLength: Math.min(most, others.length) }), fc.record(all))
    .map(([names, values]) =>
      Object.fromEntries([...needed, ...names].map((name) => [name, values[name]]))
    );
}

export type Raw = Readonly<Record<string, unknown>>;

/** The id of a number. */
export function idAt({ plan }: World, at: number): string {
  return at === 11 || plan.length === 0 ? "WORK-404" : plan[at % plan.length]!.id;
}

/** The values of a condition on an entity. */
function conditionOn(one: Entity | undefined, about: Record<string, boolean>) {
  const valueOf = (name: string) => {
    if (one === undefined || name === "title") return one?.title ?? "";
    if (name === "status") return statusOf(one);
    if (name === "criteria") return ratioOf(one) ?? "";
    return name === "assignee" ? ownerOf(one) : sectionOf(one, name)?.text ?? "";
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
  const target = id(raw["id"] ?? (raw["ids"] as unknown[] | undefined)?.[0]);
  const one = world.plan.find((each) => each.id === target);
  const criteria = one === undefined ? [] : criteriaOf(one);
  const criterion = (value: unknown): unknown => {
    const { number, quoted } = Object(value);
    if (number !== undefined) return (number % (criteria.length + 1)) + 1;
    if (quoted === undefined) return value;
    return criteria[quoted % (criteria.length || 1)]?.text ?? "404";
  };
  const entries = Object.entries(raw).map(([name, value]) => {
    if (Array.isArray(value) && typeof value[0] === "number") return [name, value.map(id)];
    if (name === "check" || name === "uncheck") return [name, criterion(value)];
    if (name === "criteria" && Object(value).remove !== undefined) {
      return [name, { remove: criterion(Object(value).remove) }];
    }
    if (name === "if") return [name, conditionOn(one, value as Record<string, boolean>)];
    if (name === "takeOver" && value === "owner") return [name, (one && ownerOf(one)) || "eve"];
    if (name === "file") return [name, one?.file ?? "work/none.md"];
    if (name === "splitFrom") {
      const { id: from, criteria } = value as { id: number; criteria: number[] };
      return [name, { id: idAt(world, from), criteria: criteria.map((n) => n + 1) }];
    }
    return [name, name === "id" || name === "entity" ? id(value) : value];
  });
  return Object.fromEntries(entries);
}
