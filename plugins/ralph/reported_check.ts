/**
 * The check that a caller reports for a task. The server runs nothing: it compares the report with
 * the task, and records what is claimed.
 */

import * as z from "zod";
import { quotedName } from "../../src/plain_text.ts";
import { brief, invalid } from "./failures.ts";
import { type Task, taskField } from "./tasks.ts";

const EXPECTED = z.enum(["pass", "fail"]);

/** What a caller reports for a task. */
export const REPORT = z.object({
  outcome: z.enum(["done", "failed", "split", "blocked"])
    .describe("failed adds a fix task, split replaces it, blocked waits for the user"),
  command: z.string().optional().describe("The check that was run; for done"),
  exit_code: z.int().optional().describe("Its exit code; for done"),
  expected: EXPECTED.optional().describe("fail if the test must fail"),
  evidence: z.string().optional().describe("What was seen; for blocked, the question"),
  tasks: z.string().max(32_768).optional().describe("For split: tasks as in tasks.md"),
});

export type TaskReport = z.output<typeof REPORT>;

/** What a caller reports for one of several tasks that are done. */
export const DONE = z.strictObject({
  task: z.string(),
  command: z.string(),
  exit_code: z.int(),
  expected: EXPECTED.optional(),
  evidence: z.string().optional(),
});

/** A check as reported; `as_planned`: the command of Verify, with the outcome that the task plans. */
export const REPORTED = z.object({
  command: z.string(),
  exit_code: z.int(),
  as_planned: z.boolean(),
  evidence: z.string(),
});

export type ReportedCheck = z.output<typeof REPORTED>;

/**
 * Returns the check that a report of a finished task claims.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` if it names no check or a failed one, or another check
 * than the task's without evidence.
 */
export function reportedCheck(task: Task, report: TaskReport): ReportedCheck {
  const { exit_code: code, expected = "pass" } = report;
  const command = plainCommand(report.command ?? "");
  const evidence = brief(report.evidence ?? "");
  const verify = taskField(task, "Verify");
  const plan = verify === null ? "the task has no Verify" : `Verify is: ${quotedName(verify)}`;
  const fail = (problem: string, hint: string) =>
    invalid(`Task ${task.id} is not done: ${problem}`, `${hint} (${plan})`, { verify });
  if (command === "" || code === undefined) {
    throw fail(
      '"done" needs command and exit_code of the check',
      'Run the check and call ralph_task_result with both; or report outcome "failed" or "blocked"',
    );
  }
  const ran = quotedName(command);
  const isRed = task.tags.includes("RED");
  if ((code !== 0) !== (expected === "fail")) {
    const wanted = expected === "fail" ? "any but 0" : "0";
    const red = isRed && code !== 0
      ? '; or pass expected: "fail" if it has to fail, as [RED] says'
      : "";
    throw fail(
      `${ran} ended with exit code ${code}, expected ${wanted}`,
      `Fix the cause, run it again and call ralph_task_result; or report outcome "failed"${red}`,
    );
  }
  const isVerify = verify !== null && commandOf(verify) === command;
  const isPlanned = isVerify && isRed === (code !== 0);
  if (!isPlanned && evidence === "") {
    const what = isVerify
      ? `a task ${isRed ? "with" : "without"} the tag [RED] does not end with exit code ${code}`
      : `${ran} is not the command of Verify`;
    throw fail(
      `${what}, and there is no evidence`,
      "Run the command of Verify and report that; or call ralph_task_result with evidence: what " +
        "this check has shown, and why it is enough",
    );
  }
  return { command: command.slice(0, 200), exit_code: code, as_planned: isPlanned, evidence };
}

/** The check as a line of the progress file. */
export function checkLine(task: Task, { command, exit_code, as_planned, evidence }: ReportedCheck) {
  const verify = taskField(task, "Verify");
  const instead = as_planned
    ? ""
    : ` in place of ${verify === null ? "a Verify" : quotedName(verify)}`;
  const seen = evidence === "" ? "" : `: ${evidence}`;
  return `reported ${quotedName(command)} (exit code ${exit_code})${instead}${seen}`;
}

/** The command of Verify: what is in backticks, several joined, or the whole field. */
function commandOf(verify: string): string {
  const text = verify.replace(/\s*\n\s*/g, " ");
  const quoted = [...text.matchAll(/`([^`]+)`/g)].map((match) => plainCommand(match[1]!));
  return quoted.length > 0 ? quoted.join(" && ") : plainCommand(text);
}

/** A command without repeated spaces and backticks around it. A line end begins another command. */
function plainCommand(command: string): string {
  return command.replace(/[ \t]+/g, " ").trim().replace(/^(`+)(.*)\1$/, "$2").trim();
}
