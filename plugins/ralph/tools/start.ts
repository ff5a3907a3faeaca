/** `ralph_start`: creates or resumes a spec. */

import { join } from "node:path";
import * as z from "zod";
import { orElse } from "../../../src/errors.ts";
import { makeFolder, makeFolders, removeFolder } from "../../../src/io/files.ts";
import type { WriteFolder } from "../../../src/io/write_folder.ts";
import { quoted, word } from "../../../src/plain_text.ts";
import type { CallContext } from "../../../src/plugin/context.ts";
import type { Tool } from "../../../src/plugin/tool.ts";
import { callOf, invalid, resumeCall } from "../failures.ts";
import { readFolder, specsFolder, withLock } from "../files.ts";
import { findFolder, POINTER, type SpecFolder, specPath, writePointer } from "../folders.ts";
import { ensureGitignore } from "../gitignore.ts";
import { isValidName, slugify, suggestName, withSuffix } from "../names.ts";
import { nextStep, type Step, toolStep } from "../next.ts";
import { PROGRESS_FILE, withGoal } from "../progress.ts";
import { save } from "../save.ts";
import { inferPhase, readSpec, type SoundSpec, withBackup } from "../spec.ts";
import { backupNotes, STATE_FILE } from "../state.ts";
import { type Answer, ralphTool } from "../tool.ts";

/** How long a goal may be, in characters. */
const MAX_GOAL = 16_384;

const StartInput = z.strictObject({
  goal: z.string().trim().min(1).max(MAX_GOAL).optional().describe("What to achieve"),
  name: z.string().min(1).optional().describe("Kebab-case; default: from the goal"),
  quick: z.boolean().optional().describe("Without approval and questions"),
  resume: z.boolean().optional().describe("An existing spec"),
  workflow: z.enum(["poc", "tdd", "bugfix"]).optional().describe("Order of tasks"),
  granularity: z.enum(["auto", "fine", "coarse"]).optional().describe("Size of tasks"),
});

type StartOptions = z.output<typeof StartInput>;

export const startTool: Tool = ralphTool({
  name: "start",
  title: "Start a spec",
  // It also is how a project begins to use Ralph.
  listed: { rank: 10 },
  description: "Creates or resumes a spec, and makes it the current one.",
  input: StartInput,
  output: { name: z.string(), phase: z.string(), quick: z.boolean() },
  instructs: true,
  run: async (input, context) => {
    const { cwd } = context.project;
    if (!input.resume) return await createSpec(input, context);
    return await withLock(context, () => resumeSpec(cwd, input));
  },
});

/** Creates a spec and makes it the current one. If a step fails, the earlier ones are undone. */
async function createSpec(input: StartOptions, context: CallContext): Promise<Answer> {
  const { cwd } = context.project;
  const { goal } = input;
  const wanted = wantedName(input);
  const root = specsFolder(cwd);
  makeFolders(root, root.path);
  const spec = await withLock(context, () => {
    const folder = createFolder(root, wanted);
    try {
      const state = { phase: "research", goal: goal ?? `Implement ${wanted}` };
      const spec = save(readSpec(folder, false), { state: { ...state, ...optionsOf(input) } });
      writePointer(cwd, folder.name);
      return spec;
    } catch (error) {
      // The pointer, which is written last, has not changed; the first error is the one to report.
      orElse(() => removeFolder(root, folder.dir), undefined);
      throw error;
    }
  });
  const taken =
    `The name '${wanted}' is taken, so the spec is called '${spec.name}'. To continue ` +
    `the other, call ${resumeCall(wanted)}.`;
  const step = goal === undefined ? askForGoal(spec) : nextStep(spec);
  return startAnswer(spec, "Created", step, spec.name === wanted ? [] : [taken]);
}

/** Creates a folder with a free name; some file systems ignore case. */
function createFolder(folder: WriteFolder, wanted: string): SpecFolder {
  const { root: cwd, path } = folder;
  const takenNames = new Set(readFolder(cwd, path).map((entry) => entry.name.toLowerCase()));
  let count = 1;
  while (takenNames.has(withSuffix(wanted, count))) count++;
  const name = withSuffix(wanted, count);
  const dir = join(path, name);
  makeFolder(folder, dir);
  return { cwd, name, dir };
}

