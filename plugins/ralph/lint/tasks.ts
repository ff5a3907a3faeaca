/** Lints the tasks of a plan. */

import { filesOf, isVerification, type Task, taskField, type TaskList } from "../tasks.ts";
import { errorAt, type Found, warningAt } from "./finding.ts";

/** A task with more steps or files is too large. */
const MAX_STEPS = 10;
const MAX_FILES = 6;

const MANUAL =
  /\bmanual(?:ly)?\b|\bby hand\b|\bvisual(?:ly)? (?:check|inspect|verif)|\beyeball|\bask the user to (?:check|verify|test)\b|\blooks (?:right|good|ok)\b/i;

export function lintTasks(list: TaskList): Found[] {
  const syntax = "no task is recognised; a task is a line such as: - [ ] 1.1 Title";
  return [
    ...(list.tasks.length === 0 ? [errorAt(0, "no-tasks", syntax)] : []),
    ...list.warnings.map((warning) => errorAt(0, "structure", warning)),
    ...list.tasks.flatMap((task) => lintTask(task)),
  ];
}

function lintTask(task: Task): Found[] {
  const findings: Found[] = [];
  const error = (rule: string, message: string) =>
    findings.push(errorAt(task.line + 1, rule, `${task.id} ${message}`));
  const warn = (rule: string, message: string) =>
    findings.push(warningAt(task.line + 1, rule, `${task.id} ${message}`));
  if (task.title === "") error("no-title", "has no title");
  const verify = taskField(task, "Verify") ?? "";
  if (!isVerification(task)) {
    if (verify === "" || /^none\b/i.test(verify)) error("no-verify", "has no Verify");
    if (taskField(task, "Do") === null) warn("no-do", "has no Do");
    if (taskField(task, "Files") === null) warn("no-files", "has no Files");
    if (taskField(task, "Done when") === null) warn("no-done-when", "has no Done when");
  }
  const manual = MANUAL.exec(`${task.title}\n${verify}`)?.[0];
  if (manual !== undefined) error("manual-verification", `requires manual work ("${manual}")`);
  const steps = taskField(task, "Do")?.match(/^\d+\.\s/gm)?.length ?? 0;
  if (steps > MAX_STEPS) warn("too-large", `has ${steps} steps; split it`);
  const files = filesOf(task).length;
  if (files > MAX_FILES) warn("too-large", `names ${files} files; split it`);
  return findings;
}
