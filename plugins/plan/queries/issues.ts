/** All problems of a plan: of its files, those that the plugin finds, and those of the offer. */

import type * as z from "zod";
import { turnTaker } from "../../../src/io/turns.ts";
import { hasHidden, quoted, quotedName, word, wordOrText } from "../../../src/plain_text.ts";
import { commitNamed } from "../../../src/io/git_ask.ts";
import { unknownDays } from "../entity/values.ts";
import type { Entity } from "../entity/entity.ts";
import type { Plan } from "../store/plan.ts";
import { type Issue, type issueGroup, problemsOf } from "../store/problems.ts";
import { derived, planAt, type PlanView } from "./access.ts";
import { type Availability, readAvailability, readTaken, whyNotOffered } from "./availability.ts";
import { type Elsewhere, uncheckedSentence } from "./elsewhere.ts";
import { pluginIssues, quotedIssues } from "./plugin_answers.ts";
import {
  idAndStatus,
  mentionFix,
  mentionSentence,
  mentionsThatWithhold,
  openDependencies,
  uncountedDependencies,
} from "./waits.ts";

/** @param since A commit, before which a problem is not new. */
export async function readIssues(plan: PlanView, strict?: boolean, since?: string) {
  const answer = await derived(plan, `validate ${strict}`, () => pluginIssues(plan, strict));
  const before = since === undefined ? undefined : await issuesAt(plan, since, strict);
  const taken = await readTaken(plan);
  const now = fileIssues(plan, answer.issues);
  await turnTaker(plan.signal)();
  now.push(...availabilityIssues(plan, await readAvailability(plan, {}, taken)));
  const keys = new Set(now.map(issueKey));
  const issues = before === undefined
    ? [...now, ...collisionIssues(plan, taken.elsewhere)]
    : now.filter((issue) => !before.has(issueKey(issue)));
  return {
    answer,
    issues: issues.map((issue) => withFix(plan, issue)),
    // The problems of before that are not there any more.
    gone: before && [...before].flatMap(([key, issue]) => keys.has(key) ? [] : issue),
    unchecked: uncheckedSentence(taken.unchecked),
  };
}

/** The problems of the plan as of a commit, as far as its files tell. */
async function issuesAt(plan: PlanView, since: string, strict?: boolean) {
  const before = await planAt(plan, await commitNamed(since, plan.git));
  const { issues } = await pluginIssues(before, strict);
  const available = await readAvailability(before, {}, { taken: new Map() });
  const all = [...fileIssues(before, issues), ...availabilityIssues(before, available)];
  return new Map(all.map((issue) => [issueKey(issue), issue]));
}

const issueKey = ({ type, source, target, message }: Issue) =>
  JSON.stringify([type, source, target, message]);

/** The checks of an entity. */
const ISSUE_CHECKS: readonly ((item: Entity, plan: Plan) => Issue[])[] = [
  // Hidden characters in what names an entity, filters it, or is listed everywhere.
  (item) => {
    const { title, file, attributes } = item;
    const texts = Object.entries({ title, file, ...attributes })
      .filter(([name, text]) => hasHidden(name) || hasHidden(text))
      .map(([name, text]) => `${word(name)} ${quoted(text)}`);
    const message = `Hidden characters, shown as escapes: ${texts.join(", ")}`;
    return texts.length === 0 ? [] : [warningIn(item, "hidden-characters", message)];
  },
  // Lines that look like check boxes, and are none for the plugin.
  (item) =>
    item.uncounted.map(({ line, text }) => {
      const message = `Line ${line} does not count as a criterion: ${quoted(text)}; ` +
        'refrakt counts "- [ ] text" and "- [x] text"';
      return warningIn(item, "uncounted-box", message);
    }),
  (item) => unknownDays(item.attributes).map((text) => warningIn(item, "unknown-day", text)),
  dependencyIssues,
  // Sections that cannot be changed. Each side of a conflict may close what the other opens.
  (item) => {
    const { unclosed, conflict } = item;
    if (unclosed === undefined || conflict !== undefined) return [];
    return [warningIn(item, "unclosed", `${unclosed}, so its sections cannot be edited`)];
  },
];

/** The problems of the files alone; the plugin reports duplicate ids itself. */
function fileIssues(plan: Plan, ofPlugin: readonly Issue[]): Issue[] {
  return [
    ...quotedIssues(plan, ofPlugin),
    ...problemsOf(plan).filter((problem) => problem.type !== "duplicate-id"),
    ...ISSUE_CHECKS.flatMap((check) => plan.entities.flatMap((item) => check(item, plan))),
  ];
}

function warningIn({ id, file }: Entity, type: string, message: string) {
  return { type, severity: "warning", source: id, file, message };
}

/** Dependencies that do not count, and those that an item was done without. */
function dependencyIssues(item: Entity, plan: Plan): Issue[] {
  const uncounted = uncountedDependencies(plan, item).map(({ waiting, on, message }): Issue => ({
    ...warningIn(item, "uncounted-dependency", message),
    target: waiting === item.id ? on : waiting,
    fix: { tool: "plan_update", arguments: { id: waiting, dependsOn: [on] } },
  }));
  const status = wordOrText(item.status);
  const open = openDependencies(plan, item).map((other): Issue => {
    const message = `${word(item.id)} is ${status} and depends on ${idAndStatus(other)}`;
    return { ...warningIn(item, "open-dependency", message), target: other.id };
  });
  return [...uncounted, ...open];
}

