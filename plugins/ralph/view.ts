/**
 * What is on disk about a spec, read once for a call.
 *
 * @module
 */

import { RefraktError } from "../../src/errors.ts";
import { isUntouched } from "./documents/mod.ts";
import { brief, invalidState, missing, type NoState } from "./failures.ts";
import { lstatIfExists, readFile } from "./files.ts";
import { withLock } from "./lock.ts";
import {
  DOCUMENT_PHASES,
  documentOf,
  type DocumentPhase,
  type Phase,
  phaseAfter,
} from "./phases.ts";
import { parseProgress, type Progress, PROGRESS_FILE } from "./progress.ts";
import { resolveSpec, type Spec, specFile, specPath } from "./specs.ts";
import { backUp, newestBackup, readState, type State, textField } from "./state.ts";
import { doneCount, parseTasks, type TaskList } from "./tasks.ts";

/** A file, as far as it could be read. */
export interface ReadFile {
  /** The text, or `null` where there is none or it cannot be read. */
  readonly text: string | null;
  /** Why it was not read, or not whole. */
  readonly problem: RefraktError | null;
  /** Whether it is written anew, whatever is there. */
  readonly isGivenUp?: boolean;
}

/** A spec as it is on disk. */
export interface View {
  /** The spec. */
  readonly spec: Spec;
  /** The arguments that name it in a call: none for the current spec. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Its state, or `null`. */
  readonly state: State | null;
  /** The text of a sound state file, or `null`. */
  readonly stateText: string | null;
  /** Why there is no state. */
  readonly noState: NoState | null;
  /** The documents that are there and are more than the template. */
  readonly written: ReadonlySet<DocumentPhase>;
  /** The text of `tasks.md`. */
  readonly tasksFile: ReadFile;
  /** Its tasks, or `null` where there is no file. */
  readonly list: TaskList | null;
  /** The text of the progress file; it is read when it is first asked for. */
  readonly progressFile: ReadFile;
  /** What the progress file says, or `null` where there is none. */
  readonly progress: Progress | null;
  /** The goal: as the progress file has it, because people edit that; else from the state. */
  readonly goal: string;
}

/** A spec whose state is sound. */
export interface SoundView extends View {
  /** Its state. */
  readonly state: State;
}

/** Looks at a spec. It reads, and changes nothing. */
export function look(spec: Spec, named: boolean): View {
  const read = readState(spec);
  const tasksFile = readDocument(spec, documentOf("tasks"));
  let progressFile: ReadFile | undefined;
  return viewOf({
    spec,
    args: named ? { spec_name: spec.name } : {},
    state: read.kind === "ok" ? read.state : null,
    stateText: read.kind === "ok" ? read.text : null,
    corrupt: read.kind === "corrupt" ? read.reason : null,
    tasksFile,
    list: tasksFile.text === null ? null : parseTasks(tasksFile.text),
    progressFile: () => progressFile ??= readDocument(spec, PROGRESS_FILE),
  });
}

/** What a view is made of. */
export interface Facts {
  readonly spec: Spec;
  readonly args: Readonly<Record<string, unknown>>;
  readonly state: State | null;
  readonly stateText: string | null;
  readonly corrupt: string | null;
  readonly tasksFile: ReadFile;
  readonly list: TaskList | null;
  progressFile(): ReadFile;
}

/** A view made of facts, of which those that cost something are found when they are asked for. */
export function viewOf(facts: Facts & { readonly state: State }): SoundView;
export function viewOf(facts: Facts): View;
export function viewOf(facts: Facts): View {
  const { spec, state } = facts;
  let progress: Progress | null | undefined;
  let written: ReadonlySet<DocumentPhase> | undefined;
  let noState: NoState | null | undefined;
  return {
    spec,
    args: facts.args,
    state,
    stateText: facts.stateText,
    tasksFile: facts.tasksFile,
    list: facts.list,
    get noState() {
      return noState ??= state !== null ? null : whyNoState(facts, this.progress);
    },
    get written() {
      return written ??= new Set(
        DOCUMENT_PHASES.filter((phase) =>
          phase === "tasks"
            ? isWritten(phase, spec.name, facts.tasksFile.text)
            : isWrittenFile(spec, phase)
        ),
      );
    },
    get progressFile() {
      return facts.progressFile();
    },
    get progress() {
      const { text } = facts.progressFile();
      return progress ??= text === null ? null : parseProgress(text);
    },
    get goal() {
      return this.progress?.goal ?? textField(state, "goal") ?? `Implement ${spec.name}`;
    },
  };
}

/** Reads a document of a spec; a failure is part of the answer. */
export function readDocument(spec: Spec, name: string): ReadFile {
  try {
    const file = readFile(spec.cwd, specFile(spec, name));
    const problem = file?.cut === true
      ? new RefraktError(
        "FILE_OPERATION_FAILED",
        `${specPath(spec, name)} is too large to read whole`,
        {
          hint: "Shorten or split it, then repeat the call; ralph_status says how the spec stands.",
          data: { path: specPath(spec, name) },
        },
      )
      : null;
    return { text: file?.text ?? null, problem };
  } catch (error) {
    if (!(error instanceof RefraktError)) throw error;
    return { text: null, problem: error };
  }
}

