/** The state file of a spec. Fields that other programs wrote survive every write. */

import { RefraktError } from "../../src/errors.ts";
import { renameFile } from "../../src/io/files.ts";
import { asObject, isObject, textOf } from "../../src/io/json.ts";
import { exists } from "../../src/io/paths.ts";
import { readFile, readFolder, specsFolder } from "./files.ts";
import { type DocumentPhase, isDocumentPhase, isPhase, type Phase } from "./phases.ts";
import { type Spec, specFile } from "./specs.ts";

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
}

function stateOf(
  raw: Readonly<Record<string, unknown>>,
  phase: Phase,
  text: string = JSON.stringify(raw, null, 2),
): State {
  const redone = raw["redoPhases"];
  return {
    raw,
    text,
    phase,
    quick: raw["quickMode"] === true,
    awaitingApproval: raw["awaitingApproval"] === true,
    redoing: Array.isArray(redone) ? [...new Set(redone.filter(isDocumentPhase))] : [],
    blocked: blockedOf(asObject(raw["blockedTask"])),
    completedAt: textOf(raw["completedAt"]) ?? null,
  };
}

/** A counter of the state; 0 if it is missing or no number. */
export function counterOf(state: State | null, name: typeof COUNTERS[number]): number {
  return asCounter(state?.raw[name]) ?? 0;
}

function blockedOf(value: Readonly<Record<string, unknown>>): Blocked | null {
  const [stamp, reason] = [textOf(value["stamp"]), textOf(value["reason"])];
  if (stamp === undefined || reason === undefined) return null;
  const attempts = asCounter(value["attempts"]);
  return { stamp, reason, ...(attempts === undefined ? {} : { attempts }) };
}

/**
 * Reads the state of a spec, which needs only a valid phase. Returns `null` if there is no file, and
 * a text if it cannot be used: why.
 */
export function readState(spec: Spec): State | string | null {
  let text: string | null;
  let raw: unknown;
  try {
    text = readFile(spec.cwd, specFile(spec, STATE_FILE));
  } catch (error) {
    if (!(error instanceof RefraktError)) throw error;
    return "the file cannot be read";
  }
  if (text === null) return null;
  try {
    raw = JSON.parse(text.replace(/^\uFEFF/, ""));
    // Throws if it is nested too deeply to be written back.
    JSON.stringify(raw, null, 2);
  } catch {
    return "it is not valid JSON";
  }
  if (!isObject(raw)) return "it is not a JSON object";
  const phase = raw["phase"];
  if (isPhase(phase)) return stateOf(raw, phase, text);
  return phase === undefined ? "it has no phase" : "its phase is unknown";
}

/** The state with changes: `undefined` removes a field, and all other fields stay. */
export function changedState(
  spec: Spec,
  before: State | null,
  changes: Readonly<Record<string, unknown>>,
): State {
  const raw: Record<string, unknown> = {
    // Other programs need these three; here the folder decides.
    source: "spec",
    name: spec.name,
    basePath: `./specs/${spec.name}`,
    ...before?.raw,
  };
  for (const name of COUNTERS) raw[name] = asCounter(raw[name]);
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
export function backUp(spec: Spec): string {
  const isTaken = exists(specFile(spec, BACKUP));
  const name = isTaken ? `${BACKUP}-${Date.now()}-${crypto.randomUUID().slice(0, 4)}` : BACKUP;
  const path = specFile(spec, STATE_FILE);
  renameFile(specsFolder(spec.cwd), path, specFile(spec, name));
  return name;
}

/** The newest backup of the state, or `null`. */
export function newestBackup(spec: Spec): string | null {
  const names = readFolder(spec.cwd, spec.dir).map((entry) => entry.name)
    .filter((name) => name.startsWith(BACKUP));
  return names.sort().at(-1) ?? null;
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
