/** Problems of a plan, and groups of them, in answers. */

import * as z from "zod";

/** A call that corrects a problem, as a schema. */
const issueFix = z.object({
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
});

/** Fields of an answer about mentions that count as dependencies, with the call that ends that. */
export const mentionFields = {
  withheldBy: z.array(z.string()).optional(),
  fix: issueFix.optional(),
};

/** What an issue and a group of them have in common. */
const about = {
  /** The kind, such as `broken-ref`. */
  type: z.string(),
  /** `error`, `warning` or `info`; the status reports warnings without it. */
  severity: z.string().optional(),
  message: z.string(),
  /** Of a single one. */
  file: z.string().optional(),
  /** The branch or worktree that it is about. */
  branch: z.string().optional(),
  fix: issueFix.optional(),
};

/** `source` is the entity with the problem, `target` the one that the problem refers to. */
export const issue = z.object({ ...about, source: z.string(), target: z.string().optional() });

export const issueGroup = { ...about, count: z.int(), ids: z.array(z.string()) };
