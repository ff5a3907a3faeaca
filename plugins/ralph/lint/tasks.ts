/**
 * Lints the tasks of a plan.
 *
 * @module
 */

import { filesOf, isVerification, type Task, taskField, type TaskList } from "../tasks.ts";
import type { Finding } from "./finding.ts";

/** A task with more steps or files is too large. */
const MAX_STEPS = 10;
const MAX_FILES = 6;

const MANUAL =
  /\bmanual(?:ly)?\b|\bby hand\b|\bvisual(?:ly)? (?:check|inspect|verif)|\beyeball|\bask the user to (?:check|verify|test)\b|\blooks (?:right|good|ok)\b/i;

/** Lints the tasks. */
export function lintTasks(file: string, list: TaskList): Finding[] {
  const findings: Finding[] = [];
  const found = (
    line: number,
    severity: Finding["severity"],
    rule: string,
    message: string,
  ) => findings.push({ file, line, severity, rule, message });
  if (list.tasks.length === 0) {
    const syntax = "a task is a line such as: - [ ] 1.1 Title";
    found(0, "error", "no-tasks", `no task is recognised; ${syntax}`);
  }
  for (const warning of list.warnings) found(0, "error", "structure", warning);
  for (const task of list.tasks) {
    for (const [severity, rule, message] of problemsOf(task)) {
      found(task.line + 1, severity, rule, `${task.id} ${message}`);
    }
  }
  return findings;
}

function problemsOf(task: Task): [Finding["severity"], string, string][] {
  const problems: [Finding["severity"], string, string][] = [];
  if (task.title === "") problems.push(["error", "no-title", "has no title"]);
  const verify = taskField(task, "Verify") ?? "";
  if (!isVerification(task)) {
    if (verify === "" || /^none\b/i.test(verify)) {
      problems.push(["error", "no-verify", "has no Verify"]);
    }
    for (const field of ["Do", "Files", "Done when"]) {
      if (taskField(task, field) !== null) continue;
      const rule = `no-${field.toLowerCase().replace(" ", "-")}`;
      problems.push(["warning", rule, `has no ${field}`]);
    }
  }
  const wording = MANUAL.exec(`${task.title}\n${verify}`)?.[0];
  if (wording !== undefined) {
    problems.push(["error", "manual-verification", `requires manual work ("${wording}")`]);
  }
  const steps = taskField(task, "Do")?.match(/^\d+\.\s/gm)?.length ?? 0;
  if (steps > MAX_STEPS) {
    problems.push(["warning", "too-large", `has ${steps} steps; split it`]);
  }
  const files = filesOf(task).length;
  if (files > MAX_FILES) {
    problems.push(["warning", "too-large", `names ${files} files; split it`]);
  }
  return problems;
}