/** Why a text is no document yet, or `null`. */
export function notWritten(phase: DocumentPhase, spec: string, text: string): string | null {
  if (text.trim() === "") return "empty";
  return isUntouched(phase, spec, text) ? "still the template" : null;
}

function isWritten(phase: DocumentPhase, spec: string, text: string | null): boolean {
  return text !== null && notWritten(phase, spec, text) === null;
}

/** A long file is no template, and need not be read for that. */
function isWrittenFile(spec: Spec, phase: DocumentPhase): boolean {
  try {
    const info = lstatIfExists(specFile(spec, documentOf(phase)));
    if (info === null || info.isFile && info.size > 4096) return info !== null;
  } catch {
    return false;
  }
  return isWritten(phase, spec.name, readDocument(spec, documentOf(phase)).text);
}

function whyNoState({ spec, corrupt }: Facts, progress: Progress | null): NoState {
  const backup = newestBackup(spec);
  if (corrupt !== null) return { kind: "corrupt", reason: corrupt, backup: null };
  if (progress?.cancelled === true) return { kind: "cancelled", reason: "", backup };
  return backup === null
    ? { kind: "missing", reason: "", backup }
    : { kind: "corrupt", reason: "it was moved away earlier", backup };
}

/** The phase that fits the documents that are there. */
export function inferPhase(view: View): Phase {
  const last = DOCUMENT_PHASES.findLast((phase) => view.written.has(phase));
  if (last === undefined) return "research";
  if (last !== "tasks") return phaseAfter(last);
  return view.list !== null && doneCount(view.list) > 0 ? "execution" : "tasks";
}

/**
 * Checks the spec that a call means, and then changes it under the lock. What fails in the
 * check fails alike where nothing can be locked, and is checked again when the lock is held.
 *
 * @param cwd The project's directory.
 * @param wanted The name that the call gave.
 * @param signal Gives up waiting for others.
 * @param check Throws where the call cannot be done.
 * @param work Does it.
 */
export async function changeSpec<T>(
  cwd: string,
  wanted: string | undefined,
  signal: AbortSignal,
  check: (view: SoundView) => void,
  work: (view: SoundView) => T,
): Promise<T> {
  const spec = resolveSpec(cwd, wanted);
  const named = wanted !== undefined;
  check(await soundView(spec, named, signal));
  return await withLock(cwd, signal, () => {
    const view = look(spec, named);
    if (!isSound(view)) throw invalidState(spec.name, keptState(view));
    check(view);
    return work(view);
  });
}

/**
 * A spec with a sound state. A corrupt file is moved to a backup that replaces no other.
 *
 * @throws {RefraktError} `INVALID_STATE` where it is corrupt or missing.
 */
export async function soundView(
  spec: Spec,
  named: boolean,
  signal: AbortSignal,
): Promise<SoundView> {
  const view = look(spec, named);
  if (isSound(view)) return view;
  const noState = view.noState!;
  if (noState.kind !== "corrupt" || noState.backup !== null) {
    throw invalidState(spec.name, noState);
  }
  try {
    return await withLock(spec.cwd, signal, () => {
      const again = look(spec, named);
      if (isSound(again)) return again;
      throw invalidState(spec.name, keptState(again));
    });
  } catch (error) {
    // Without the lock nothing can be moved either.
    if (!(error instanceof RefraktError) || error.code === "INVALID_STATE") throw error;
    throw invalidState(spec.name, noState);
  }
}

/** Whether a spec has a state that can be read. */
export function isSound(view: View): view is SoundView {
  return view.state !== null;
}

/** Moves a corrupt state file away, and says where it is. */
function keptState(view: View): NoState {
  const noState = view.noState!;
  return noState.kind === "corrupt" && noState.backup === null
    ? { ...noState, backup: backUp(view.spec) }
    : noState;
}

/**
 * The tasks of a spec whose plan is to be carried out.
 *
 * @throws {RefraktError} `MISSING_PREREQUISITES` where there are none.
 */
export function requireTasks(view: SoundView): TaskList {
  const { spec, state, list, tasksFile } = view;
  const path = specPath(spec, documentOf("tasks"));
  const again = state.phase === "execution" ? "ralph_tasks with redo: true" : "ralph_tasks";
  const hint = `Call ${again} and write ${path}, then call ralph_implement.`;
  const none = (why: string) =>
    missing(`Tasks not generated. Run ralph_tasks first. ${path} ${why}.`, hint);
  if (list === null) {
    if (tasksFile.problem !== null) throw tasksFile.problem;
    throw none("does not exist");
  }
  if (tasksFile.text!.trim() === "") throw none("is empty");
  if (list.tasks.length > 0) return list;
  throw missing(
    `Tasks not generated. Run ralph_tasks first. ${path} has no recognised tasks.`,
    `A task is a line in the first column such as "- [ ] 1.1 Title". ${
      brief(list.warnings.join(" "), 600)
    } ${hint}`,
  );
}
