/** The state file of a spec. Fields that other programs wrote survive every write. */

import { orElse } from "../../src/errors.ts";
import { renameFile } from "../../src/io/files.ts";
import { asObject, isObject, textOf } from "../../src/io/json.ts";
import { exists } from "../../src/io/paths.ts";
import { readFile, readFolder, specsFolder } from "./files.ts";
import { type DocumentPhase, isDocumentPhase, isPhase, type Phase } from "./phases.ts";
import { specFile, type SpecFolder, specPath } from "./folders.ts";

export const STATE_FILE = ".ralph-state.json";

const BACKUP = `${STATE_FILE}.bak`;

/** Counters that other programs read, and that have to be integers of at least 0. */
const COUNTERS = [
  "taskIndex",
  "totalTasks",
  "taskIteration",
  "maxTaskIterations",
  "globalIteration",
  "maxGlobalIterations",
] as const;

export interface Blocked {
  /** Its stamp; a task that was rewritten since is not blocked any more. */
  readonly stamp: string;
  readonly reason: string;
  /** How often it had been handed out, if that is the reason. */
  readonly attempts?: number;
}

export interface State {
  readonly raw: Readonly<Record<string, unknown>>;
  /** The text of the file. */
  readonly text: string;
  readonly phase: Phase;
  readonly quick: boolean;
  /** Whether a document waits for the user's approval. */
  readonly awaitingApproval: boolean;
  /** The earlier phases whose documents are being revised. */
  readonly redoing: readonly DocumentPhase[];
  readonly blocked: Blocked | null;
  /** When the execution was completed, as an ISO date. */
  readonly completedAt: string | null;
  /** How often each open task was handed out, by its stamp. */
  readonly attempts: ReadonlyMap<string, number>;
  /** The key of the task that was handed out last, and how many were ticked then. */
  readonly lastHandOut: { readonly key: string; readonly done: number } | null;
}

function stateOf(
  raw: Readonly<Record<string, unknown>>,
  phase: Phase,
  text: string = JSON.stringify(raw, null, 2),
): State {
  const redone = raw["redoPhases"];
  const attempts = Object.entries(asObject(raw["taskAttempts"]));
  const last = asObject(raw["handedOut"]);
  const key = textOf(last["key"]);
  const done = asCounter(last["done"]);
  return {
    raw,
    text,
    phase,
    quick: raw["quickMode"] === true,
    awaitingApproval: raw["awaitingApproval"] === true,
    redoing: Array.isArray(redone) ? [...new Set(redone.filter(isDocumentPhase))] : [],
    blocked: blockedOf(asObject(raw["blockedTask"])),
    completedAt: textOf(raw["completedAt"]) ?? null,
    attempts: new Map(attempts.map(([stamp, count]) => [stamp, asCounter(count) ?? 0])),
    lastHandOut: key === undefined || done === undefined ? null : { key, done },
  };
}

/** A counter of the state; 0 if it is missing or no number. */
export function counterOf(state: State | null, name: typeof COUNTERS[number]): number {
  return asCounter(state?.raw[name]) ?? 0;
}

function blockedOf(value: Readonly<Record<string, unknown>>): Blocked | null {
  const stamp = textOf(value["stamp"]);
  const reason = textOf(value["reason"]);
  if (stamp === undefined || reason === undefined) return null;
  const attempts = asCounter(value["attempts"]);
  return { stamp, reason, ...(attempts === undefined ? {} : { attempts }) };
}

/**
 * Reads the state of a spec, which needs only a valid phase. Returns `null` if there is no file,
 * and a text if it cannot be used: why.
 */
export function readState(folder: SpecFolder): State | string | null {
  const text = orElse(() => readFile(folder.cwd, specFile(folder, STATE_FILE)), undefined);
  if (text === undefined) return "the file cannot be read";
  if (text === null) return null;
  const raw = orElse(() => {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    // Throws if it is nested too deeply to be written back.
    JSON.stringify(value, null, 2);
    return value;
  }, undefined);
  if (raw === undefined) return "it is not valid JSON";
  if (!isObject(raw)) return "it is not a JSON object";
  const phase = raw["phase"];
  if (isPhase(phase)) return stateOf(raw, phase, text);
  return phase === undefined ? "it has no phase" : "its phase is unknown";
}

/** The state with changes: `undefined` removes a field, and all other fields stay. */
export function changedState(
  { name, state }: { readonly name: string; readonly state: State | null },
  changes: Readonly<Record<string, unknown>>,
): State {
  const raw: Record<string, unknown> = {
    // Other programs need these three; here the folder decides.
    source: "spec",
    name,
    basePath: `./specs/${name}`,
    ...state?.raw,
  };
  for (const counter of COUNTERS) raw[counter] = asCounter(raw[counter]);
  Object.assign(raw, changes, {
    revision: (asCounter(raw["revision"]) ?? 0) + 1,
    updatedAt: new Date().toISOString(),
  });
  // They say more about fields that are gone.
  if (raw["awaitingApproval"] !== true) delete raw["approvalFor"];
  if (raw["completedAt"] === undefined) delete raw["openAtCompletion"];
  for (const [key, value] of Object.entries(raw)) if (value === undefined) delete raw[key];
  const phase = raw["phase"];
  return stateOf(raw, isPhase(phase) ? phase : "research");
}

/** Renames the state file to a free backup name, and returns that. */
export function backUp(folder: SpecFolder): string {
  const isTaken = exists(specFile(folder, BACKUP));
  const name = isTaken ? `${BACKUP}-${Date.now()}-${crypto.randomUUID().slice(0, 4)}` : BACKUP;
  renameFile(specsFolder(folder.cwd), specFile(folder, STATE_FILE), specFile(folder, name));
  return name;
}

/** The newest backup of the state, or `null`. */
export function newestBackup(folder: SpecFolder): string | null {
  const names = readFolder(folder.cwd, folder.dir).map((entry) => entry.name);
  return names.filter((name) => name.startsWith(BACKUP)).sort().at(-1) ?? null;
}

/** A note on where a corrupt state file was kept. */
export function backupNotes(folder: SpecFolder, backup: string | null | undefined): string[] {
  return backup ? [`The corrupt state file was kept as ${specPath(folder, backup)}.`] : [];
}

/** A text field of the state; `undefined` if it is empty or no text. */
export function textField(state: State | null, key: string): string | undefined {
  return textOf(state?.raw[key]) || undefined;
}

/** An object field of the state, or an empty one. */
export function objectField(state: State, key: string): Readonly<Record<string, unknown>> {
  return asObject(state.raw[key]);
}

/** A value as an integer of at least 0; `undefined` if it is no such number. */
export function asCounter(value: unknown): number | undefined {
  if (typeof value !== "number" || !Number.isFinite(value) || value < 0) return undefined;
  return Math.min(Math.floor(value), Number.MAX_SAFE_INTEGER);
}
