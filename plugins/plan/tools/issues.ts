/**
 * Problems of a plan by kind: equal ones are one line with a count and some ids.
 *
 * @module
 */

import { z } from "zod";

/** A call that corrects a problem, as a schema. */
const issueFix = z.object({
  tool: z.string(),
  arguments: z.record(z.string(), z.string()),
});

/** A problem as the plugin reports it, as a schema. */
export const issue = z.object({
  /** Its kind, as `broken-ref`. */
  type: z.string(),
  /** `error`, `warning` or `info`; warnings of the status have none. */
  severity: z.string().optional(),
  /** The entity that has it. */
  source: z.string(),
  file: z.string().optional(),
  /** What it leads to. */
  target: z.string().optional(),
  message: z.string(),
  /** The branch or worktree that it is about. */
  branch: z.string().optional(),
  fix: issueFix.optional(),
});

/** A problem as the plugin reports it. */
export type Issue = z.infer<typeof issue>;

/** All problems of one kind, as a schema. */
export const issueGroup = {
  type: z.string(),
  severity: z.string().optional(),
  count: z.int(),
  message: z.string(),
  /** Of the first. */
  file: z.string().optional(),
  ids: z.array(z.string()),
  branch: z.string().optional(),
  fix: issueFix.optional(),
};

/** All problems of one kind. */
export type IssueGroup = z.infer<z.ZodObject<typeof issueGroup>>;

/** So many different sentences of one kind are all said. */
const SENTENCES = 3;

/**
 * Groups problems by kind and severity, in the order in which they come up.
 *
 * @param most How many ids a group names.
 */
export function groupIssues(issues: readonly Issue[], most: number): IssueGroup[] {
  // Each correction is a call of its own.
  const kinds = Map.groupBy(
    issues,
    ({ type, severity, fix, source }) => `${severity ?? ""}:${type}:${fix && source}`,
  );
  return [...kinds.values()].map((alike): IssueGroup => {
    const { type, severity, file, branch, fix } = alike[0]!;
    return {
      type,
      ...(severity === undefined ? {} : { severity }),
      count: alike.length,
      message: sentenceOf(alike),
      ...(file === undefined ? {} : { file }),
      ids: [...new Set(alike.map(({ source }) => source))].slice(0, most),
      ...(branch === undefined ? {} : { branch }),
      ...(fix === undefined ? {} : { fix }),
    };
  });
}

/** One sentence for problems of one kind: what differs between them stays open. */
function sentenceOf(issues: readonly Issue[]): string {
  if (issues.length === 1) return issues[0]!.message;
  const sentences = Map.groupBy(issues, openSentence);
  if (sentences.size === 1) return [...sentences.keys()][0]!;
  if (sentences.size > SENTENCES) return `For example: ${issues[0]!.message}`;
  return [...sentences].map(([sentence, alike]) => `${sentence} (${alike.length})`).join("; ");
}

function openSentence({ message, source, target }: Issue): string {
  const sentence = target === undefined ? message : message.replaceAll(target, "{target}");
  return sentence.replaceAll(source, "{id}");
}
