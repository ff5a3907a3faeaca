/** Arguments and fields of answers that several plan tools share. */

import * as z from "zod";
import { issueFix } from "../store/problems.ts";
import { typesIn, type Vocabulary } from "../upstream/vocabulary.ts";

export const namedEntity = {
  id: z.string(),
  title: z.string().optional(),
  status: z.string().optional(),
};

export const readyItem = {
  ...namedEntity,
  type: z.string(),
  priority: z.string(),
  complexity: z.string(),
};

/** An item that is offered, with its other attributes and the titles of its references. */
export const offeredItem = z.object({
  ...readyItem,
  criteria: z.array(z.object({ text: z.string(), checked: z.boolean().optional() })).optional(),
  attributes: z.record(z.string(), z.string()).optional(),
  references: z.array(z.object(namedEntity)).optional(),
  path: z.string().optional(),
  uri: z.string().optional(),
});

/** A text whose schema lists values without rejecting others. */
export const listedText = (values?: readonly string[]) =>
  values === undefined ? z.string() : z.string().meta({ enum: values });

/** An argument that lists leave out to save space: another text says when to pass it. */
export const unlisted = <Type extends z.ZodType>(type: Type) =>
  type.optional().meta({ unlisted: true });

export const oneOrMore = (values?: readonly string[]) => {
  const text = listedText(values);
  return z.union([text, z.array(text).min(1)], { error: "must be a string or a list of strings" })
    .optional();
};

export const criteriaArgument = () =>
  z.union([z.string(), z.int(), z.array(z.union([z.string(), z.int()]))], {
    error: "must be a string, a number or a list of them",
  }).optional();

export const detailArgument = () => z.enum(["short", "full"]).optional().describe("Default: short");

export const namedEntities = () => z.array(z.object(namedEntity)).optional();

/** A sentence on the branches, worktrees and claims that could not be read. */
export const uncheckedPlaces = () => z.string().optional();

/** The arguments by which `plan_list` chooses entities. */
export const listFilters = (vocabulary: Vocabulary) => ({
  type: oneOrMore(typesIn(vocabulary)).describe("Filter"),
  status: oneOrMore().describe("Filter"),
  open: z.boolean().optional().describe("Not finished"),
  milestone: oneOrMore().describe('"none": without'),
  tag: oneOrMore().describe("Filter"),
  assignee: oneOrMore().describe("Filter"),
  priority: oneOrMore(vocabulary.values["priority"]).describe("Filter"),
  text: z.string().optional().describe('All words, or "a phrase"'),
  claimed: z.boolean().optional().describe("Filter: only what somebody has, with whom"),
  blocks: z.boolean().optional().describe("What others wait for, first what most do"),
});

/** Fields of an answer about mentions that count as dependencies, with the call that ends that. */
export const mentionFields = {
  withheldBy: z.array(z.string()).optional(),
  fix: issueFix.optional(),
};
