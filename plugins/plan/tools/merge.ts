/** `plan.merge`: merges the entities that a merge or rebase has left in conflict. */

import { join } from "node:path";
import * as z from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { isNotFound, shownPath } from "../../../src/io/paths.ts";
import { readForChange, replaceFile } from "../../../src/io/shared_files.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import { read } from "../entity/document.ts";
import { checkAttributes } from "../entity/values.ts";
import { type Operation, readOperation, readUnmerged, type UnmergedFile } from "../git/stages.ts";
import type { PlanPlugin } from "../queries/ask_plugin.ts";
import { existingPlan, withPlanLock } from "../store/place.ts";
import { checkVocabulary } from "../upstream/vocabulary.ts";
import { lineEndsOf } from "../entity/document.ts";
import { type Decisions, mergeEntity } from "../write/merge/merge_entity.ts";
import { dirArgument, WRITES } from "./fields.ts";
import { planTool } from "./plan_tool.ts";

/** How much of each side an open disagreement shows, in characters. */
const MAX_SHOWN = 600;

const Input = z.strictObject({
  id: z.string().optional().describe("Or a file of the plan"),
  all: z.boolean().optional(),
  take: z.record(z.string(), z.string()).optional().describe(
    "Values of attributes; ours, theirs or both for criteria, sections, rest",
  ),
  dir: dirArgument(),
});

const named = { id: z.string(), path: z.string() };

const Output = z.object({
  ours: z.string(),
  theirs: z.string(),
  merged: z.array(z.object(named)),
  open: z.array(z.object({
    ...named,
    reason: z.string().optional(),
    disagreements: z.array(z.object({
      kind: z.string(),
      name: z.string(),
      base: z.string(),
      ours: z.string(),
      theirs: z.string(),
    })).optional(),
  })).optional(),
  note: z.string(),
});

type Answer = z.infer<typeof Output>;

export function mergeTool(plugin: PlanPlugin): Tool {
  return planTool(plugin, {
    name: "plan.merge",
    title: "Merge entities in conflict",
    description: "Merges entities with conflict markers of a running merge or rebase by meaning, " +
      "and asks for what is left. git add stays yours.",
    annotations: WRITES,
    input: Input,
    output: Output,
    run: async (input, context): Promise<Answer> => {
      const dir = existingPlan(context, input.dir);
      if ((input.id === undefined) !== (input.all === true)) {
        throw new RefraktError("INVALID_ARGS", 'Pass either "id" or "all"', {
          hint: "plan.validate lists the files with conflict markers.",
        });
      }
      const decisions = decisionsOf(input.take ?? {});
      const place = { cwd: dir, signal: context.signal };
      const [unmerged, operation] = await Promise.all([readUnmerged(place), readOperation(place)]);
      const wanted = unmerged.filter((file) =>
        file.path.endsWith(".md") && (input.all === true || isNamed(file, input.id!))
      );
      if (wanted.length === 0) throw nothingToMerge(input.id, unmerged.length);
      const { cwd } = context.project;
      return await withPlanLock(dir, context.signal, () => {
        const answer: Merged = { merged: [], open: [], done: 0 };
        for (const { ours = "" } of wanted) {
          const type = read(ours).entity?.type;
          if (type !== undefined) {
            checkVocabulary(type, decisions.attributes ?? {}, plugin.vocabulary);
          }
        }
        for (const file of wanted) mergeFile({ cwd, dir, decisions, operation }, file, answer);
        const { merged, open, done } = answer;
        const add = shownPath(cwd, dir) || ".";
        return {
          ours: operation.ours,
          theirs: operation.theirs,
          merged,
          ...(open.length === 0 ? {} : { open }),
          note: [
            ...(done > 0 ? [`${done} merged before`] : []),
            open.length > 0
              ? "Some are open: take settles disagreements, and a reason says what else to do"
              : `When everything is right, run git add ${add} and continue the ${operation.name}`,
          ].join(". "),
        };
      });
    },
  });
}

interface Merging {
  readonly cwd: string;
  readonly dir: string;
  readonly decisions: Decisions;
  readonly operation: Operation;
}

