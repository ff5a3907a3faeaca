/** `ralph_start`: creates or resumes a spec. */

import { join } from "node:path";
import * as z from "zod";
import { orElse } from "../../../src/errors.ts";
import { makeFolder, makeFolders, removeFolder } from "../../../src/io/files.ts";
import type { WriteFolder } from "../../../src/io/write_folder.ts";
import { quoted } from "../../../src/plain_text.ts";
import type { CallContext } from "../../../src/tools/context.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import { callOf, invalid } from "../failures.ts";
import { readFolder, specsFolder, withLock } from "../files.ts";
import { ensureGitignore } from "../gitignore.ts";
import { quickContract } from "../instructions.ts";
import { isValidName, nameForGoal, shownName, suggestName, withSuffix } from "../names.ts";
import { nextStep, type Step, toolStep } from "../next.ts";
import { PROGRESS_FILE, withGoal } from "../progress.ts";
import { save } from "../save.ts";
import { POINTER, resolveSpec, type Spec, specPath, writePointer } from "../specs.ts";
import { STATE_FILE } from "../state.ts";
import { type Answer, ralphTool } from "../tool.ts";
import { inferPhase, keepBackup, look, type SoundView } from "../view.ts";

/** The maximum size of a goal, in bytes. */
const MAX_GOAL = 16 * 1024;

/** How much of a goal an answer repeats, in characters. */
const MAX_ECHO = 2_000;

const Input = z.strictObject({
  goal: z.string().min(1).optional().describe("What to achieve"),
  name: z.string().min(1).optional().describe("Kebab-case; default: from the goal"),
  quick: z.boolean().optional().describe("Without approval and questions; false turns it off"),
  resume: z.boolean().optional().describe("Continue or repair an existing spec"),
  workflow: z.enum(["poc", "tdd", "bugfix"]).optional(),
  granularity: z.enum(["auto", "fine", "coarse"]).optional(),
});

type StartInput = z.output<typeof Input>;

export const start: Tool = ralphTool({
  name: "start",
  title: "Start a spec",
  // It also is how a project begins to use Ralph.
  listed: {},
  description: "Creates a spec from a goal, or resumes one, and makes it the current spec.",
  input: Input,
  output: { name: z.string(), phase: z.string(), quick: z.boolean() },
  instructs: true,
  run: (input, context) =>
    input.resume ? resumeExisting(input, context) : createNew(input, context),
});

/** Creates a spec and makes it the current one. If a step fails, the earlier ones are undone. */
async function createNew(input: StartInput, context: CallContext): Promise<Answer> {
  const { cwd } = context.project;
  const goal = checkedGoal(input.goal);
  const wanted = wantedName(input, goal);
  const folder = specsFolder(cwd);
  makeFolders(folder, folder.path);
  const view = await withLock(context, () => {
    const spec = createFolder(folder, wanted);
    try {
      const state = { goal: goal ?? `Implement ${wanted}`, ...startOptions(input) };
      const view = save(look(spec, false), { state: { phase: "research", ...state } });
      writePointer(cwd, spec.name);
      return view;
    } catch (error) {
      // The pointer, which is written last, has not changed; the first error is the one to report.
      orElse(() => removeFolder(folder, spec.dir), undefined);
      throw error;
    }
  });
  const { name } = view.spec;
  const resume = callOf("ralph_start", { name: wanted, resume: true });
  const notes = name === wanted ? [] : [
    `The name '${wanted}' is taken, so the spec is called '${name}'. To continue the other, call ${resume}.`,
  ];
  const step = goal === undefined ? askForGoal(view) : nextStep(view);
  return answerFor(view, `Created spec '${shownName(name)}'`, step, notes);
}

/** Creates a folder with a free name; some file systems ignore case. */
function createFolder(folder: WriteFolder, wanted: string): Spec {
  const { root: cwd, path } = folder;
  const taken = new Set(readFolder(cwd, path).map((entry) => entry.name.toLowerCase()));
  let count = 1;
  while (taken.has(withSuffix(wanted, count))) count++;
  const name = withSuffix(wanted, count);
  const dir = join(path, name);
  makeFolder(folder, dir);
  return { cwd, name, dir };
}

/**
 * Resumes a spec and makes it the current one: keeps a valid state, and rebuilds a corrupt or missing
 * one from the documents.
 *
 * @throws {RefraktError} `FILE_OPERATION_FAILED` if a corrupt state cannot be backed up.
 */
