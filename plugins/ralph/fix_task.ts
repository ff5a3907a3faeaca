/**
 * Adds a task that mends what made another one fail.
 *
 * @module
 */

import { brief, invalid } from "./failures.ts";
import { shownName } from "./names.ts";
import {
  blockedBy,
  type Change,
  ownRecord,
  type Report,
  type TaskPlace,
  whatShows,
} from "./reports.ts";
import { asCounter, objectField } from "./state.ts";
import { fixDepth, fixNumber, withBlock } from "./task_edit.ts";
import { taskField } from "./tasks.ts";

/** How many fixes a task may have, and how deep fixes of fixes may go. */
const MAX_FIXES = 3;
const MAX_DEPTH = 3;

/**
 * What a failure changes: a fix task, or where there were enough of them a question to the user.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` where the report does not say what failed.
 */
export function fail(place: TaskPlace, report: Report): Change {
  const { spec, state, list, task, text } = place;
  const error = whatShows(report);
  if (error === "") {
    throw invalid(
      `Task ${task.id}: "failed" needs to say what failed`,
      "Call ralph_task_result with command and exit_code, or with evidence.",
    );
  }
  const map = objectField(state, "fixTaskMap");
  const known = ownRecord(map, task.id);
  const attempts = asCounter(known["attempts"]) ?? 0;
  const earlier = Array.isArray(known["fixTaskIds"]) ? known["fixTaskIds"] : [];
  const most = asCounter(state.raw["maxFixTasksPerOriginal"]) ?? MAX_FIXES;
  const deepest = asCounter(state.raw["maxFixTaskDepth"]) ?? MAX_DEPTH;
  const line = `- ${task.id} failed: ${error}`;
  if (attempts >= most || fixDepth(task) >= deepest) {
    return {
      message: `Task ${task.id} failed again, and gets no further fix task`,
      text,
      inserted: [],
      state: {
        fixTaskMap: { ...map, [task.id]: { ...known, lastError: error } },
        ...blockedBy(task, `it failed after ${attempts} fix tasks: ${brief(error, 150)}`),
      },
      section: "Blockers",
      line,
      notes: [`At most ${most} fix tasks are made for a task, ${deepest} deep.`],
    };
  }
  const id = fixNumber(task, list.tasks);
  const lines = [
    `- [ ] ${id} [FIX ${task.id}] Mend what made ${task.id} fail: ${brief(error, 120)}`,
    "  - **Do**:",
    `    1. Find the cause of: ${brief(error, 400)}`,
    "    2. Remove the cause, not the symptom",
    `  - **Files**: ${brief(taskField(task, "Files") ?? `the files of ${task.id}`, 400)}`,
    `  - **Done when**: ${task.id} can be verified`,
    `  - **Verify**: ${brief(taskField(task, "Verify") ?? "the project's own checks", 400)}`,
    `  - **Commit**: \`fix(${shownName(spec)}): mend ${task.id}\``,
  ];
  return {
    message: `Task ${task.id} failed; ${id} was added before it`,
    text: withBlock(text, task, "before", lines),
    inserted: [id],
    state: {
      fixTaskMap: {
        ...map,
        [task.id]: {
          ...known,
          attempts: attempts + 1,
          fixTaskIds: [...earlier, id],
          lastError: error,
        },
      },
    },
    section: "Learnings",
    line,
    notes: [],
  };
}
