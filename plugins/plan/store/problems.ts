/**
 * Problems of a plan's files: duplicate ids, conflict markers, further entities, unreadable files;
 * and errors about the plan. The plugin throws plain errors with the exit code of its command line.
 */

import * as z from "zod";
import { quotedName, word } from "../../../src/plain_text.ts";
import { shortList } from "../../../src/plugin/counted.ts";
import { didYouMean, messageOf, RefraktError } from "../../../src/errors.ts";
import { fieldOf } from "../../../src/io/json.ts";
import { isNotFound } from "../../../src/io/paths.ts";
import type { ConflictMarkers } from "../entity/document.ts";
import type { Entity, PlanFile } from "../entity/entity.ts";
import type { PlanStore } from "./mod.ts";
import type { Plan, Unreadable } from "./plan.ts";
import { planMissing } from "./plan_folder.ts";

/** A call that corrects a problem. */
export const issueFix = z.object({
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
});

/** What a problem and a group of them have in common, in the plugin's own form. */
const about = {
  /** The kind, such as `broken-ref`. */
  type: z.string(),
  /** `error`, `warning` or `info`; the plugin's status reports warnings without it. */
  severity: z.string().optional(),
  message: z.string(),
  /** Of a single one. */
  file: z.string().optional(),
  /** The branch or worktree that it is about. */
  branch: z.string().optional(),
  fix: issueFix.optional(),
};

/**
 * `source` is the id of the entity with the problem, or its file without an id; `target` what the problem
 * refers to, such as another file with the same id.
 */
export const issue = z.object({ ...about, source: z.string(), target: z.string().optional() });

export type Issue = z.infer<typeof issue>;

export const issueGroup = z.object({ ...about, count: z.int(), ids: z.array(z.string()) });

/** Returns the problems in the order of the files. Parses every document. */
export function problemsOf(plan: Plan): Issue[] {
  const unreadable = plan.unreadable().map(({ file, reason }): Issue => ({
    type: "unreadable",
    severity: "error",
    source: file,
    file,
    message: unreadableSentence({ file, reason }),
  }));
  return [...plan.files.flatMap((file) => problemsIn(file, plan)), ...unreadable];
}

function problemsIn({ file, parsed }: PlanFile, plan: Plan): Issue[] {
  const { entity, conflict, further } = parsed;
  const id = entity?.id;
  const problems: Issue[] = [];
  const error = { severity: "error", source: id ?? file, file } as const;
  if (conflict !== undefined) {
    const { first, last } = conflict;
    const message = `${quotedName(file)} has conflict markers in line ${first} and line ${last}`;
    problems.push({ type: "conflict-markers", ...error, message });
  }
  const target = id === undefined ? undefined : plan.allOf(id)[0]?.file;
  if (target !== undefined && target !== file) {
    const message = `${word(id!)} duplicate ID — also defined in ${quotedName(target)}`;
    problems.push({ type: "duplicate-id", ...error, target, message });
  }
  // Both sides of a conflict may begin the same entity.
  for (const { id: hidden } of conflict === undefined ? further : []) {
    if (hidden === undefined) continue;
    const message = furtherSentence(hidden, file, id);
    problems.push({ type: "further-entity", severity: "warning", source: hidden, file, message });
  }
  return problems;
}

/** Explains why a further entity of a file is not read, and what to do about it. */
function furtherSentence(id: string, file: string, first: string | undefined): string {
  return `${word(id)} is not read, because ${quotedName(file)} has ${
    first === undefined ? "another entity" : word(first)
  } before it; move it to its own file`;
}

export function unreadableSentence({ file, reason }: Unreadable): string {
  return `${file === "" ? "The plan's folder" : quotedName(file)} cannot be read: ${reason}`;
}

/** How many files and folders are listed. */
const LISTED_UNREADABLE = 5;

