/** A spec: everything on disk about it, read once per call. */

import { orElse, RefraktError } from "../../src/errors.ts";
import type { CallContext } from "../../src/plugin/context.ts";
import { isUntouched } from "./documents.ts";
import { invalidState, type NoState } from "./failures.ts";
import { readFile, withLock } from "./files.ts";
import { findFolder, specFile, type SpecFolder } from "./folders.ts";
import { DOCUMENT_PHASES, documentOf, phaseAfter } from "./phases.ts";
import type { DocumentPhase, Phase } from "./phases.ts";
import { parseProgress, type Progress, PROGRESS_FILE } from "./progress.ts";
import { backUp, newestBackup, readState, type State } from "./state.ts";
import { parseTasks, type TaskList } from "./tasks.ts";

/** The text of a file; `null` if there is none, or if it cannot be read because of `problem`. */
interface FileText {
  readonly text: string | null;
  readonly problem: RefraktError | null;
}

type FileName = ReturnType<typeof documentOf> | typeof PROGRESS_FILE;

interface OnDisk extends SpecFolder {
  /** The arguments that name the spec in the next call; none for the current spec. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly state: State | null;
  /** Why there is no state. */
  readonly noState: NoState | null;
  readonly files: Readonly<Record<FileName, FileText>>;
}

export interface Spec extends OnDisk {
  /** The documents that contain more than the template. */
  readonly written: ReadonlySet<DocumentPhase>;
  readonly list: TaskList | null;
  readonly progress: Progress | null;
  /** The goal from the progress file, which people edit; else from the state. */
  readonly goal: string;
}

export type SoundSpec = Spec & { readonly state: State };

/** Reads a spec, and changes nothing. */
export function readSpec(folder: SpecFolder, isNamed: boolean): Spec {
  const state = readState(folder);
  const names = [...DOCUMENT_PHASES.map(documentOf), PROGRESS_FILE] as const;
  const files = Object.fromEntries(names.map((name) => [name, fileText(folder, name)]));
  const spec = specOf({
    ...folder,
    args: isNamed ? { spec_name: folder.name } : {},
    state: typeof state === "string" ? null : state,
    noState: typeof state === "string" ? { kind: "corrupt", reason: state, backup: null } : null,
    files: files as Record<FileName, FileText>,
  });
  return state === null ? { ...spec, noState: whyMissing(spec) } : spec;
}

/** Reads a file of a spec, or says why it cannot be read. */
function fileText(folder: SpecFolder, name: string): FileText {
  try {
    return { text: readFile(folder.cwd, specFile(folder, name)), problem: null };
  } catch (error) {
    if (!(error instanceof RefraktError)) throw error;
    return { text: null, problem: error };
  }
}

/** What the files and the state of a spec say together. */
export function specOf(disk: OnDisk): Spec {
  const { name, state, files } = disk;
  const tasks = files["tasks.md"].text;
  const notes = files[PROGRESS_FILE].text;
  const progress = notes === null ? null : parseProgress(notes);
  return {
    ...disk,
    written: new Set(DOCUMENT_PHASES.filter((phase) => {
      const { text } = files[documentOf(phase)];
      return text !== null && notWritten(phase, name, text) === null;
    })),
    list: tasks === null ? null : parseTasks(tasks),
    progress,
    goal: progress?.goal ?? state?.goal ?? `Implement ${name}`,
  };
}

/** The spec with another text of a file. */
export function withFile(spec: Spec, name: FileName, text: string): Spec {
  return specOf({ ...spec, files: { ...spec.files, [name]: { text, problem: null } } });
}

/** Why a text is not a document yet, or `null`. */
export function notWritten(phase: DocumentPhase, spec: string, text: string): string | null {
  if (text.trim() === "") return "empty";
  return isUntouched(phase, spec, text) ? "still the template" : null;
}

function whyMissing(spec: Spec): NoState {
  const backup = newestBackup(spec);
  if (spec.progress?.cancelled) return { kind: "cancelled", reason: "", backup };
  if (backup === null) return { kind: "missing", reason: "", backup };
  return { kind: "corrupt", reason: "an earlier call renamed it", backup };
}

/** The phase that the documents imply. */
export function inferPhase({ written, list }: Spec): Phase {
  const last = DOCUMENT_PHASES.findLast((phase) => written.has(phase));
  if (last === undefined) return "research";
  if (last !== "tasks") return phaseAfter(last);
  return list !== null && list.done > 0 ? "execution" : "tasks";
}

/** Changes a spec with a state under the lock. A corrupt state file is renamed. */
export async function changeSpec<T>(
  context: CallContext,
  wanted: string | undefined,
  change: (spec: SoundSpec) => T,
): Promise<T> {
  return await withLock(context, () => {
    const spec = readSpec(findFolder(context.project.cwd, wanted), wanted !== undefined);
    if (spec.state !== null) return change({ ...spec, state: spec.state });
    // Without permission to write, the file stays in place, and the error says so.
    throw invalidState(spec.name, orElse(() => withBackup(spec), spec).noState!);
  });
}

/** Renames a state file that is corrupt. The caller holds the lock. */
export function withBackup(spec: Spec): Spec {
  const { noState } = spec;
  if (noState?.kind !== "corrupt" || noState.backup !== null) return spec;
  return { ...spec, noState: { ...noState, backup: backUp(spec) } };
}
