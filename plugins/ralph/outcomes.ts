/**
 * What the outcome of a task changes in the plan, the progress file and the state.
 *
 * @module
 */

import { brief, invalid } from "./failures.ts";
import { fail } from "./fix_task.ts";
import { blockedBy, type Change, type Report, type TaskPlace, whatShows } from "./reports.ts";
import { split } from "./split_task.ts";
import { ticked } from "./task_edit.ts";
import { type Task, taskField } from "./tasks.ts";

/**
 * Works out what a report changes; nothing is written.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` for a check that failed or was not run, and for a
 * bad split.
 */
export function changeFor(place: TaskPlace, report: Report): Change {
  switch (report.outcome) {
    case "done":
      return finish(place, report);
    case "failed":
      return fail(place, report);
    case "split":
      return split(place, report);
    case "blocked":
      return block(place, report);
  }
}

/**
 * Checks the data of a report that a task is done.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` where no check was run, or it ended otherwise than it
 * had to.
 */
export function requirePassed(task: Task, report: Report): void {
  const { command, exit_code: code } = report;
  const verify = taskField(task, "Verify");
  const named = verify === null ? "" : ` Verify names: ${brief(verify)}.`;
  if (command === undefined || command.trim() === "" || code === undefined) {
    throw invalid(
      `Task ${task.id} is not done: "done" needs command and exit_code of the check`,
      `Run the check and call ralph_task_result with command and exit_code; or report outcome "failed" or "blocked".${named}`,
      { verify },
    );
  }
  const expected = report.expected ?? "pass";
  const passed = expected === "fail" ? code !== 0 : code === (expected === "pass" ? 0 : expected);
  if (passed) return;
  const wanted = expected === "fail" ? "any but 0" : expected === "pass" ? "0" : String(expected);
  throw invalid(
    `Task ${task.id} is not done: ${
      brief(command, 120)
    } ended with exit code ${code}, expected ${wanted}`,
    `Mend the cause, run it again and call ralph_task_result; or report outcome "failed".${
      expected === "pass" && task.tags.includes("RED")
        ? ' It is tagged [RED]: if it has to fail, say expected: "fail".'
        : ""
    }`,
    { verify },
  );
}

function finish({ task, text }: TaskPlace, report: Report): Change {
  requirePassed(task, report);
  const verify = taskField(task, "Verify");
  const notes: string[] = [];
  if (verify !== null && !isSameCheck(verify, report.command!)) {
    notes.push(
      `Verify of task ${task.id} names another command (${
        brief(verify, 200)
      }). If it was not run, run it now, and untick the box if it fails.`,
    );
  }
  if (report.exit_code !== 0 && !task.tags.includes("RED")) {
    notes.push(
      `Task ${task.id} is not tagged [RED], and its check failed. If it did not have to, untick the box.`,
    );
  }
  return {
    message: `Task ${task.id} is done`,
    text: ticked(text, task),
    inserted: [],
    state: {},
    section: "Completed",
    line: `- [x] ${task.id} ${task.title}: ${whatShows(report)}`,
    notes,
  };
}

/** Whether the command that ran holds what Verify names, whatever is before and behind it. */
function isSameCheck(verify: string, command: string): boolean {
  const plain = (text: string) => text.replace(/\s+/g, " ").trim();
  const quoted = [...verify.matchAll(/`([^`]+)`/g)].map((match) => plain(match[1]!));
  const wanted = quoted.length > 0 ? quoted : [plain(verify)];
  const ran = plain(command);
  return wanted.some((one) => ran.includes(one));
}

function block({ task, text }: TaskPlace, report: Report): Change {
  const reason = whatShows(report);
  if (reason === "") {
    throw invalid(
      `Task ${task.id}: "blocked" needs to say what has to be decided`,
      "Call ralph_task_result with the question for the user as evidence.",
    );
  }
  return {
    message: `Task ${task.id} waits for the user`,
    text,
    inserted: [],
    state: blockedBy(task, reason),
    section: "Blockers",
    line: `- ${task.id} ${task.title}: ${reason}`,
    notes: [],
  };
}