/** Adds the call that corrects an issue: it renumbers a duplicate id, or merges a file in conflict. */
function withFix(plan: PlanView, issue: Issue): Issue {
  const { type, source } = issue;
  let { fix } = issue;
  if (type === "conflict-markers") fix ??= { tool: "plan_merge", arguments: { id: source } };
  const last = type === "duplicate-id" ? plan.allOf(source).at(-1) : undefined;
  // A milestone has no number.
  if (last !== undefined && last.type !== "milestone") {
    const renumber = { kind: "id", from: source, file: last.file };
    fix ??= { tool: "plan_rename", arguments: renumber };
  }
  if (fix === undefined) return issue;
  return { ...issue, fix: { ...fix, arguments: { ...fix.arguments, dir: plan.dirArgument } } };
}

/** The mentions that withhold ready items, and the reason if nothing is offered at all. */
function availabilityIssues(plan: Plan, available: Availability): Issue[] {
  const { offered, withheld } = available;
  const mentions = withheld.flatMap((item): Issue[] => {
    const others = mentionsThatWithhold(plan, item);
    if (others.length === 0) return [];
    const warning = warningIn(item, "mention-blocks", mentionSentence(item, others));
    return [{ ...warning, target: others[0]!.id, fix: mentionFix(item) }];
  });
  const [first] = withheld;
  if (offered.length > 0 || first === undefined) return mentions;
  const [items, are] = withheld.length === 1 ? ["item", "is"] : ["items", "are"];
  const message = `${withheld.length} ${items} ${are} ready and none is offered: ` +
    whyNotOffered(plan, available);
  return [...mentions, warningIn(first, "none-offered", message)];
}

/** Files in conflict, and ids that two files or branches have. */
export function conflictIssues(plan: Plan, elsewhere: Elsewhere): Issue[] {
  const problems = problemsOf(plan).filter(({ severity }) => severity === "error");
  return [...problems, ...collisionIssues(plan, elsewhere)];
}

/** The ids that belong to another entity elsewhere. */
function collisionIssues(plan: Plan, { collisions }: Elsewhere): Issue[] {
  return collisions.map(({ branch, worktree, item: { id, title } }) => {
    const place = worktree ?? branch!;
    const message = `${word(id)} is a different entity ${worktree === undefined ? "on" : "in"} ` +
      `${quotedName(place)}: ${quoted(title)}`;
    return {
      ...warningIn(plan.find(id)!, "id-on-two-branches", message),
      branch: branch ?? place,
      fix: { tool: "plan_rename", arguments: { kind: "id", from: id } },
    };
  });
}

/** Up to this many different messages of one kind are all listed. */
const MAX_MESSAGES = 3;
/** How many entities a call changes at most. */
export const MOST_CHANGED = 100;

/** @param most How many ids a group lists. */
export function groupIssues(issues: readonly Issue[], most: number) {
  // Each correction is a separate call, except that plan_update takes several ids.
  const kinds = Map.groupBy(
    issues,
    ({ type, severity, fix, source }) =>
      `${severity ?? ""}:${type}:${fix && fix.tool !== "plan_update" && source}`,
  );
  return [...kinds.values()].map((group): z.infer<typeof issueGroup> => {
    const { type, severity, file, branch, fix } = group[0]!;
    const isSingle = group.length === 1;
    const ids = [...new Set(group.map(({ source }) => source))];
    const forAll = { ...fix?.arguments, id: undefined, ids: ids.slice(0, MOST_CHANGED) };
    return {
      type,
      severity,
      count: group.length,
      message: combinedMessage(group),
      file: isSingle ? file : undefined,
      ids: ids.slice(0, most),
      branch,
      fix: isSingle || fix?.tool !== "plan_update" ? fix : { ...fix, arguments: forAll },
    };
  });
}

/** Combines messages of one kind; placeholders replace the ids that differ. */
function combinedMessage(issues: readonly Issue[]): string {
  if (issues.length === 1) return issues[0]!.message;
  const templates = Map.groupBy(issues, messageTemplate);
  if (templates.size === 1) return [...templates.keys()][0]!;
  if (templates.size > MAX_MESSAGES) return `For example: ${issues[0]!.message}`;
  return [...templates].map(([template, group]) => `${template} (${group.length})`).join("; ");
}

function messageTemplate({ message, source, target = "" }: Issue): string {
  // A path contains the id that its file is named after, and a target may be called "id".
  const isLonger = target.length > source.length;
  const marked = replaceName(message, isLonger ? target : source, "\0");
  const [first, second] = isLonger ? ["{target}", "{id}"] : ["{id}", "{target}"];
  return replaceName(marked, isLonger ? source : target, second).replaceAll("\0", () => first);
}

const ENDS_IN_WORD = /[\p{L}\p{N}_-]$/u;
const BEGINS_IN_WORD = /^[\p{L}\p{N}_-]/u;

/** Replaces a name where it is no part of a word, as the milestone "m" is of "milestone". */
function replaceName(text: string, name: string, by: string): string {
  if (name === "") return text;
  // A pattern of each name would take a millisecond to compile.
  return text.replaceAll(name, (_, at: number) => {
    const isPart = ENDS_IN_WORD.test(text.slice(0, at)) ||
      BEGINS_IN_WORD.test(text.slice(at + name.length));
    return isPart ? name : by;
  });
}
