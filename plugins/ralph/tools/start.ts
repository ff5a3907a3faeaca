/**
 * `ralph_start`: a new spec, or one that is taken up again.
 *
 * @module
 */

import { z } from "zod";
import type { RefraktError } from "../../../src/errors.ts";
import type { CliPluginCommand, McpHandlerContext } from "../../../src/surface/plugin.ts";
import { type TextResult, withText } from "../../../src/surface/result.ts";
import { createSpec } from "../creation.ts";
import { invalid } from "../failures.ts";
import { lstatIfExists, writeNew } from "../files.ts";
import { ensureGitignore, type GitignoreResult } from "../gitignore.ts";
import { withLock } from "../lock.ts";
import { isValidName, nameForGoal, shownName, suggestName } from "../names.ts";
import { artifactsOf, callOf, describeSpec } from "../overview.ts";
import { newProgress, PROGRESS_FILE } from "../progress.ts";
import { resumeSpec } from "../resumption.ts";
import { follow, phaseName } from "../schemas.ts";
import {
  findSpec,
  listSpecs,
  POINTER,
  resolveSpec,
  type Spec,
  specFile,
  specPath,
} from "../specs.ts";
import { newestBackup, readState, STATE_FILE, writeState } from "../state.ts";
import { statusOf } from "../status_block.ts";

/** The longest goal, in bytes. */
const MAX_GOAL = 16 * 1024;

/** How much of a goal an answer repeats. */
const MAX_ECHO = 2_000;

const Input = z.strictObject({
  name: z.string().min(1).optional()
    .describe("Spec name: kebab-case (a-z, 0-9, hyphens), at most 64 characters"),
  goal: z.string().min(1).optional().describe("What is to be achieved"),
  quick: z.boolean().default(false)
    .describe("Autopilot: all phases in a row, without stops for approval; needs a goal"),
  resume: z.boolean().default(false)
    .describe("Take up an existing spec: repairs a corrupt, cancelled or missing state"),
  workflow: z.enum(["poc", "tdd", "bugfix"]).optional()
    .describe("Order of work; by default chosen from the goal"),
  granularity: z.enum(["auto", "fine", "coarse"]).optional().describe("Size of tasks"),
});

const Output = z.object({
  name: z.string(),
  phase: phaseName,
  goal: z.string(),
  quick: z.boolean(),
  files: z.array(z.string()),
  instructions: z.string(),
  ...follow,
});

type StartInput = z.output<typeof Input>;

/** The tool. */
export const start: CliPluginCommand = {
  name: "start",
  toolName: "ralph_start",
  title: "Start a spec",
  description:
    "Creates a spec from a name or a goal and makes it the current one; with resume, repairs and continues an existing one.",
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  inputSchema: Input,
  outputSchema: Output,
  mcpHandler: (input: StartInput, context) =>
    input.resume ? resume(input, context) : create(input, context),
};

async function create(input: StartInput, context: McpHandlerContext): Promise<TextResult> {
  const { cwd } = context;
  const given = checkGoal(input.goal);
  if (input.quick && given === undefined) {
    throw invalid(
      "Quick mode requires a goal",
      "Ask the user for the goal, then call ralph_start with goal and quick: true.",
    );
  }
  if (given === undefined && input.name === undefined) {
    throw invalid(
      "Either a name or a goal is required",
      "Ask the user what is to be achieved, then call ralph_start with goal.",
    );
  }
  if (input.name !== undefined && !isValidName(input.name)) throw badName(input.name);
  const wanted = input.name ?? nameForGoal(given!);
  const goal = given ?? `Implement ${wanted}`;
  const notes: string[] = [];
  const spec = await createSpec(cwd, context.signal, wanted, (spec) => {
    const status = statusOf("research", 0, 0, "Find out what the goal needs");
    writeNew(cwd, specFile(spec, PROGRESS_FILE), newProgress(spec.name, goal, status));
    writeState(spec, {}, {
      source: "spec",
      name: spec.name,
      basePath: `./specs/${spec.name}`,
      phase: "research",
      goal,
      ...optionsOf(input),
    });
  });
  if (spec.name !== wanted) {
    notes.push(`The name '${wanted}' is taken, so the spec is called '${spec.name}'.`);
    const twin = listSpecs(cwd).find((other) => other.name === wanted);
    if (twin !== undefined && isResumable(twin)) {
      notes.push(
        `'${wanted}' has documents but no state; to continue it, call ${
          callOf("ralph_start", { name: wanted, resume: true })
        }.`,
      );
    }
  }
  const ignored = ensureGitignore(cwd);
  context.log("info", "Spec created", { spec: spec.name, quick: input.quick });
  const instructions = given === undefined
    ? askForGoal(spec)
    : input.quick
    ? quickContract(spec)
    : `Call ralph_research to begin. After each phase, call ralph_complete_phase and wait for the user's approval.`;
  return answer(spec, {
    phase: "research",
    goal: echo(goal),
    quick: input.quick,
    resumed: false,
    ...written(spec, ignored, notes),
    instructions,
    next: "ralph_research",
    nextArgs: {},
  });
}