interface Merged {
  readonly merged: Answer["merged"];
  readonly open: NonNullable<Answer["open"]>;
  /** How many files had been merged before. */
  done: number;
}

/** Merges one file, and notes what became of it. */
function mergeFile(
  { cwd, dir, decisions, operation }: Merging,
  file: UnmergedFile,
  answer: Merged,
): void {
  const path = join(dir, file.path);
  const row = { id: idOf(file), path: shownPath(cwd, path) };
  const { base = "", ours, theirs } = file;
  if (ours === undefined || theirs === undefined) {
    const reason = `${ours === undefined ? operation.ours : operation.theirs} has deleted the file`;
    answer.open.push({ ...row, reason: `${reason}: keep it with git add, or run git rm` });
    return;
  }
  let seen;
  try {
    seen = readForChange(cwd, path);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    answer.open.push({ ...row, reason: "The file does not exist: run git checkout --merge first" });
    return;
  }
  if (read(seen.text).conflict === undefined) {
    answer.done++;
    return;
  }
  if (isEdited(seen.text, [base, ours, theirs])) {
    answer.open.push({ ...row, reason: "It was changed by hand since: finish it by hand" });
    return;
  }
  const { source, disagreements } = mergeEntity({ base, ours, theirs }, decisions);
  if (disagreements.length > 0) {
    const cut = (text: string) => text.slice(0, MAX_SHOWN).toWellFormed();
    answer.open.push({
      ...row,
      disagreements: disagreements.map(({ kind, name, base, ours, theirs }) => ({
        kind,
        name,
        base: cut(base),
        ours: cut(ours),
        theirs: cut(theirs),
      })),
    });
    return;
  }
  const replaced = replaceFile(seen, lineEndsOf(seen.text)(source));
  if (replaced.kind === "written") answer.merged.push(row);
  else answer.open.push({ ...row, reason: "It changed meanwhile: call again" });
}

/** Whether a file has lines that neither git nor a version of it has written. */
function isEdited(text: string, versions: readonly string[]): boolean {
  const known = new Set(versions.flatMap((version) => read(version).text.split("\n")));
  return read(text).text.split("\n").some((line) =>
    !known.has(line) && !/^(?:<{7}|\|{7}|={7}|>{7})(?: |$)/.test(line)
  );
}

const CHOICES = ["ours", "theirs", "both"] as const;

function decisionsOf(take: Readonly<Record<string, string>>): Decisions {
  const attributes: Record<string, string> = {};
  const choices: Partial<Record<"criteria" | "sections" | "rest", typeof CHOICES[number]>> = {};
  for (const [name, value] of Object.entries(take)) {
    if (name !== "criteria" && name !== "sections" && name !== "rest") {
      attributes[name] = value;
      continue;
    }
    const choice = CHOICES.find((one) => one === value);
    if (choice === undefined) {
      throw new RefraktError("INVALID_ARGS", `"take": ${name} cannot be ${JSON.stringify(value)}`, {
        hint: "It is ours, theirs or both.",
      });
    }
    choices[name] = choice;
  }
  checkAttributes(attributes);
  return { attributes, ...choices };
}

function idOf({ path, ours = "", theirs = "" }: UnmergedFile): string {
  return read(ours).entity?.id ?? read(theirs).entity?.id ?? path;
}

function isNamed(file: UnmergedFile, id: string): boolean {
  const wanted = id.toLowerCase();
  const ids = [file.ours, file.theirs].map((text) => text && read(text).entity?.id?.toLowerCase());
  return ids.includes(wanted) || file.path.toLowerCase() === wanted ||
    wanted.endsWith(`/${file.path.toLowerCase()}`);
}

function nothingToMerge(id: string | undefined, others: number): RefraktError {
  const what = id === undefined ? "No file of the plan is" : `${id.slice(0, 80)} is not`;
  return new RefraktError("NOT_FOUND", `${what} in conflict in git's index`, {
    hint: others > 0
      ? 'Pass "all", or an id that plan.validate lists with conflict-markers.'
      : "Nothing to merge: run git merge or git rebase first. Markers without it are resolved by " +
        "hand.",
  });
}
