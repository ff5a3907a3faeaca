/**
 * The prompts about the whole plan: `plan_release_notes`, `plan_standup`, `plan_review` and
 * `plan_triage`.
 */

import { quoted, quotedName, shortLine } from "../../../src/plain_text.ts";
import { invalidArguments } from "../entity/values.ts";
import { groupIssues } from "../queries/issues.ts";
import { openCount } from "../queries/progress.ts";
import { isBlocked } from "../queries/waits.ts";
import type { Entity } from "../entity/entity.ts";
import { pluginIssues } from "../queries/plugin_answers.ts";
import { withoutTags } from "../entity/document.ts";
import { changeOf } from "../git/events.ts";
import { type PlanView } from "../queries/access.ts";
import { withFields } from "../queries/availability.ts";
import { dayOf } from "../entity/durations.ts";
import { CLAIMED, isDone, isNew, isTask } from "../entity/lifecycle.ts";
import { groupItems } from "../queries/select.ts";
import { rangeOf } from "../queries/times.ts";
import { readToday, todayList } from "../queries/today.ts";
import { checkValue, knownValues } from "../queries/fields.ts";
import { RELEASE_STEPS, TRIAGE_STEPS } from "./skills.ts";
import {
  embed,
  embedLists,
  listOf,
  notChecked,
  type PlanPrompt,
  say,
  waitingFor,
} from "./messages.ts";

/** The longest resolution in release notes, in characters. */
const RESOLUTION_LENGTH = 60;

/** The default for the time since the last stand-up. */
const LAST_STANDUP = "1d";

export const releaseNotes: PlanPrompt = {
  name: "plan_release_notes",
  title: "Write release notes",
  description: "What was done or fixed in a milestone or since a time, with resolutions, and " +
    "what is still open.",
  arguments: [
    { name: "milestone", description: "Its name" },
    { name: "since", description: "14d, a date, commit or branch" },
  ],
  messages: async (plan, { milestone: name = "", since = "" }) => {
    if (name === "" && since === "") {
      const hint = "A milestone's name, or a time such as 14d, 2026-01-31 or a commit.";
      throw invalidArguments('Pass "milestone" or "since"', hint);
    }
    const milestone = checkValue(plan, "milestone", name);
    const { finished, quiet } = since === "" ? {} : await finishedSince(plan, since);
    const items = plan.entities.filter(isTask).filter((item) =>
      milestone === "" || isIn(milestone)(item)
    );
    const done = items.filter(({ id, status }) => isDone(status) && finished?.has(id) !== false);
    // Without a milestone, list only open items that are in progress.
    const open = items.filter(({ finished, status }) =>
      !finished && (milestone !== "" || status === CLAIMED)
    );
    const scope = [milestone && `for ${quoted(milestone)}`, since && `since ${quotedName(since)}`]
      .filter((part) => part !== "").join(" ");
    const ofType = (wanted: string) => done.filter(({ type }) => type === wanted);
    return [
      say(`Write release notes ${scope}.\n\n${RELEASE_STEPS}`),
      ...embedLists(
        [`Nothing was done or fixed ${scope}.`, quiet].filter(Boolean).join(" "),
        listOf("New", ofType("work"), resolutionLine),
        listOf("Fixed", ofType("bug"), resolutionLine),
        done.length === 0 ? "" : listOf("Still open", open),
      ),
    ];
  },
};

export const standup: PlanPrompt = {
  name: "plan_standup",
  title: "Stand-up",
  description: "What has changed since a time, by author.",
  arguments: [{
    name: "since",
    description: `14d, a date, commit or branch; ${LAST_STANDUP} by default`,
  }],
  messages: async (plan, { since: text = "" }) => {
    const read = (since: string) => readToday(plan, { since, workingTree: true });
    let since = text || LAST_STANDUP;
    let today = await read(since);
    // If no time was given and nothing is new: the day of the newest change.
    const [newest] = text === "" && today.rows.length === 0 ? (await plan.history()).events : [];
    if (newest !== undefined) {
      since = dayOf(newest.date);
      today = await read(since);
    }
    const list = today.rows.length === 0 ? "" : todayList(plan, today, since);
    return [
      say(
        `Give the stand-up since ${quotedName(since)} in a few sentences, by author. Include the ` +
          "ids. plan_next says what comes next.",
      ),
      ...embedLists(
        'Nothing has changed since then; plan_history { sinceNewest: "14d" } shows what changed last.',
        list,
      ),
      ...notChecked(today.warnings),
    ];
  },
};

