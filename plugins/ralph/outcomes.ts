/** The changes that each outcome of a task makes to the plan, the progress file and the state. */

import { brief, invalid } from "./failures.ts";
import { addFixTask } from "./fix_task.ts";
import { blockedBy, type Change, type Report, summaryOf, type TaskPlace } from "./reports.ts";
import { splitTask } from "./split_task.ts";
import { ticked } from "./task_edit.ts";
import { type Task, taskField } from "./tasks.ts";

export const OUTCOMES: Readonly<
  Record<Report["outcome"], (place: TaskPlace, report: Report) => Change>
> = {
  done: finishTask,
  failed: addFixTask,
  split: splitTask,
  blocked: blockTask,
};

/**
 * Checks the report that a task is done.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` if no check was run, or if it failed.
 */
export function requirePassed(task: Task, report: Report): void {
  const { command, exit_code: code, expected = "pass" } = report;
  const verify = taskField(task, "Verify");
  if (!command?.trim() || code === undefined) {
    const named = verify === null ? "" : ` Verify names: ${brief(verify)}.`;
    throw invalid(
      `Task ${task.id} is not done: "done" needs command and exit_code of the check`,
      `Run the check and call ralph_task_result with command and exit_code; or report outcome "failed" or "blocked".${named}`,
      { verify },
    );
  }
  const passed = expected === "fail" ? code !== 0 : code === (expected === "pass" ? 0 : expected);
  if (passed) return;
  const wanted = expected === "fail" ? "any but 0" : expected === "pass" ? "0" : expected;
  const red = expected === "pass" && task.tags.includes("RED")
    ? ' It is tagged [RED]: if it has to fail, pass expected: "fail".'
    : "";
  throw invalid(
    `Task ${task.id} is not done: ${
      brief(command, 120)
    } ended with exit code ${code}, expected ${wanted}`,
    `Fix the cause, run it again and call ralph_task_result; or report outcome "failed".${red}`,
    { verify },
  );
}

function finishTask({ task, text }: TaskPlace, report: Report): Change {
  requirePassed(task, report);
  const verify = taskField(task, "Verify");
  const warnings: string[] = [];
  if (verify !== null && !isSameCheck(verify, report.command!)) {
    warnings.push(
      `Verify of task ${task.id} names another command (${
        brief(verify, 200)
      }). If you have not run it, run it now, and untick the box if it fails.`,
    );
  }
  if (report.exit_code !== 0 && !task.tags.includes("RED")) {
    warnings.push(
      `Task ${task.id} is not tagged [RED], and its check failed. If it should pass, untick the box.`,
    );
  }
  return {
    message: `Task ${task.id} is done`,
    text: ticked(text, task),
    inserted: [],
    section: "Completed",
    line: `- [x] ${task.id} ${task.title}: ${summaryOf(report)}`,
    warnings,
  };
}

/** Whether a command contains one of those that Verify names. */
function isSameCheck(verify: string, command: string): boolean {
  const plain = (text: string) => text.replace(/\s+/g, " ").trim();
  const quoted = [...verify.matchAll(/`([^`]+)`/g)].map((match) => plain(match[1]!));
  const wanted = quoted.length > 0 ? quoted : [plain(verify)];
  return wanted.some((one) => plain(command).includes(one));
}

function blockTask({ task, text }: TaskPlace, report: Report): Change {
  const reason = summaryOf(report);
  if (reason === "") {
    throw invalid(
      `Task ${task.id}: "blocked" needs the question for the user`,
      "Call ralph_task_result with the question as evidence.",
    );
  }
  return {
    message: `Task ${task.id} waits for the user`,
    text,
    inserted: [],
    state: blockedBy(task, reason),
    section: "Blockers",
    line: `- ${task.id} ${task.title}: ${reason}`,
  };
}
