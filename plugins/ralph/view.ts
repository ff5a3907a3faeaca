/** Everything on disk about a spec, read once per call. */

import { RefraktError } from "../../src/errors.ts";
import type { CallContext } from "../../src/tools/context.ts";
import { isUntouched } from "./documents/mod.ts";
import { invalidState, type NoState } from "./failures.ts";
import { readFile, withLock } from "./files.ts";
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
  readonly noState: NoState | null;
  readonly documents: Readonly<Record<DocumentPhase, ReadFile>>;
  readonly progressFile: ReadFile;
}

interface Derived {
  /** The documents that contain more than the template. */
  readonly written: ReadonlySet<DocumentPhase>;
  readonly list: TaskList | null;
  readonly progress: Progress | null;
  /** The goal from the progress file, which people edit; else from the state. */
  readonly goal: string;
}

export type View = SpecFiles & Derived;

export type SoundView = View & { readonly state: State };

/** Reads a spec, and changes nothing. */
export function look(spec: Spec, isNamed: boolean): View {
  const read = readState(spec);
  const progressFile = readSpecFile(spec, PROGRESS_FILE);
  const documentFor = (phase: DocumentPhase) => readSpecFile(spec, documentOf(phase));
  return viewOf({
    spec,
    args: isNamed ? { spec_name: spec.name } : {},
    state: typeof read === "string" ? null : read,
    noState: typeof read === "string"
      ? { kind: "corrupt", reason: read, backup: null }
      : read === null
      ? whyMissing(spec, progressFile)
      : null,
    documents: {
      research: documentFor("research"),
      requirements: documentFor("requirements"),
      design: documentFor("design"),
      tasks: documentFor("tasks"),
    },
    progressFile,
  });
}

/** The view of files. */
export function viewOf<Files extends SpecFiles>(files: Files): Files & Derived {
  const { spec, state, documents, progressFile } = files;
  const { text } = documents.tasks;
  const progress = progressFile.text === null ? null : parseProgress(progressFile.text);
  return {
    ...files,
    written: new Set(DOCUMENT_PHASES.filter((phase) => {
      const { text } = documents[phase];
      return text !== null && notWritten(phase, spec.name, text) === null;
    })),
    list: text === null ? null : parseTasks(text),
    progress,
    goal: progress?.goal ?? textField(state, "goal") ?? `Implement ${spec.name}`,
  };
}

/** Reads a file of a spec, or says why it cannot be read. */
export function readSpecFile(spec: Spec, name: string): ReadFile {
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
  context: CallContext,
  wanted: string | undefined,
  change: (view: SoundView) => T,
): Promise<T> {
  return await withLock(context, () => {
    const view = look(resolveSpec(context.project.cwd, wanted), wanted !== undefined);
    if (view.state !== null) return change({ ...view, state: view.state });
    let { noState } = view;
    try {
      noState = backedUp(view);
    } catch {
      // Without permission to write, the file stays in place, and the error says so.
    }
    throw invalidState(view.spec.name, noState!);
  });
}

/** Backs up a corrupt state file, and notes where it or an earlier one is. */
export function keepBackup(view: View, notes: string[]): void {
  const backup = backedUp(view)?.backup ?? null;
  if (backup === null) return;
  notes.push(`The corrupt state file was kept as ${specPath(view.spec, backup)}.`);
}

/** Why there is no state, after a corrupt file was renamed. */
function backedUp({ spec, noState }: View): NoState | null {
  const isInPlace = noState?.kind === "corrupt" && noState.backup === null;
  return isInPlace ? { ...noState, backup: backUp(spec) } : noState;
}