async function resumeExisting(input: StartInput, context: CallContext): Promise<Answer> {
  const { cwd } = context.project;
  const goal = checkedGoal(input.goal);
  const { view, notes } = await withLock(context, () => {
    const before = look(resolveSpec(cwd, input.name), false);
    const { spec, state } = before;
    const notes: string[] = [];
    keepBackup(before, notes);
    const phase = state?.phase ?? inferPhase(before);
    notes.push(
      state === null
        ? `The state was rebuilt: the documents imply the phase '${phase}'.`
        : `The state of '${shownName(spec.name)}' is valid; it is the current spec again.`,
    );
    const view = save(before, {
      progress: (text) => goal === undefined ? text : withGoal(text, goal),
      state: {
        phase,
        // Resuming lifts every block: the user has looked at it.
        globalIteration: undefined,
        blockedTask: undefined,
        ...(state?.blocked ? { taskAttempts: undefined } : {}),
        ...(state !== null && goal === undefined ? {} : { goal: goal ?? before.goal }),
        ...startOptions(input),
      },
    });
    writePointer(cwd, spec.name);
    return { view, notes };
  });
  return answerFor(view, `Resumed spec '${shownName(view.spec.name)}'`, nextStep(view), notes);
}

function checkedGoal(goal: string | undefined): string | undefined {
  const text = goal?.trim();
  if (text === "") {
    throw invalid(
      "The goal is empty",
      "Ask the user what to achieve, then call ralph_start with goal.",
    );
  }
  if (text !== undefined && new TextEncoder().encode(text).length > MAX_GOAL) {
    throw invalid(
      `The goal is longer than ${MAX_GOAL / 1024} KiB`,
      "Put the details into a file of the project, and call ralph_start with a goal that names it.",
    );
  }
  return text;
}

function wantedName({ name, quick }: StartInput, goal: string | undefined): string {
  if (quick === true && goal === undefined) {
    throw invalid(
      "Quick mode requires a goal",
      "Ask the user for the goal, then call ralph_start with goal and quick: true.",
    );
  }
  if (name !== undefined) {
    if (isValidName(name)) return name;
    const suggestion = suggestName(name);
    throw invalid(
      `Name not allowed: '${
        shownName(name)
      }'. A name is kebab-case (a-z, 0-9, single hyphens), at most 64 characters, and no device name`,
      `Call ralph_start with name: "${suggestion}".`,
      { suggestion },
    );
  }
  if (goal === undefined) {
    throw invalid(
      "Either a name or a goal is required",
      "Ask the user what to achieve, then call ralph_start with goal.",
    );
  }
  const derived = nameForGoal(goal);
  if (derived !== null) return derived;
  throw invalid(
    `The goal ${quoted(goal)} has no letters or digits to derive a name from`,
    "Call ralph_start with the goal and a name.",
  );
}

function startOptions({ quick, workflow, granularity }: StartInput): Record<string, unknown> {
  return {
    ...(quick === undefined ? {} : { quickMode: quick }),
    ...(quick === true ? { awaitingApproval: false } : {}),
    ...(workflow === undefined ? {} : { workflow }),
    ...(granularity === undefined ? {} : { granularity }),
  };
}

function answerFor(view: SoundView, message: string, step: Step, notes: string[]): Answer {
  const { spec, state, goal } = view;
  const files = [specPath(spec, PROGRESS_FILE), specPath(spec, STATE_FILE), `specs/${POINTER}`];
  if (ensureGitignore(spec.cwd, notes)) files.push(".gitignore");
  const body = step.status === "complete"
    ? "To work on it again, untick a task in tasks.md."
    : state.quick
    ? quickContract(view)
    : undefined;
  return {
    spec,
    message,
    facts: [
      `Goal: ${goal.length > MAX_ECHO ? `${goal.slice(0, MAX_ECHO).toWellFormed()} …` : goal}`,
      `Phase: ${state.phase}`,
      `Quick: ${state.quick ? "Yes" : "No"}`,
      `Files: ${files.join(", ")}`,
    ],
    body,
    step,
    warnings: notes,
    data: { name: spec.name, phase: state.phase, quick: state.quick },
  };
}

function askForGoal({ spec, args }: SoundView): Step {
  const research = callOf("ralph_research", args);
  return toolStep(
    "ralph_start",
    { name: spec.name, resume: true },
    (call) =>
      `ask the user what the spec is to achieve, then call ${call} with their answer as goal; after that, call ${research}`,
  );
}
