/** Everything on disk about a spec, read once per call. */

import { RefraktError } from "../../src/errors.ts";
import { isUntouched } from "./documents/mod.ts";
import { brief, invalidState, missing, type NoState } from "./failures.ts";
import { readFile } from "./files.ts";
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

export interface ReadFile {
  /** The text; `null` if it does not exist or cannot be read. */
  readonly text: string | null;
  /** Why it cannot be read. */
  readonly problem: RefraktError | null;
}

interface SpecFiles {
  readonly spec: Spec;
  /** The arguments that name the spec in the next call; none for the current spec. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly state: State | null;
  /** The text of a valid state file, or `null`. */
  readonly stateText: string | null;
  readonly noState: NoState | null;
  readonly documents: Readonly<Record<DocumentPhase, ReadFile>>;
  readonly progressFile: ReadFile;
}

export interface View extends SpecFiles {
  /** The documents that contain more than the template. */
  readonly written: ReadonlySet<DocumentPhase>;
  readonly list: TaskList | null;
  readonly progress: Progress | null;
  /** The goal from the progress file, which people edit; else from the state. */
  readonly goal: string;
}

export interface SoundView extends View {
  readonly state: State;
  readonly noState: null;
}

/** Reads a spec, and changes nothing. */
export function look(spec: Spec, isNamed: boolean): View {
  const read = readState(spec);
  const progressFile = readSpecFile(spec, PROGRESS_FILE);
  const documentFor = (phase: DocumentPhase) => readSpecFile(spec, documentOf(phase));
  const documents = {
    research: documentFor("research"),
    requirements: documentFor("requirements"),
    design: documentFor("design"),
    tasks: documentFor("tasks"),
  };
  const args = isNamed ? { spec_name: spec.name } : {};
  const files = { spec, args, documents, progressFile };
  if (read.kind === "ok") {
    return viewOf({ ...files, state: read.state, stateText: read.text, noState: null });
  }
  const noState: NoState = read.kind === "corrupt"
    ? { kind: "corrupt", reason: read.reason, backup: null }
    : whyMissing(spec, progressFile);
  return viewOf({ ...files, state: null, stateText: null, noState });
}

function viewOf(files: SpecFiles): View {
  const { spec, documents, progressFile } = files;
  const progress = progressFile.text === null ? null : parseProgress(progressFile.text);
  const { text } = documents.tasks;
  return {
    ...files,
    written: new Set(DOCUMENT_PHASES.filter((phase) => {
      const { text } = documents[phase];
      return text !== null && notWritten(phase, spec.name, text) === null;
    })),
    list: text === null ? null : parseTasks(text),
    progress,
    goal: goalOf(files, progress),
  };
}

function goalOf({ spec, state }: Pick<SpecFiles, "spec" | "state">, progress: Progress | null) {
  return progress?.goal ?? textField(state, "goal") ?? `Implement ${spec.name}`;
}

/** The view after a change of the state and, if given, of the tasks. */
export function withState(
  view: View,
  state: State,
  stateText: string,
  tasks: { readonly text: string; readonly list: TaskList } | undefined,
): SoundView {
  const after = {
    ...view,
    state,
    stateText,
    noState: null,
    goal: goalOf({ ...view, state }, view.progress),
  };
  if (tasks === undefined) return after;
  const { text, list } = tasks;
  return {
    ...after,
    list,
    written: new Set([...view.written, "tasks"]),
    documents: { ...view.documents, tasks: { text, problem: null } },
  };
}

/** The view after a change of the progress file. */
export function withProgress(view: SoundView, text: string): SoundView {
  const progress = parseProgress(text);
  return { ...view, progressFile: { text, problem: null }, progress, goal: goalOf(view, progress) };
}

function readSpecFile(spec: Spec, name: string): ReadFile {
  try {
    return { text: readFile(spec.cwd, specFile(spec, name)), problem: null };
  } catch (error) {
    if (!(error instanceof RefraktError)) throw error;
    return { text: null, problem: error };
  }
}

/** Why a text is not a document yet, or `null`. */
export function notWritten(phase: DocumentPhase, spec: string, text: string): string | null {
  if (text.trim() === "") return "empty";
  return isUntouched(phase, spec, text) ? "still the template" : null;
}

function whyMissing(spec: Spec, { text }: ReadFile): NoState {
  const backup = newestBackup(spec);
  if (text !== null && parseProgress(text).cancelled) {
    return { kind: "cancelled", reason: "", backup };
  }
  return backup === null
    ? { kind: "missing", reason: "", backup }
    : { kind: "corrupt", reason: "an earlier call renamed it", backup };
}

/** The phase that the documents imply. */
export function inferPhase(view: View): Phase {
  const last = DOCUMENT_PHASES.findLast((phase) => view.written.has(phase));
  if (last === undefined) return "research";
  if (last !== "tasks") return phaseAfter(last);
  return view.list !== null && doneCount(view.list) > 0 ? "execution" : "tasks";
}

/** Changes a spec under the lock. Starts again if an editor writes the same files meanwhile. */
export async function changeSpec<T>(
  cwd: string,
  wanted: string | undefined,
  signal: AbortSignal,
  change: (view: SoundView) => T,
): Promise<T> {
  return await withLock(cwd, signal, () => {
    const view = look(resolveSpec(cwd, wanted), wanted !== undefined);
    if (isSound(view)) return change(view);
    const { spec, noState } = view;
    const isInPlace = noState?.kind === "corrupt" && noState.backup === null;
    throw invalidState(spec.name, { ...noState!, ...(isInPlace ? { backup: backUp(spec) } : {}) });
  });
}

export function isSound(view: View): view is SoundView {
  return view.state !== null;
}

/** @throws {RefraktError} `MISSING_PREREQUISITES` if there are no tasks. */
export function requireTasks({ spec, state, list, documents }: SoundView): TaskList {
  if (list !== null && list.tasks.length > 0) return list;
  const { text, problem } = documents.tasks;
  if (problem !== null) throw problem;
  const path = specPath(spec, documentOf("tasks"));
  const why = text === null
    ? "does not exist"
    : text.trim() === ""
    ? "is empty"
    : "has no recognised tasks";
  const syntax = text?.trim()
    ? `A task is a line in the first column such as "- [ ] 1.1 Title". ${
      brief(list!.warnings.join(" "), 600)
    } `
    : "";
  const tool = state.phase === "execution" ? "ralph_tasks with redo: true" : "ralph_tasks";
  throw missing(
    `Tasks not generated. Run ralph_tasks first. ${path} ${why}.`,
    `${syntax}Call ${tool} and write ${path}, then call ralph_implement.`,
  );
}
