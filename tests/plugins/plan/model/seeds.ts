/** Entities as somebody writes them by hand, and what an editor does to their files. */

import fc from "../../../support/npm/fast_check.ts";
import { HEADINGS, MILESTONES, type Raw } from "./arguments.ts";
import { type Files, KINDS, written } from "./facts.ts";

/** Texts by heading. */
const PARTS = [
  ["", "Some text."],
  ["Acceptance Criteria", "- [ ] It runs\n- [x] 404\n- [ ] 2"],
  ["Done when", "- [ ] 404\n- [x] It is fast"],
  ["Assignee", "Who does it."],
  ["Notes", "First."],
  ["Notes", "First.\n\n## Notes\nSecond."],
  ["Dependencies", '- {% ref "?" /%}'],
  ["Blocked by", '- {% ref "?" /%}'],
  ["References", 'As {% ref "?" /%} says, and WORK-001.'],
] as const;
const RESOLUTION = ["Resolution", "Completed: 2026-01-01\n\nDone."] as const;

/** The statuses of tasks come more often where much depends on them. */
const OFTEN: Readonly<Record<string, readonly string[]>> = {
  work: ["ready", "ready", "ready", "done", "done", "in-progress"],
  bug: ["confirmed", "confirmed", "fixed"],
  spec: ["shipped", "shipped", "accepted"],
};

const anySeed = fc.record({
  type: fc.constantFrom("work", "work", "work", "bug", "spec", "decision", "milestone"),
  number: fc.integer({ min: 1, max: 3 }),
  status: fc.nat(12),
  assignee: fc.constantFrom("", "", "", "ada", "bob"),
  milestone: fc.constantFrom("", "", ...MILESTONES),
  priority: fc.constantFrom("", "high", "low"),
  parts: fc.subarray([...PARTS], { minLength: 1, maxLength: 6 }),
  isResolved: fc.boolean(),
  to: fc.integer({ min: 1, max: 3 }),
  title: fc.constantFrom("An item", "An item", "null", "a | b", "404", "Über & alles"),
  isClosed: fc.constantFrom(true, true, true, false),
  isCrlf: fc.constantFrom(false, false, false, true),
});

type Seed = typeof anySeed extends fc.Arbitrary<infer Value> ? Value : never;

/** Sometimes two files have one id, that of an item which would be offered without the other. */
export const anyPlan: fc.Arbitrary<Files> = fc.tuple(
  fc.array(anySeed, { minLength: 1, maxLength: 5 }),
  fc.constantFrom(false, false, false, false, true),
).map(([seeds, isDouble]) => {
  if (!isDouble) return filesOf(seeds);
  const free = seeds[0]!.parts.filter(([, text]) => !text.includes("?"));
  const files = filesOf([{ ...seeds[0]!, type: "work", status: 0, assignee: "", parts: free }]);
  return { ...filesOf(seeds), ...files, ...edited(files, { how: "copy", at: 0 }) };
});

/** The files of entities; of several with one id, the last. */
function filesOf(seeds: readonly Seed[]): Files {
  return Object.fromEntries(seeds.map((seed) => {
    const { type, number, to, isClosed, isCrlf, milestone, assignee, priority, title } = seed;
    const { folder, prefix, statuses } = KINDS[type]!;
    const all = [...OFTEN[type] ?? [], ...statuses];
    const id = type === "milestone" ? MILESTONES[number - 1]! : `${prefix}00${number}`;
    const file = `${folder}/${id}-item.md`;
    const text = written({
      file,
      type,
      id,
      title,
      attributes: {
        status: all[seed.status % all.length]!,
        ...type === "work" || type === "bug" ? { milestone, assignee } : {},
        ...type === "work" ? { priority } : {},
      },
      sections: [...seed.parts, ...seed.isResolved ? [RESOLUTION] : []].map(([heading, text]) => ({
        heading,
        // An item that refers to itself waits for ever.
        text: text.replace("?", () => `WORK-00${to === number ? to % 3 + 1 : to}`),
      })),
      isClosed,
    });
    return [file, isCrlf ? text.replaceAll("\n", "\r\n") : text];
  }));
}

/** What an editor does to a file, in the plan or in a worktree; an empty text removes it. */
export function edited(files: Files, raw: Raw): Files {
  const at = Number(raw["at"]);
  const names = Object.keys(files).filter((file) => file.includes("/"));
  const file = names[at % (names.length || 1)];
  if (file === undefined || raw["how"] === "write") return filesOf([raw["seed"] as Seed]);
  const text = files[file]!;
  const heading = HEADINGS[at % HEADINGS.length];
  const texts: Record<string, string> = {
    remove: "",
    tick: text.replace("- [ ]", "- [x]"),
    section: text.replace(/\n\{% \//, () => `\n## ${heading}\n\nBy ${raw["by"]}.\n\n{% /`),
    note: text.replace(/^(?:First|Some)\b.*/m, () => `First of ${raw["by"]}.`),
    assignee: withAssignee(text, String(raw["by"])),
    status: text.replace(/status="[^"]*"/, () => `status="${raw["status"]}"`),
  };
  return raw["how"] === "copy"
    ? { [file.replace(".md", "-copy.md")]: text }
    : { [file]: texts[String(raw["how"])]! };
}

function withAssignee(text: string, name: string): string {
  const [tag = ""] = /^.*/.exec(text) ?? [];
  const bare = tag.replace(/ assignee="[^"]*"/, "");
  return text.replace(tag, () => bare.replace(/ %\}/, (end) => ` assignee="${name}"${end}`));
}

const anyHow = (...hows: readonly string[]) =>
  fc.record({
    how: fc.constantFrom(...hows),
    at: fc.nat(11),
    by: fc.constantFrom("eve", "ada"),
    status: fc.constantFrom("in-progress", "done", "ready", "shipped"),
    seed: anySeed,
  });

export const anyEdit = anyHow(
  ...["status", "status", "assignee", "tick", "section", "note", "write", "remove", "copy"],
);
/** Two edits of one entity, one after the other, or each on a branch; both often of its tag. */
export const anyEdits = fc.record({
  at: fc.nat(10),
  ours: anyHow("status", "status", "status", "tick", "section", "note"),
  theirs: anyHow("assignee", "assignee", "assignee", "tick", "section", "note"),
});
