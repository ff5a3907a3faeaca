/** `plan_validate`: the plan's problems, grouped by kind. */

import * as z from "zod";
import { turnTaker } from "../../../src/io/turns.ts";
import { hasHidden, quoted, quotedName, word } from "../../../src/plain_text.ts";
import { mentionFix, mentionSentence, mentionsThatWithhold } from "../queries/waits.ts";
import type { Entity } from "../entity/entity.ts";
import { type Collision, readElsewhere, uncheckedSentence } from "../queries/elsewhere.ts";
import { quotedIssues } from "../queries/ask_plugin.ts";
import { pluginIssues } from "../queries/plugin_issues.ts";
import { entitiesNamed, planAt, type PlanView, type Taken } from "../queries/access.ts";
import { commitNamed } from "../../../src/io/git_ask.ts";
import { knownClaims } from "../remote/mod.ts";
import {
  type Availability,
  readAvailability,
  takenIn,
  whyNotOffered,
} from "../queries/availability.ts";
import { checkValue } from "../queries/values.ts";
import { goneOf } from "../../../src/plugin/counted.ts";
import type { PlanFile } from "../entity/entity.ts";
import { problemsOf } from "../store/problems.ts";
import { detailArgument, oneOrMore, uncheckedPlaces } from "../tool_parts/fields.ts";
import { groupIssues, type Issue, issue, issueGroup } from "../tool_parts/issues.ts";
import { readTool } from "../tool_parts/plan_tool.ts";

/** How many ids a group lists by default, and for a requested kind. */
const [FEW_IDS, MANY_IDS] = [4, 500];

const Output = z.object({
  scanned: z.int(),
  counts: z.object({ errors: z.int(), warnings: z.int(), info: z.int() }),
  exitCode: z.int(),
  unchecked: uncheckedPlaces(),
  groups: z.array(z.object(issueGroup)).optional(),
  issues: z.array(issue).optional(),
  kinds: z.array(z.string()).optional(),
  gone: z.int().optional().describe("How many problems of since are gone"),
  goneKinds: z.record(z.string(), z.int()).optional(),
});

export const validateTool = readTool({
  name: "plan_validate",
  title: "Validate the plan",
  description:
    "Checks structure and references; one group a kind of problem. Problems are data, no " +
    "error.",
  _meta: { "anthropic/searchHint": "lint check the plan" },
  input: {
    severity: z.enum(["error", "warning", "info"]).optional(),
    type: oneOrMore().describe("As broken-ref"),
    id: oneOrMore(),
    milestone: z.string().optional(),
    since: z.string().optional().describe("A commit, branch or HEAD: only what is new"),
    strict: z.boolean().optional().describe("The CLI's warnings are errors"),
    detail: detailArgument(),
  },
  output: Output,
  saysUnreadable: true,
  run: async (input, plan): Promise<z.infer<typeof Output>> => {
    const { severity, type, id, strict, detail, since } = input;
    const ids = id && entitiesNamed(plan, [id].flat()).map((item) => item.id);
    const milestone = checkValue(plan, "milestone", input.milestone);
    const answer = await plan.derived(
      `validate ${strict}`,
      () => pluginIssues(plan, strict),
    );
    const before = since === undefined ? undefined : await issuesAt(plan, since, strict);
    const elsewhere = await readElsewhere(plan);
    const taken = takenIn(plan, elsewhere, await knownClaims(plan));
    const unchecked = uncheckedSentence(taken.unchecked);
    const turn = turnTaker(plan.signal);
    const own = ownIssues(plan, answer.issues);
    await turn();
    const compared = newIssues([...own, ...await availabilityOf(plan, taken)], before);
    const all = [
      ...compared.added,
      ...since === undefined
        ? elsewhere.collisions.map((collision) => collisionIssue(plan, collision))
        : [],
    ].map((issue) => withFix(plan, issue));
    await turn();
    const issues = all.filter((issue) =>
      (severity === undefined || issue.severity === severity) &&
      (type === undefined || [type].flat().includes(issue.type)) &&
      (ids === undefined || ids.includes(issue.source)) &&
      (milestone === undefined || issue.source === milestone ||
        plan.find(issue.source)?.attributes["milestone"] === milestone)
    );
    const countOf = (severity: string) =>
      issues.filter((issue) => issue.severity === severity).length;
    const counts = {
      errors: countOf("error"),
      warnings: countOf("warning"),
      info: countOf("info"),
    };
    const exitCode = counts.errors > 0 ? 1 : 0;
    const gone = goneOf(compared.gone, ({ type }) => type);
    if (detail === "full") return { ...answer, issues, counts, exitCode, unchecked, ...gone };
    return {
      scanned: answer.scanned,
      counts,
      exitCode,
      unchecked,
      ...gone,
      groups: groupIssues(issues, type === undefined ? FEW_IDS : MANY_IDS),
      kinds: type !== undefined && issues.length === 0
        ? [...new Set(all.map((issue) => issue.type))]
        : undefined,
    };
  },
});

