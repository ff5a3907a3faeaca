/** All problems of a plan: those of its files, the plugin's, and what keeps work from being offered. */

import { turnTaker } from "../../../src/io/turns.ts";
import { hasHidden, quoted, quotedName, word, wordOrText } from "../../../src/plain_text.ts";
import { commitNamed } from "../../../src/io/git_ask.ts";
import { unknownDays } from "../entity/values.ts";
import type { Entity } from "../entity/entity.ts";
import { knownClaims } from "../remote/mod.ts";
import type { Plan } from "../store/plan.ts";
import { type Issue, problemsOf } from "../store/problems.ts";
import { derived, planAt, type PlanView, type Taken } from "./access.ts";
import { type Availability, readAvailability, takenIn, whyNotOffered } from "./availability.ts";
import { type Elsewhere, readElsewhere, uncheckedSentence } from "./elsewhere.ts";
import { pluginIssues } from "./plugin_issues.ts";
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
  const elsewhere = await readElsewhere(plan);
  const taken = takenIn(plan, elsewhere, await knownClaims(plan));
  const turn = turnTaker(plan.signal);
  const now = fileIssues(plan, answer.issues);
  await turn();
  now.push(...await availabilityOf(plan, taken));
  const { added, gone } = newIssues(now, before);
  const collisions = before === undefined ? collisionIssues(plan, elsewhere) : [];
  return {
    answer,
    issues: [...added, ...collisions].map((issue) => withFix(plan, issue)),
    gone,
    unchecked: uncheckedSentence(taken.unchecked),
  };
}

/** The problems of the plan as of a commit, as far as its files tell. */
async function issuesAt(plan: PlanView, since: string, strict?: boolean): Promise<Issue[]> {
  const before = await planAt(plan, await commitNamed(since, plan.git));
  const { issues } = await pluginIssues(before, strict);
  const untaken = { taken: new Map<string, string>(), unchecked: [] };
  return [...fileIssues(before, issues), ...await availabilityOf(before, untaken)];
}

async function availabilityOf(plan: PlanView, taken: Taken): Promise<Issue[]> {
  return availabilityIssues(plan, await readAvailability(plan, {}, taken));
}

/** The problems of the files alone; the plugin reports duplicate ids itself. */
function fileIssues(plan: Plan, ofPlugin: readonly Issue[]): Issue[] {
  return [
    ...quotedIssues(plan, ofPlugin),
    ...problemsOf(plan).filter((problem) => problem.type !== "duplicate-id"),
    ...plan.entities.flatMap(hiddenIssues),
    ...plan.entities.flatMap(boxIssues),
    ...plan.entities.flatMap(dayIssues),
    ...plan.entities.flatMap((item) => dependencyIssues(plan, item)),
    ...plan.entities.flatMap(unclosedIssues),
  ];
}

function warningIn({ id, file }: Entity, type: string, message: string) {
  return { type, severity: "warning", source: id, file, message };
}

/** What keeps sections from being changed. Each side of a conflict may close what the other opens. */
function unclosedIssues(item: Entity): Issue[] {
  const { unclosed, conflict } = item;
  if (unclosed === undefined || conflict !== undefined) return [];
  return [warningIn(item, "unclosed", `${unclosed}, so its sections cannot be edited`)];
}

/** Lines that look like check boxes, and are none for the plugin. */
function boxIssues(item: Entity): Issue[] {
  return item.uncounted.map(({ line, text }) => {
    const message = `Line ${line} does not count as a criterion: ${quoted(text)}; ` +
      'refrakt counts "- [ ] text" and "- [x] text"';
    return warningIn(item, "uncounted-box", message);
  });
}

/** Dependencies that do not count, and those that an item was done without. */
function dependencyIssues(plan: Plan, item: Entity): Issue[] {
  return [
    ...uncountedDependencies(plan, item).map(({ waiting, on, message }): Issue => ({
      ...warningIn(item, "uncounted-dependency", message),
      target: waiting === item.id ? on : waiting,
      fix: { tool: "plan_update", arguments: { id: waiting, dependsOn: [on] } },
    })),
    ...openDependencies(plan, item).map((other): Issue => {
      const status = wordOrText(item.status);
      const message = `${word(item.id)} is ${status} and depends on ${idAndStatus(other)}`;
      return { ...warningIn(item, "open-dependency", message), target: other.id };
    }),
  ];
}