export const review: PlanPrompt = {
  name: "plan_review",
  title: "Review a milestone",
  description: "A milestone's items by status, and those done with open criteria or without a " +
    "resolution.",
  arguments: [{ name: "milestone", description: "Its name", required: true }],
  messages: async (opened, { milestone: name = "" }) => {
    const plan = await withFields(opened);
    if (name === "") {
      throw invalidArguments(
        '"milestone": required',
        `Pass one of ${knownValues(plan, "milestone").map(quoted).join(", ") || "none yet"}.`,
      );
    }
    const milestone = checkValue(plan, "milestone", name);
    const items = plan.entities.filter(isIn(milestone));
    const done = items.filter(({ status }) => isDone(status));
    const itself = plan.find(milestone);
    return [
      say(
        `Review the milestone ${quoted(milestone)}: what is open, what is at risk, and what was ` +
          `closed too early. plan_review finds statuses that do not fit, refrakt_query answers what else ` +
          `you ask, such as \`select id, open from entities where milestone = ${
            sqlText(milestone)
          } ` +
          `and open > 0\`; check doubtful items with ` +
          `plan_get; propose changes before you make them with plan_update.`,
      ),
      ...itself === undefined ? [] : [embed(plan, itself)],
      ...embedLists(
        `No item has the milestone ${quoted(milestone)}.`,
        ...groupItems(plan, items, "status").map(([status, same]) =>
          listOf(status, same, waitingFor(plan))
        ),
        listOf(
          "Done with open criteria",
          done.filter(openCount),
          (item) => `${openCount(item)} open`,
        ),
        listOf("Done without a resolution", done.filter(({ resolution }) => !resolution)),
      ),
      ...notChecked(plan.taken?.unchecked),
    ];
  },
};

export const triage: PlanPrompt = {
  name: "plan_triage",
  title: "Triage the plan",
  description: "New, unplanned, blocked and broken items, to be triaged.",
  messages: async (opened) => {
    const plan = await withFields(opened);
    const open = plan.entities.filter((item) => isTask(item) && !item.finished);
    const { issues } = await pluginIssues(plan);
    const errors = groupIssues(issues.filter(({ severity }) => severity === "error"), 1)
      .map(({ type, count, message }) => `- ${type} ×${count}: ${message}`);
    const blocked = open.filter((item) => isBlocked(plan, item));
    const unplanned = open.filter((item) =>
      !item.attributes["milestone"] && !isNew(item.status) && !blocked.includes(item)
    );
    return [
      say(`Triage this plan.\n\n${TRIAGE_STEPS}`),
      ...embedLists(
        "Nothing to triage: no new, blocked or unplanned items, and no errors.",
        listOf("New", open.filter(({ status }) => isNew(status))),
        listOf("Blocked", blocked, waitingFor(plan)),
        listOf("Without a milestone", unplanned),
        errors.length === 0 ? "" : `Errors reported by plan_validate:\n${errors.join("\n")}`,
      ),
      ...notChecked(plan.taken?.unchecked),
    ];
  },
};

function isIn(milestone: string): (item: Entity) => boolean {
  return ({ attributes }) => attributes["milestone"] === milestone;
}

/** The ids of items that were done since a time, and a sentence if nothing has changed since. */
async function finishedSince(plan: PlanView, since: string) {
  const { events: all } = await plan.history();
  const events = all.filter(await rangeOf(plan, { since }));
  const quiet = events.length > 0 || all[0] === undefined
    ? ""
    : `Nothing changed since then: the newest change was on ${dayOf(all[0].date)}, and ` +
      'plan_history { sinceNewest: "14d" } shows it.';
  const finished = events.filter((event) => isDone(changeOf(event, "status") ?? ""));
  return { finished: new Set(finished.map(({ id }) => id)), quiet };
}

/** A text of SQL. */
function sqlText(text: string): string {
  return `'${shortLine(text, 100).replaceAll("'", "''")}'`;
}

function resolutionLine({ resolution }: Entity): string {
  // The heading that most begin with says nothing.
  const body = withoutTags(resolution?.body ?? "").replace(/^\s*#+[^\n]*\n/, "");
  return shortLine(body.replace(/^\s*[-*] /, ""), RESOLUTION_LENGTH);
}
