/**
 * What is wrong with the tasks of a plan.
 *
 * @module
 */

import { filesOf, isVerification, type Task, taskField, type TaskList } from "../tasks.ts";
import type { Finding } from "./finding.ts";

/** Steps and files that are too many for one task, whatever the granularity. */
const MAX_STEPS = 10;
const MAX_FILES = 6;

const MANUAL =
  /\bmanual(?:ly)?\b|\bby hand\b|\bvisual(?:ly)? (?:check|inspect|verif)|\beyeball|\bask the user to (?:check|verify|test)\b|\blooks (?:right|good|ok)\b/i;

/** Whether a task has a Verify field with something in it. */
export function hasVerify(task: Task): boolean {
  const verify = taskField(task, "Verify");
  return verify !== null && verify !== "" && !/^none\b/i.test(verify);
}

/** Checks the tasks. */
export function lintTasks(file: string, list: TaskList): Finding[] {
  const findings: Finding[] = [];
  const say = (task: Task, severity: Finding["severity"], rule: string, message: string) =>
    findings.push({ file, line: task.line + 1, severity, rule, message: `${task.id} ${message}` });
  if (list.tasks.length === 0) {
    findings.push({
      file,
      line: 0,
      severity: "error",
      rule: "no-tasks",
      message: "no task is recognised; a task is a line such as: - [ ] 1.1 Title",
    });
  }
  for (const warning of list.warnings) {
    findings.push({ file, line: 0, severity: "error", rule: "structure", message: warning });
  }
  for (const task of list.tasks) {
    if (task.title === "") say(task, "error", "no-title", "has no title");
    if (!hasVerify(task) && !isVerification(task)) {
      say(task, "error", "no-verify", "has no Verify");
    }
    if (!isVerification(task)) {
      if (taskField(task, "Do") === null) say(task, "warning", "no-do", "has no Do");
      if (taskField(task, "Files") === null) say(task, "warning", "no-files", "has no Files");
      if (taskField(task, "Done when") === null) {
        say(task, "warning", "no-done-when", "has no Done when");
      }
    }
    const wording = MANUAL.exec(`${task.title}\n${taskField(task, "Verify") ?? ""}`)?.[0];
    if (wording !== undefined) {
      say(task, "error", "manual-verification", `wants manual work ("${wording}")`);
    }
    const steps = (taskField(task, "Do") ?? "").split("\n")
      .filter((line) => /^\d+\.\s/.test(line)).length;
    if (steps > MAX_STEPS) say(task, "warning", "too-large", `has ${steps} steps; split it`);
    const files = filesOf(task).length;
    if (files > MAX_FILES) say(task, "warning", "too-large", `names ${files} files; split it`);
  }
  return findings;
}