/**
 * Resumes a spec and makes it the current one: keeps a valid state, and rebuilds a corrupt or
 * missing one from the documents. The caller holds the lock.
 *
 * @throws {RefraktError} `FILE_OPERATION_FAILED` if a corrupt state cannot be backed up.
 */
function resumeSpec(cwd: string, input: StartOptions): Answer {
  const { goal } = input;
  const before = withBackup(readSpec(findFolder(cwd, input.name), false));
  const { name, state } = before;
  const phase = state?.phase ?? inferPhase(before);
  // Resuming lifts every block: the user has looked at it.
  const unblocked = { phase, globalIteration: 0, blockedTask: undefined };
  const changes: Record<string, unknown> = { ...unblocked, ...optionsOf(input) };
  if (state?.blockedTask) changes["taskAttempts"] = undefined;
  if (state === null || goal !== undefined) changes["goal"] = goal ?? before.goal;
  const spec = save(before, {
    progress: (text) => goal === undefined ? text : withGoal(text, goal),
    state: changes,
  });
  writePointer(cwd, name);
  const note = state === null
    ? `The state was rebuilt: the documents imply the phase '${phase}'.`
    : `The state of '${word(name)}' is valid; it is the current spec again.`;
  const notes = [...backupNotes(before, before.noState?.backup), note];
  return startAnswer(spec, "Resumed", nextStep(spec), notes);
}

function wantedName({ name, goal, quick }: StartOptions): string {
  if (goal === undefined && (quick === true || name === undefined)) {
    const quickly = quick ? " and quick: true" : "";
    throw invalid(
      quick ? "Quick mode requires a goal" : "Either a name or a goal is required",
      `Ask the user what to achieve, then call ralph_start with goal${quickly}.`,
    );
  }
  if (name === undefined) {
    const derived = slugify(goal!);
    if (derived !== "") return derived;
    throw invalid(
      `The goal ${quoted(goal!)} has no letters or digits to derive a name from`,
      "Call ralph_start with the goal and a name.",
    );
  }
  if (isValidName(name)) return name;
  const suggestion = suggestName(name);
  throw invalid(
    `Name not allowed: '${word(name)}'. A name is kebab-case (lower-case letters, digits, single ` +
      "hyphens), at most 64 characters, and no device name",
    `Call ralph_start with name: "${suggestion}".`,
    { suggestion },
  );
}

function optionsOf({ quick, workflow, granularity }: StartOptions): Record<string, unknown> {
  const options = { quickMode: quick, workflow, granularity };
  const chosen = Object.entries(options).filter(([, value]) => value !== undefined);
  if (quick) chosen.push(["awaitingApproval", false]);
  return Object.fromEntries(chosen);
}

function startAnswer(spec: SoundSpec, deed: string, step: Step, notes: string[]): Answer {
  const { name, state: { phase, quickMode: quick }, goal } = spec;
  const files = [specPath(spec, PROGRESS_FILE), specPath(spec, STATE_FILE), `specs/${POINTER}`];
  if (ensureGitignore(spec.cwd, notes)) files.push(".gitignore");
  return {
    spec,
    message: `${deed} spec '${word(name)}'`,
    facts: [
      `Goal: ${quoted(goal)}`,
      `Phase: ${phase}`,
      `Quick: ${quick ? "Yes" : "No"}`,
      `Files: ${files.join(", ")}`,
    ],
    body: quick && step.status !== "complete" ? QUICK_RULES : undefined,
    step,
    warnings: notes,
    data: { name, phase, quick },
  };
}

const QUICK_RULES = `Quick mode: go through all phases and tasks without stopping. Do not wait for \
approval, and do not ask the user: decide open questions yourself, and record the reasons. Stop \
only for a blocked task or an error that you cannot fix: then tell the user. ralph_start with \
resume: true and quick: false turns quick mode off.`;

function askForGoal({ name, args }: SoundSpec): Step {
  const research = callOf("ralph_research", args);
  const todo = (call: string) =>
    `ask the user what the spec is to achieve, then call ${call} with their answer as goal; after that, call ${research}`;
  return toolStep("ralph_start", { name, resume: true }, todo);
}
