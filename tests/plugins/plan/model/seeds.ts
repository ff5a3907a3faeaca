/** Entities as somebody writes them by hand, and what an editor does to their files. */

import fc from "../../../support/npm/fast_check.ts";
import { HEADINGS, MILESTONES, type Raw } from "./arguments.ts";
import { type Files, FOLDERS, type Section, STATUSES, written } from "./facts.ts";

const PARTS: readonly Section[] = [
  { heading: "", text: "Some text." },
  { heading: "Acceptance Criteria", text: "- [ ] It runs\n- [x] 404\n- [ ] It is fast" },
  { heading: "Assignee", text: "Who does it." },
  { heading: "Notes", text: "First." },
  { heading: "Notes", text: "Second." },
  { heading: "Dependencies", text: '- {% ref "?" /%}' },
  { heading: "Blocked by", text: '- {% ref "?" /%}' },
  { heading: "References", text: 'As {% ref "?" /%} says, and WORK-001.' },
  { heading: "Resolution", text: "Completed: 2026-01-01\n\nDone." },
];

/** An entity as somebody writes it by hand, with an id of its own by its number. */
const anySeed = fc.record({
  type: fc.constantFrom("work", "work", "work", "bug", "spec", "decision", "milestone"),
  number: fc.integer({ min: 1, max: 4 }),
  status: fc.nat(7),
  assignee: fc.constantFrom("", "", "", "ada", "bob"),
  milestone: fc.constantFrom("", "", ...MILESTONES),
  priority: fc.constantFrom("", "high", "low"),
  parts: fc.subarray([...PARTS.keys()], { maxLength: 4 }),
  to: fc.integer({ min: 1, max: 4 }),
  title: fc.constantFrom("An item", "An item", "null", "a | b", "404", "Über & alles"),
  isClosed: fc.constantFrom(true, true, true, true, true, true, false),
  isCrlf: fc.constantFrom(false, false, false, true),
});

type Seed = typeof anySeed extends fc.Arbitrary<infer Value> ? Value : never;

const PREFIXES: Record<string, string> = {
  work: "WORK",
  bug: "BUG",
  spec: "SPEC",
  decision: "ADR",
};

export const anyPlan: fc.Arbitrary<readonly Seed[]> = fc.array(anySeed, {
  minLength: 1,
  maxLength: 6,
});

/** The files of entities; of several with one id, the last. */
export function filesOf(seeds: readonly Seed[]): Files {
  return Object.fromEntries(seeds.map((seed) => {
    const { type, number, to, parts, isClosed, isCrlf, milestone, assignee, priority, title } =
      seed;
    const statuses = type === "spec" ? [...STATUSES["spec"]!, "shipped"] : STATUSES[type]!;
    const id = type === "milestone"
      ? MILESTONES[number % MILESTONES.length]!
      : `${PREFIXES[type]}-00${number}`;
    const isTask = type === "work" || type === "bug";
    const file = `${FOLDERS[type]}/${id}-item.md`;
    const text = written({
      file,
      type,
      id,
      title,
      attributes: {
        status: statuses[seed.status % statuses.length]!,
        ...isTask ? { milestone, assignee } : {},
        ...type === "work" ? { priority } : {},
      },
      sections: parts.map((at) => PARTS[at]!).map(({ heading, text }) => ({
        heading,
        // An item that refers to itself waits for ever.
        text: text.replace("?", () => `WORK-00${to === number ? to % 4 + 1 : to}`),
      })),
      isClosed,
    });
    return [file, isCrlf ? text.replaceAll("\n", "\r\n") : text];
  }));
}

/** What an editor does to a file, in the plan or in a worktree. */
export function edited(files: Files, raw: Raw): Files {
  const names = Object.keys(files).filter((file) => file.includes("/"));
  const file = names[Number(raw["at"]) % (names.length || 1)];
  if (file === undefined || raw["how"] === "write") return filesOf([raw["seed"] as Seed]);
  const text = files[file]!;
  const [heading, word] = [HEADINGS[Number(raw["at"]) % HEADINGS.length], String(raw["status"])];
  switch (raw["how"]) {
    case "remove":
      return { [file]: "" };
    case "copy":
      return { [file.replace(".md", "-copy.md")]: text };
    case "tick":
      return { [file]: text.replace("- [ ]", "- [x]") };
    case "section":
      return { [file]: text.replace(/\n\{% \//, () => `\n## ${heading}\n\nBy hand.\n\n{% /`) };
    default:
      return { [file]: text.replace(/status="[^"]*"/, () => `status="${word}" assignee="eve"`) };
  }
}

export const anyEdit = fc.record({
  how: fc.constantFrom("write", "status", "status", "tick", "section", "remove", "copy"),
  at: fc.nat(11),
  status: fc.constantFrom("in-progress", "done", "ready", "shipped"),
  seed: anySeed,
});
