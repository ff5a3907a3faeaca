/**
 * The state file of a spec. What others wrote in it survives every write.
 *
 * @module
 */

import { RefraktError } from "../../src/errors.ts";
import { isObject } from "../../src/io/json.ts";
import { lstatIfExists, readFile, removeFile } from "./files.ts";
import { type DocumentPhase, isDocumentPhase, isPhase, type Phase } from "./phases.ts";
import { type Spec, specFile } from "./specs.ts";

/** The state file. */
export const STATE_FILE = ".ralph-state.json";

const BACKUP = `${STATE_FILE}.bak`;

/** The deepest state that is kept: one that is deeper could not be written back. */
const MAX_DEPTH = 200;

/** Counters that other programs keep in the file, and that have to be whole and not negative. */
const COUNTERS = [
  "taskIndex",
  "totalTasks",
  "taskIteration",
  "maxTaskIterations",
  "globalIteration",
  "maxGlobalIterations",
] as const;

/** A task that waits for the user. */
export interface Blocked {
  /** The key of the task. */
  readonly key: string;
  /** What the task said then; a rewritten task is not blocked any more. */
  readonly text: string;
  /** Why it waits. */
  readonly reason: string;
  /** How often it had been handed out, where that is the reason. */
  readonly attempts?: number;
}

/** What a state file says, as far as it is understood. */
export interface State {
  /** The whole object, as it is on disk. */
  readonly raw: Readonly<Record<string, unknown>>;
  /** The phase. */
  readonly phase: Phase;
  /** Whether the spec runs without stops for approval. */
  readonly quick: boolean;
  /** Whether a finished or revised document waits for the user's approval. */
  readonly awaitingApproval: boolean;
  /** The earlier phases whose documents are being revised. */
  readonly redoing: readonly DocumentPhase[];
  /** The task that waits for the user. */
  readonly blocked: Blocked | null;
  /** When the execution was completed. */
  readonly completedAt: string | null;
  /** The counters that are usable. */
  readonly counters: Readonly<Partial<Record<typeof COUNTERS[number], number>>>;
}

/** What was found where the state should be. */
export type StateRead =
  | { readonly kind: "ok"; readonly state: State; readonly text: string }
  | { readonly kind: "missing" }
  | { readonly kind: "corrupt"; readonly reason: string };

/** Understands the text of a state file; only a usable phase is required. */
export function parseState(text: string): StateRead {
  let raw: unknown;
  try {
    raw = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return { kind: "corrupt", reason: "it is not valid JSON" };
  }
  if (!isObject(raw)) return { kind: "corrupt", reason: "it is not a JSON object" };
  if (isDeeper(raw, MAX_DEPTH)) return { kind: "corrupt", reason: "it is nested too deeply" };
  const phase = raw["phase"];
  if (!isPhase(phase)) {
    const reason = phase === undefined ? "it has no phase" : "its phase is unknown";
    return { kind: "corrupt", reason };
  }
  return { kind: "ok", state: stateOf(raw, phase), text };
}

/** The state that an object stands for. */
function stateOf(raw: Readonly<Record<string, unknown>>, phase: Phase): State {
  const counters: Partial<Record<typeof COUNTERS[number], number>> = {};
  for (const name of COUNTERS) {
    const value = asCounter(raw[name]);
    if (value !== undefined) counters[name] = value;
  }
  const redone = raw["redoPhases"];
  return {
    raw,
    phase,
    quick: raw["quickMode"] === true,
    awaitingApproval: raw["awaitingApproval"] === true,
    redoing: Array.isArray(redone) ? [...new Set(redone.filter(isDocumentPhase))] : [],
    blocked: blockedOf(raw["blockedTask"]),
    completedAt: typeof raw["completedAt"] === "string" ? raw["completedAt"] : null,
    counters,
  };
}

function blockedOf(value: unknown): Blocked | null {
  if (!isObject(value)) return null;
  const { key, text, reason } = value;
  if (typeof key !== "string" || typeof text !== "string" || typeof reason !== "string") {
    return null;
  }
  const attempts = asCounter(value["attempts"]);
  return { key, text, reason, ...(attempts === undefined ? {} : { attempts }) };
}

/** Reads the state of a spec; changes nothing. */
export function readState(spec: Spec): StateRead {
  try {
    const file = readFile(spec.cwd, specFile(spec, STATE_FILE));
    if (file === null) return { kind: "missing" };
    return file.cut ? { kind: "corrupt", reason: "it is too large" } : parseState(file.text);
  } catch (error) {
    if (!(error instanceof RefraktError)) throw error;
    return { kind: "corrupt", reason: "it cannot be read, is no file or leads outside" };
  }
}

/**
 * The state with changes: what they name is set (or removed, where it is `undefined`),
 * everything else stays.
 */
export function changedState(
  spec: Spec,
  before: State | null,
  changes: Readonly<Record<string, unknown>>,
): State {
  const raw: Record<string, unknown> = {
    // Other programs want these three; ours takes them from the folder.
    source: "spec",
    name: spec.name,
    basePath: `./specs/${spec.name}`,
    ...before?.raw,
  };
  for (const name of COUNTERS) if (raw[name] !== undefined) raw[name] = asCounter(raw[name]);
  Object.assign(raw, changes);
  raw["revision"] = (asCounter(raw["revision"]) ?? 0) + 1;
  raw["updatedAt"] = new Date().toISOString();
  for (const [key, value] of Object.entries(raw)) if (value === undefined) delete raw[key];
  const phase = raw["phase"];
  return stateOf(raw, isPhase(phase) ? phase : "research");
}

/** Moves the state file to a free backup name; `null` where that is not possible. */
export function backUp(spec: Spec): string | null {
  const stamp = new Date().toISOString().slice(0, 19).replace(/[-:]/g, "");
  const names = [BACKUP, `${BACKUP}-${stamp}`];
  for (let count = 2; count < 1000; count++) names.push(`${BACKUP}-${stamp}-${count}`);
  try {
    const name = names.find((name) => lstatIfExists(specFile(spec, name)) === null);
    if (name === undefined) return null;
    Deno.renameSync(specFile(spec, STATE_FILE), specFile(spec, name));
    return name;
  } catch {
    return null;
  }
}

/** The newest backup of the state, or `null`. */
export function newestBackup(spec: Spec): string | null {
  try {
    const names = [...Deno.readDirSync(spec.dir)].map((entry) => entry.name)
      .filter((name) => name === BACKUP || name.startsWith(`${BACKUP}-`));
    return names.sort().at(-1) ?? null;
  } catch {
    return null;
  }
}

/** Removes the state file. */
export function removeState(spec: Spec): void {
  removeFile(spec.cwd, specFile(spec, STATE_FILE));
}

/** A text field of the state, or `undefined`. */
export function textField(state: State | null, key: string): string | undefined {
  const value = state?.raw[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** An object field of the state, or an empty one. */
export function objectField(state: State, key: string): Readonly<Record<string, unknown>> {
  const value = state.raw[key];
  return isObject(value) ? value : {};
}

/** A value as a counter, or `undefined` where it cannot be one. */
export function asCounter(value: unknown): number | undefined {
  if (typeof value !== "number" || !Number.isFinite(value) || value < 0) return undefined;
  return Math.min(Math.floor(value), Number.MAX_SAFE_INTEGER);
}

function isDeeper(value: unknown, limit: number): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((item) =>
      typeof item === "object" && item !== null ? Object.values(item) : []
    );
  }
  return false;
}
