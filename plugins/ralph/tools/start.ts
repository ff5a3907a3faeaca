/**
 * `ralph_start`: a new spec, or one that is taken up again.
 *
 * @module
 */

import { z } from "zod";
import type { CliPluginCommand, McpHandlerContext } from "../../../src/tools/plugin.ts";
import { createSpec } from "../creation.ts";
import { brief, callOf, invalid } from "../failures.ts";
import { ensureGitignore } from "../gitignore.ts";
import { quickContract } from "../instructions.ts";
import { withLock } from "../lock.ts";
import { isValidName, nameForGoal, shownName, suggestName } from "../names.ts";
import { nextStep, type Step } from "../next.ts";
import { PROGRESS_FILE } from "../progress.ts";
import { resumeSpec } from "../resumption.ts";
import { findSpec, listSpecs, POINTER, resolveSpec, specPath } from "../specs.ts";
import { STATE_FILE } from "../state.ts";
import { type Answer, ralphTool } from "../tool.ts";
import { look, type SoundView } from "../view.ts";

/** The longest goal, in bytes. */
const MAX_GOAL = 16 * 1024;

/** How much of a goal an answer repeats. */
const MAX_ECHO = 2_000;

const Input = z.strictObject({
  goal: z.string().min(1).optional().describe("What is to be achieved"),
  name: z.string().min(1).optional().describe("Kebab-case; default: from the goal"),
  quick: z.boolean().optional().describe("No stops, no questions; false turns it off"),
  resume: z.boolean().optional().describe("Continue or repair an existing spec"),
  workflow: z.enum(["poc", "tdd", "bugfix"]).optional(),
  granularity: z.enum(["auto", "fine", "coarse"]).optional(),
});

type StartInput = z.output<typeof Input>;

/** The tool. */
export const start: CliPluginCommand = ralphTool({
  name: "start",
  title: "Start a spec",
  description:
    "Begins a spec from a goal, or continues one (resume), and makes it the current one.",
  input: Input,
  output: { name: "string", phase: "string", quick: "boolean" },
  instructs: true,
  run: (input, context) => input.resume ? resume(input, context) : create(input, context),
});

async function create(
  input: StartInput,
  { cwd, signal, log }: McpHandlerContext,
): Promise<Answer> {
  const given = checkedGoal(input.goal);
  const wanted = wantedName(input, given);
  const view = await createSpec(cwd, signal, wanted, {
    phase: "research",
    goal: given ?? `Implement ${wanted}`,
    ...startOptions(input),
  });
  const { spec } = view;
  const notes: string[] = [];
  if (spec.name !== wanted) {
    notes.push(`The name '${wanted}' is taken, so the spec is called '${spec.name}'.`);
    const twin = listSpecs(cwd).find((other) => other.name === wanted);
    if (twin !== undefined && isResumable(look(twin, true))) {
      notes.push(
        `'${wanted}' has documents but no state; to continue it, call ${
          callOf("ralph_start", { name: wanted, resume: true })
        }.`,
      );
    }
  }
  log("info", "Spec created", { spec: spec.name, quick: view.state.quick });
  return answer(view, `Created spec '${shownName(spec.name)}'`, given === undefined, notes);
}

async function resume(
  input: StartInput,
  { cwd, signal, log }: McpHandlerContext,
): Promise<Answer> {
  const goal = checkedGoal(input.goal);
  // A name that does not exist fails before the lock, which needs a folder to be in.
  const { name } = input.name === undefined
    ? resolveSpec(cwd, undefined)
    : findSpec(listSpecs(cwd), input.name);
  return await withLock(cwd, signal, () => {
    const notes: string[] = [];
    const spec = findSpec(listSpecs(cwd), name);
    const view = resumeSpec(spec, goal, startOptions(input), notes);
    log("info", "Spec resumed", { spec: name, phase: view.state.phase });
    return answer(view, `Resumed spec '${shownName(name)}'`, false, notes);
  });
}

function checkedGoal(goal: string | undefined): string | undefined {
  const text = goal?.trim();
  if (text === undefined) return undefined;
  if (text === "") {
    throw invalid(
      "The goal is empty",
      "Ask the user what is to be achieved, then call ralph_start with goal.",
    );
  }
  if (new TextEncoder().encode(text).length > MAX_GOAL) {
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
      "Ask the user what is to be achieved, then call ralph_start with goal.",
    );
  }
  const derived = nameForGoal(goal);
  if (derived !== null) return derived;
  throw invalid(
    `No name can be made of the goal '${brief(goal, 60)}', which has no letters and no digits`,
    "Call ralph_start with the goal and a name.",
  );
}

/** The choices that are kept in the state. */
function startOptions({ quick, workflow, granularity }: StartInput): Record<string, unknown> {
  return {
    ...(quick === undefined ? {} : { quickMode: quick }),
    // In quick mode nothing waits for approval.
    ...(quick === true ? { awaitingApproval: false, approvalFor: undefined } : {}),
    ...(workflow === undefined ? {} : { workflow }),
    ...(granularity === undefined ? {} : { granularity }),
  };
}

function isResumable(view: ReturnType<typeof look>): boolean {
  return view.state === null &&
    (view.written.size > 0 || view.progress !== null || view.noState!.kind !== "missing");
}

function answer(
  view: SoundView,
  message: string,
  asksForGoal: boolean,
  notes: readonly string[],
): Answer {
  const { spec, state } = view;
  const ignored = ensureGitignore(spec.cwd);
  const files = [
    specPath(spec, PROGRESS_FILE),
    specPath(spec, STATE_FILE),
    `specs/${POINTER}`,
    ...(ignored.added.length > 0 ? [".gitignore"] : []),
  ];
  const goal = view.goal.length > MAX_ECHO
    ? `${view.goal.slice(0, MAX_ECHO).toWellFormed()} …`
    : view.goal;
  const step = asksForGoal ? askForGoal(view) : nextStep(view);
  const body = step.status === "complete"
    ? "To work on it again, untick a task in tasks.md."
    : state.quick
    ? quickContract(view)
    : undefined;
  return {
    spec,
    message,
    facts: [
      `Goal: ${goal}`,
      `Phase: ${state.phase}`,
      `Quick: ${state.quick ? "Yes" : "No"}`,
      `Files: ${files.join(", ")}`,
    ],
    ...(body === undefined ? {} : { body }),
    step,
    warnings: ignored.warning === undefined ? notes : [...notes, ignored.warning],
    data: { name: spec.name, phase: state.phase, quick: state.quick },
  };
}

/** Quick mode requires a goal, so there is a user to ask. */
function askForGoal(view: SoundView): Step {
  const nextArgs = { name: view.spec.name, resume: true };
  return {
    status: "active",
    next: "ralph_start",
    nextArgs,
    todo: `ask the user what the spec is to achieve, then call ${
      callOf("ralph_start", nextArgs)
    } with their answer as goal; after that, call ${callOf("ralph_research", view.args)}`,
  };
}