/** Summarizes what the last scan could not read. */
export function unreadableIn(store: PlanStore): string | undefined {
  const unread = store.last().unreadable().map(unreadableSentence);
  return unread.length === 0 ? undefined : few(unread, LISTED_UNREADABLE);
}

export function markersError(id: string, file: string, { first, last }: ConflictMarkers) {
  const message = `${word(id)} has conflict markers in ${
    quotedName(file)
  }, lines ${first} and ${last}`;
  return new RefraktError("CONFLICT", message, {
    hint: "Resolve the merge in that file and call again.",
    data: { file, lines: [first, last] },
  });
}

/** Says which files share an id, or a milestone's name, and how to correct it. */
export function duplicateOf(id: string, same: readonly Pick<Entity, "file" | "type">[]) {
  const files = same.map(({ file }) => file);
  const isNamed = same.some(({ type }) => type === "milestone");
  return {
    files,
    message: `${files.length} files have the ${isNamed ? "name" : "id"} ${word(id)}: ` +
      files.map(quotedName).join(", "),
    // A milestone has no number.
    remedy: isNamed
      ? "change the name in the first line of one by hand, or remove its file"
      : 'plan_rename { kind: "id", from, file } gives one of them another id',
  };
}

export function duplicateError(id: string, same: readonly Pick<Entity, "file" | "type">[]) {
  const { files, message, remedy } = duplicateOf(id, same);
  return new RefraktError("CONFLICT", message, {
    hint: `Nothing was written: ${remedy}. Then call again.`,
    data: { files },
  });
}

/** Converts an error of a plugin's handler to a coded error. */
export function planFailure(command: string, error: unknown, store: PlanStore): unknown {
  if (error instanceof RefraktError) return error;
  if (typeof fieldOf(error, "exitCode") !== "number") {
    return isNotFound(error) ? planMissing(store.root, store.dir) : error;
  }
  const message = messageOf(error);
  // The plugin's wording for invalid values, the same from 0.25 to 0.29.
  const valid = /Valid(?: types)?: (.+)$/.exec(message)?.[1];
  const isInput = command === "create" || valid !== undefined;
  return new RefraktError(isInput ? "VALIDATION_ERROR" : "TOOL_FAILED", message, {
    hint: valid === undefined
      ? "Fix the arguments and call again; nothing was written."
      : `Use one of: ${valid}.`,
    cause: error,
  });
}

/** The hint for unknown ids: the nearest ids, and where to find all. */
export function unknownIdHint(store: PlanStore, ...ids: readonly string[]): string {
  const plan = store.last();
  const further = ids.flatMap((id) => {
    const source = plan.files.find(({ parsed }) => parsed.further.some((each) => each.id === id));
    return source === undefined ? [] : furtherSentence(id, source.file, source.parsed.entity?.id);
  });
  if (further.length > 0) return few(further);
  const valid = plan.entities.flatMap(({ hasId, id }) => hasId ? id : []);
  const unread = plan.unreadable().map(unreadableSentence);
  return [
    ...ids.slice(0, MOST_HINTS).map((id) => didYouMean(id, valid)),
    "plan_list lists all ids.",
    ...unread.length === 0 ? [] : [`Some of the plan could not be read: ${few(unread)}`],
  ].filter(Boolean).join(" ");
}

/** How many unknown ids are named, and for how many the nearest ones are. */
const [MOST_IDS, MOST_HINTS] = [20, 3];

/** Joins the first sentences, and counts the rest. */
export function few(sentences: readonly string[], most = 3): string {
  const rest = sentences.length - most;
  return sentences.slice(0, most).join("; ") + (rest > 0 ? `; and ${rest} more.` : ".");
}

export function unknownEntity(store: PlanStore, ...ids: readonly string[]): RefraktError {
  const noun = ids.length === 1 ? "Entity" : "Entities";
  const message = `${noun} not found: ${shortList(ids.map(quotedName), MOST_IDS)}`;
  return new RefraktError("NOT_FOUND", message, { hint: unknownIdHint(store, ...ids) });
}
