/** Adds a task that fixes a failed one. */

import { brief, invalid } from "./failures.ts";
import { shownName } from "./names.ts";
import {
  blockedBy,
  type Change,
  type Report,
  storedFor,
  storeFor,
  summaryOf,
  type TaskPlace,
} from "./reports.ts";
import { asCounter } from "./state.ts";
import { fixDepth, fixNumber, withBlock } from "./task_edit.ts";
import { taskField } from "./tasks.ts";

/** How many fix tasks a task gets, and how deep fixes of fixes go. */
const MAX_FIXES = 3;
const MAX_DEPTH = 3;

/** A fix task before the failed one, or after too many of them a question to the user. */
export function addFixTask(place: TaskPlace, report: Report): Change {
  const { spec, state, list, task, text } = place;
  const error = summaryOf(report);
  if (error === "") {
    throw invalid(
      `Task ${task.id}: "failed" needs to say what failed`,
      "Call ralph_task_result with command and exit_code, or with evidence.",
    );
  }
  const { attempts, fixTaskIds } = storedFor(state, "fixTaskMap", task);
  const fixes = asCounter(attempts) ?? 0;
  const maxFixes = asCounter(state.raw["maxFixTasksPerOriginal"]) ?? MAX_FIXES;
  const maxDepth = asCounter(state.raw["maxFixTaskDepth"]) ?? MAX_DEPTH;
  const line = `- ${task.id} failed: ${error}`;
  if (fixes >= maxFixes || fixDepth(task) >= maxDepth) {
    return {
      message: `Task ${task.id} failed again, and gets no further fix task`,
      text,
      inserted: [],
      state: {
        ...storeFor(state, "fixTaskMap", task, { lastError: error }),
        ...blockedBy(task, `it failed after ${fixes} fix tasks: ${brief(error, 150)}`),
      },
      section: "Blockers",
      line,
      warnings: [`A task gets at most ${maxFixes} fix tasks, nested at most ${maxDepth} deep.`],
    };
  }
  const id = fixNumber(task, list.tasks);
  const field = (name: string, otherwise: string) => brief(taskField(task, name) ?? otherwise, 400);
  return {
    message: `Task ${task.id} failed; ${id} was added before it`,
    text: withBlock(text, task, "before", [
      `- [ ] ${id} [FIX ${task.id}] Fix the failure of ${task.id}: ${brief(error, 120)}`,
      "  - **Do**:",
      `    1. Find the cause of: ${brief(error, 400)}`,
      "    2. Remove the cause, not the symptom",
      `  - **Files**: ${field("Files", `the files of ${task.id}`)}`,
      `  - **Done when**: the check of ${task.id} passes`,
      `  - **Verify**: ${field("Verify", "the project's own checks")}`,
      `  - **Commit**: \`fix(${shownName(spec)}): fix ${task.id}\``,
    ]),
    inserted: [id],
    state: storeFor(state, "fixTaskMap", task, {
      attempts: fixes + 1,
      fixTaskIds: [...(Array.isArray(fixTaskIds) ? fixTaskIds : []), id],
      lastError: error,
    }),
    section: "Learnings",
    line,
  };
}