async function resume(input: StartInput, context: McpHandlerContext): Promise<TextResult> {
  const { cwd } = context;
  const goal = checkGoal(input.goal);
  // A name that does not exist fails before the lock, which needs a folder to be in.
  const { name } = input.name === undefined
    ? resolveSpec(cwd, undefined)
    : findSpec(listSpecs(cwd), input.name);
  return await withLock(cwd, context.signal, () => {
    const spec = findSpec(listSpecs(cwd), name);
    const resumed = resumeSpec(spec, { goal, changes: optionsOf(input) });
    const ignored = ensureGitignore(cwd);
    const row = describeSpec(spec, spec.name);
    context.log("info", "Spec resumed", { spec: spec.name, phase: resumed.state.phase });
    return answer(spec, {
      phase: resumed.state.phase,
      goal: echo(resumed.goal),
      quick: resumed.state.quick,
      resumed: true,
      ...written(spec, ignored, resumed.notes),
      instructions: row.status === "complete"
        ? "The spec is complete; untick a task in tasks.md to work on it again."
        : resumed.state.quick
        ? quickContract(spec)
        : `Call ${callOf(row.next, row.nextArgs)} to go on.`,
      next: row.next,
      nextArgs: row.nextArgs,
    });
  });
}

/** The choices that are kept in the state. */
function optionsOf(input: StartInput): Record<string, unknown> {
  return {
    ...(input.quick ? { quickMode: true } : {}),
    ...(input.workflow === undefined ? {} : { workflow: input.workflow }),
    ...(input.granularity === undefined ? {} : { granularity: input.granularity }),
  };
}

/** What was written, and what is to be said about it. */
function written(spec: Spec, ignored: GitignoreResult, notes: readonly string[]) {
  return {
    path: specPath(spec),
    files: [
      specPath(spec, PROGRESS_FILE),
      specPath(spec, STATE_FILE),
      `specs/${POINTER}`,
      ...(ignored.added.length > 0 ? [".gitignore"] : []),
    ],
    gitignore: ignored.added,
    warnings: ignored.warning === undefined ? [...notes] : [...notes, ignored.warning],
  };
}

function isResumable(spec: Spec): boolean {
  return readState(spec).kind !== "ok" &&
    (newestBackup(spec) !== null || artifactsOf(spec).length > 0 ||
      lstatIfExists(specFile(spec, PROGRESS_FILE)) !== null ||
      lstatIfExists(specFile(spec, STATE_FILE)) !== null);
}

function checkGoal(goal: string | undefined): string | undefined {
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

function badName(name: string): RefraktError {
  const suggestion = suggestName(name);
  return invalid(
    `Name not allowed: '${
      shownName(name)
    }'. A name is kebab-case (a-z, 0-9, single hyphens), at most 64 characters, and no device name`,
    `Call ralph_start with name: "${suggestion}".`,
    { suggestion },
  );
}

function askForGoal(spec: Spec): string {
  return `No goal was given. Ask the user what ${spec.name} is to achieve, and write the answer below "## Original Goal" in ${
    specPath(spec, PROGRESS_FILE)
  } in place of the line there; or call ${
    callOf("ralph_start", { name: spec.name, resume: true })
  } with goal. Then call ralph_research.`;
}

function quickContract(spec: Spec): string {
  return [
    `Quick mode for ${spec.name}: go through all phases without stopping.`,
    "1. ralph_research, write the document, ralph_complete_phase; the same with ralph_requirements, ralph_design and ralph_tasks. Do not wait for approval between them.",
    "2. Ask nothing. Where something is open, make an opinionated choice and record it with its reason.",
    "3. Keep `generated: auto` in the front matter of each document.",
    "4. Then ralph_implement, one task after another, until it reports that all are complete; then ralph_complete_phase with phase execution.",
    "5. Stop only when a task is blocked or a tool reports an error that you cannot mend.",
    "Begin with ralph_research now.",
  ].join("\n");
}

function echo(goal: string): string {
  return goal.length > MAX_ECHO ? `${goal.slice(0, MAX_ECHO)} …` : goal;
}

/** What is said about a spec that was created or taken up again. */
interface StartAnswer {
  readonly phase: string;
  readonly goal: string;
  readonly quick: boolean;
  readonly resumed: boolean;
  readonly path: string;
  readonly files: readonly string[];
  readonly gitignore: readonly string[];
  readonly instructions: string;
  readonly next: string;
  readonly nextArgs: Record<string, unknown>;
  readonly warnings: readonly string[];
}

function answer(
  spec: Spec,
  data: StartAnswer,
): TextResult {
  const lines = [
    `${data.resumed ? "Resumed" : "Created"} spec '${shownName(spec.name)}'.`,
    "",
    `- Goal: ${data.goal}`,
    `- Phase: ${data.phase}`,
    `- Quick: ${data.quick ? "Yes" : "No"}`,
    `- Files: ${data.files.join(", ")}`,
    ...data.warnings.map((warning) => `- Note: ${warning}`),
    "",
    data.instructions,
    "",
    `Next: ${callOf(data.next, data.nextArgs)}`,
  ];
  return withText(lines.join("\n"), { name: spec.name, ...data });
}
