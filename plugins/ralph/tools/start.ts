/**
 * `ralph_start`: a new spec, or one that is taken up again.
 *
 * @module
 */

import { join } from "node:path";
import { z } from "zod";
import type { RefraktError } from "../../../src/errors.ts";
import type { CliPluginCommand, McpHandlerContext } from "../../../src/surface/plugin.ts";
import { type TextResult, withText } from "../../../src/surface/result.ts";
import { fileFailure, fileOperation, invalid } from "../failures.ts";
import { lstatIfExists, specsRoot } from "../files.ts";
import { ensureGitignore } from "../gitignore.ts";
import { withLock } from "../lock.ts";
import { isValidName, nameForGoal, shownName, suggestName, withSuffix } from "../names.ts";
import { artifactsOf, callOf, describeSpec, inferPhase, readGoal, readTasks } from "../overview.ts";
import type { PHASE_TOOLS } from "../phases.ts";
import {
  newProgress,
  PROGRESS_FILE,
  readProgress,
  withGoal,
  withStatus,
  writeProgress,
} from "../progress.ts";
import { follow, phaseName } from "../schemas.ts";
import {
  clearPointer,
  findSpec,
  listSpecs,
  POINTER,
  readPointer,
  resolveSpec,
  type Spec,
  specFile,
  specPath,
  takenNames,
  writePointer,
} from "../specs.ts";
import { backUp, newestBackup, readState, STATE_FILE, writeState } from "../state.ts";
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
  const spec = await claimUnderLock(context, wanted, (spec) => {
    const status = statusOf("research", 0, 0, "Find out what the goal needs");
    writeProgress(spec, newProgress(spec.name, goal, status));
    writeState(spec, {}, {
      source: "spec",
      name: spec.name,
      basePath: `./specs/${spec.name}`,
      phase: "research",
      goal,
      ...(input.quick ? { quickMode: true } : {}),
      ...(input.workflow === undefined ? {} : { workflow: input.workflow }),
      ...(input.granularity === undefined ? {} : { granularity: input.granularity }),
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
  if (ignored.warning !== undefined) notes.push(ignored.warning);
  context.log("info", "Spec created", { spec: spec.name, quick: input.quick });
  const files = [
    specPath(spec, PROGRESS_FILE),
    specPath(spec, STATE_FILE),
    `specs/${POINTER}`,
    ...(ignored.added.length > 0 ? [".gitignore"] : []),
  ];
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
    path: specPath(spec),
    files,
    gitignore: ignored.added,
    ...(input.workflow === undefined ? {} : { workflow: input.workflow }),
    ...(input.granularity === undefined ? {} : { granularity: input.granularity }),
    instructions,
    next: "ralph_research",
    nextArgs: {},
    warnings: notes,
  });
}

async function resume(input: StartInput, context: McpHandlerContext): Promise<TextResult> {
  const { cwd } = context;
  const given = checkGoal(input.goal);
  // A name that does not exist fails before anything is created, and before the lock needs a folder.
  const found = input.name === undefined
    ? resolveSpec(cwd, undefined)
    : findSpec(listSpecs(cwd), input.name);
  return await withLock(cwd, context.signal, () => {
    const spec = findSpec(listSpecs(cwd), found.name);
    const notes: string[] = [];
    const files: string[] = [];
    const read = readState(spec);
    let before: Readonly<Record<string, unknown>> = {};
    let changes: Record<string, unknown>;
    if (read.kind === "ok") {
      before = read.state.raw;
      // Whoever resumes has looked at what blocked the spec.
      changes = { globalIteration: undefined };
      notes.push(`The state of '${spec.name}' is sound; the spec is current again.`);
    } else {
      let backup = newestBackup(spec);
      if (read.kind === "corrupt") {
        backup = backUp(spec);
        if (backup === null) {
          throw fileFailure(cwd, "write", specPath(spec, `${STATE_FILE}.bak`), "not moved");
        }
        notes.push(`The corrupt state file was kept as ${specPath(spec, backup)}.`);
      } else if (backup !== null) {
        notes.push(`An earlier state file is kept as ${specPath(spec, backup)}.`);
      }
      changes = {
        source: "spec",
        name: spec.name,
        basePath: `./specs/${spec.name}`,
        phase: inferPhase(spec),
      };
      notes.push(
        `The state was rebuilt: the phase '${changes["phase"]}' follows from the documents.`,
      );
    }
    const goal = given ?? readGoal(spec, read.kind === "ok" ? read.state : null);
    const wantsQuick = input.quick || before["quickMode"] === true;
    if (input.quick) changes["quickMode"] = true;
    if (input.workflow !== undefined) changes["workflow"] = input.workflow;
    if (input.granularity !== undefined) changes["granularity"] = input.granularity;
    if (given !== undefined || read.kind !== "ok") changes["goal"] = goal;
    const { list } = readTasks(spec);
    if (list !== null && list.tasks.length > 0) changes["totalTasks"] = list.tasks.length;
    const done = list?.tasks.filter((task) => task.done).length ?? 0;
    const phaseNow = (changes["phase"] ?? before["phase"]) as keyof typeof PHASE_TOOLS;
    const status = statusOf(phaseNow, done, list?.tasks.length ?? 0, "Taken up again");
    let diary: string | null = null;
    try {
      diary = readProgress(spec);
    } catch {
      notes.push(`${specPath(spec, PROGRESS_FILE)} could not be read and was written anew.`);
    }
    writeProgress(
      spec,
      diary === null
        ? newProgress(spec.name, goal, status)
        : withStatus(given === undefined ? diary : withGoal(diary, given), status),
    );
    const state = writeState(spec, before, changes);
    writePointer(cwd, spec.name);
    files.push(
      specPath(spec, PROGRESS_FILE),
      specPath(spec, STATE_FILE),
      `specs/${POINTER}`,
    );
    const ignored = ensureGitignore(cwd);
    if (ignored.warning !== undefined) notes.push(ignored.warning);
    if (ignored.added.length > 0) files.push(".gitignore");
    const row = describeSpec(spec, spec.name);
    context.log("info", "Spec resumed", { spec: spec.name, phase: state.phase });
    return answer(spec, {
      phase: state.phase,
      goal: echo(goal),
      quick: wantsQuick,
      resumed: true,
      path: specPath(spec),
      files,
      gitignore: ignored.added,
      instructions: wantsQuick
        ? quickContract(spec)
        : row.status === "complete"
        ? "The spec is complete; untick a task in tasks.md to work on it again."
        : `Call ${callOf(row.next, row.nextArgs)} to go on.`,
      next: row.next,
      nextArgs: row.nextArgs,
      warnings: notes,
    });
  });
}

/** Creates the folder under a free name, fills it, and takes all of it back where that fails. */
async function claimUnderLock(
  context: McpHandlerContext,
  wanted: string,
  fill: (spec: Spec) => void,
): Promise<Spec> {
  const { cwd } = context;
  fileOperation(cwd, "write", "specs", () => {
    // A folder that is there already may be a link, or may not be ours to make.
    if (lstatIfExists(join(cwd, "specs")) === null) {
      Deno.mkdirSync(join(cwd, "specs"), { recursive: true });
    }
  });
  return await withLock(cwd, context.signal, () => {
    const pointer = readPointer(cwd, listSpecs(cwd)).text;
    const spec = claim(cwd, wanted);
    try {
      fill(spec);
      writePointer(cwd, spec.name);
      return spec;
    } catch (error) {
      rollBack(spec, pointer);
      throw error;
    }
  });
}

function claim(cwd: string, wanted: string): Spec {
  const root = specsRoot(cwd);
  const taken = new Set(takenNames(cwd).map((name) => name.toLowerCase()));
  for (let count = 1; count < 10_000; count++) {
    const name = withSuffix(wanted, count);
    if (taken.has(name)) continue;
    const dir = join(root, name);
    try {
      Deno.mkdirSync(dir);
      return { cwd, name, dir };
    } catch (error) {
      if (error instanceof Deno.errors.AlreadyExists) continue;
      throw fileFailure(cwd, "write", `specs/${name}`, error);
    }
  }
  throw invalid(
    `There are too many specs called '${wanted}'`,
    "Call ralph_start with another name.",
  );
}

function rollBack(spec: Spec, pointer: string | null): void {
  try {
    Deno.removeSync(spec.dir, { recursive: true });
    if (pointer === null) clearPointer(spec.cwd);
    else writePointer(spec.cwd, pointer);
  } catch {
    // The first failure is the one to report.
  }
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
  readonly workflow?: string;
  readonly granularity?: string;
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