/** The problems of the files alone; the plugin reports duplicate ids itself. */
function ownIssues(plan: PlanView, ofPlugin: readonly Issue[]): Issue[] {
  return [
    ...quotedIssues(plan, ofPlugin),
    ...problemsOf(plan).filter((problem) => problem.type !== "duplicate-id"),
    ...plan.entities.flatMap(hiddenIssues),
    ...plan.files.flatMap(unclosedIssues),
  ];
}

/** What keeps sections from being changed. Each side of a conflict may close what the other opens. */
function unclosedIssues({ file, id, contents: { unclosed, conflict } }: PlanFile): Issue[] {
  if (unclosed === undefined || conflict !== undefined) return [];
  const message = `${unclosed}, so its sections cannot be edited`;
  return [{ type: "unclosed", severity: "warning", source: id ?? file, file, message }];
}

async function availabilityOf(plan: PlanView, taken: Taken): Promise<Issue[]> {
  return availabilityIssues(plan, await readAvailability(plan, {}, taken));
}

/** The problems of the plan as of a commit, as far as its files tell. */
async function issuesAt(plan: PlanView, since: string, strict?: boolean): Promise<Issue[]> {
  const before = await planAt(plan, await commitNamed(since, plan.git));
  const { issues } = await pluginIssues(before, strict);
  const untaken = { taken: new Map<string, string>(), unchecked: [] };
  return [...ownIssues(before, issues), ...await availabilityOf(before, untaken)];
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
function hiddenIssues({ id: source, title, file, attributes }: Entity): Issue[] {
  const found = Object.entries({ title, file, ...attributes })
    .filter(([name, text]) => hasHidden(name) || hasHidden(text));
  if (found.length === 0) return [];
  const texts = found.map(([name, text]) => `${word(name)} ${quoted(text)}`);
  return [{
    type: "hidden-characters",
    severity: "warning",
    source,
    file,
    message: `Hidden characters, shown as escapes: ${texts.join(", ")}`,
  }];
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
    fix: { tool: "plan_renumber", arguments: { id: source, file: last.file, dir } },
  };
}

/** The mentions that withhold ready items, and the reason if nothing is offered at all. */
function availabilityIssues(plan: PlanView, available: Availability): Issue[] {
  const { offered, withheld } = available;
  const mentions = withheld.flatMap((item): Issue[] => {
    const others = mentionsThatWithhold(plan, item);
    if (others.length === 0) return [];
    return [{
      type: "mention-blocks",
      severity: "warning",
      source: item.id,
      file: item.file,
      target: others[0]!.id,
      message: mentionSentence(item, others),
      fix: mentionFix(item),
    }];
  });
  const [first] = withheld;
  if (offered.length > 0 || first === undefined) return mentions;
  const [items, are] = withheld.length === 1 ? ["item", "is"] : ["items", "are"];
  return [...mentions, {
    type: "none-offered",
    severity: "warning",
    source: first.id,
    file: first.file,
    message: `${withheld.length} ${items} ${are} ready and none is offered: ` +
      whyNotOffered(plan, available),
  }];
}

/** The issue for an id that belongs to another entity elsewhere. */
function collisionIssue(
  plan: PlanView,
  { branch, worktree, item: { id, title } }: Collision,
): Issue {
  const place = worktree ?? branch!;
  return {
    type: "id-on-two-branches",
    severity: "warning",
    source: id,
    file: plan.find(id)!.file,
    branch: branch ?? place,
    message: `${word(id)} is a different entity ${worktree === undefined ? "on" : "in"} ` +
      `${quotedName(place)}: ${quoted(title)}`,
    fix: { tool: "plan_renumber", arguments: { id } },
  };
}
