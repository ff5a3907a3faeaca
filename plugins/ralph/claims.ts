/**
 * Whether what is said about a finished task contradicts itself.
 *
 * @module
 */

import { manualWording } from "./lint/tasks.ts";
import type { Task } from "./tasks.ts";

const NOT_RUN =
  /\b(?:not|never|cannot|can['’]?t|could ?n[o'’]t|couldn['’]?t|did ?n[o'’]t|didn['’]?t|unable to|without)\s+(?:\w+ ){0,2}?(?:run(?:ning)?|ran|execut(?:e|ed|ing)|verif(?:y|ied|ying)|test(?:ed|ing)?|check(?:ed|ing)?)\b/i;
const SKIPPED =
  /\bskipp(?:ed|ing) (?:the )?(?:verif|tests?\b|checks?\b)|\b(?:untested|unverified)\b|\bshould (?:work|pass)\b/i;
const FAILED =
  /\b[1-9]\d* (?:tests? )?(?:failed|failures?|failing|errors?)\b|\bexit(?:ed)?(?: (?:code|status|with))*:?\s*[1-9]\d*\b|\bVERIFICATION_FAIL\b/i;

/** What speaks against the claim that a task is done, or `null`. */
export function contradiction(task: Task, evidence: string): string | null {
  const text = evidence.replace(
    /\b(?:no|not|non|without)[- ](?:any )?manual\w*(?: (?:steps?|work|checks?|testing))?/gi,
    "",
  );
  const manual = manualWording(text);
  if (manual !== null) return `the evidence speaks of manual work ("${manual}")`;
  const missed = NOT_RUN.exec(text)?.[0] ?? SKIPPED.exec(text)?.[0];
  if (missed !== undefined) return `the evidence says that it was not verified ("${missed}")`;
  // A test that must fail first is done when it fails.
  const failed = task.tags.includes("RED") ? undefined : FAILED.exec(text)?.[0];
  return failed === undefined ? null : `the evidence reports a failure ("${failed}")`;
}