/** The problems that are not among those before, and those of these that are gone. */
function newIssues(now: readonly Issue[], before: readonly Issue[] | undefined) {
  if (before === undefined) return { added: now, gone: undefined };
  const keyOf = ({ type, source, target, message }: Issue) =>
    JSON.stringify([type, source, target, message]);
  const [old, left] = [before, now].map((all) => new Map(all.map((each) => [keyOf(each), each])));
  return {
    added: now.filter((issue) => !old!.has(keyOf(issue))),
    gone: [...old!.values()].filter((issue) => !left!.has(keyOf(issue))),
  };
}

/** Hidden characters in what names an entity, filters it, or is listed everywhere. */
function hiddenIssues(item: Entity): Issue[] {
  const { title, file, attributes } = item;
  const texts = Object.entries({ title, file, ...attributes })
    .filter(([name, text]) => hasHidden(name) || hasHidden(text))
    .map(([name, text]) => `${word(name)} ${quoted(text)}`);
  if (texts.length === 0) return [];
  const message = `Hidden characters, shown as escapes: ${texts.join(", ")}`;
  return [warningIn(item, "hidden-characters", message)];
}

function dayIssues(item: Entity): Issue[] {
  return unknownDays(item.attributes).map((message) => warningIn(item, "unknown-day", message));
}

/** Adds the call that corrects an issue: it renumbers a duplicate id, or merges a file in conflict. */
function withFix(plan: PlanView, issue: Issue): Issue {
  const { type, source, fix } = issue;
  const { given: dir } = plan;
  if (fix !== undefined) return { ...issue, fix: { ...fix, arguments: { ...fix.arguments, dir } } };
  if (type === "conflict-markers") {
    return { ...issue, fix: { tool: "plan_merge", arguments: { id: source, dir } } };
  }
  const last = type === "duplicate-id" ? plan.allOf(source).at(-1) : undefined;
  // A milestone has no number.
  if (last === undefined || last.type === "milestone") return issue;
  return {
    ...issue,
    fix: { tool: "plan_rename", arguments: { kind: "id", from: source, file: last.file, dir } },
  };
}

/** The mentions that withhold ready items, and the reason if nothing is offered at all. */
function availabilityIssues(plan: Plan, available: Availability): Issue[] {
  const { offered, withheld } = available;
  const mentions = withheld.flatMap((item): Issue[] => {
    const others = mentionsThatWithhold(plan, item);
    if (others.length === 0) return [];
    return [{
      ...warningIn(item, "mention-blocks", mentionSentence(item, others)),
      target: others[0]!.id,
      fix: mentionFix(item),
    }];
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

/** Shorter names, such as a dash, say nothing and may be a part of the sentence. */
const SHORT_NAME = 3;

/** How the plugin's sentence about a cycle begins, and what joins its ids. */
const [CYCLE, NEXT] = ["Circular dependency: ", " → "];

/** Problems as the plugin reports them; ids and values in their sentences are quoted as in ours. */
export function quotedIssues(plan: Plan, issues: readonly Issue[]): Issue[] {
  const attributesOf = new Map(plan.entities.map(({ file, attributes }) => [file, attributes]));
  return issues.map((issue) => {
    const { source, file = "", target = "", message } = issue;
    if (message.startsWith(CYCLE)) {
      const ids = message.slice(CYCLE.length).split(NEXT);
      return { ...issue, message: CYCLE + ids.map(word).join(NEXT) };
    }
    const values = Object.values(attributesOf.get(file) ?? {});
    const quotes = new Map([
      [target, word(target)],
      ...values.map((value) => [value, wordOrText(value)] as const),
      [source, word(source)],
    ]);
    const names = [...quotes.keys()]
      .filter((name) => name.length > SHORT_NAME && name !== quotes.get(name))
      .sort((a, b) => b.length - a.length).map(RegExp.escape);
    if (names.length === 0) return issue;
    const pattern = new RegExp(`"(${names.join("|")})"|${names.join("|")}`, "g");
    return {
      ...issue,
      message: message.replace(pattern, (name, inQuotes) => quotes.get(inQuotes ?? name)!),
    };
  });
}
