/**
 * The state file of a spec. What others wrote in it survives every write.
 *
 * @module
 */

import { RefraktError } from "../../src/errors.ts";
import { corruptState, missingState } from "./failures.ts";
import { lstatIfExists, readText, removeFile, writeText } from "./files.ts";
import { withLock } from "./lock.ts";
import { isPhase, type Phase } from "./phases.ts";
import { wasCancelled } from "./progress.ts";
import { type Spec, specFile } from "./specs.ts";

/** The state file. */
export const STATE_FILE = ".ralph-state.json";

const BACKUP = `${STATE_FILE}.bak`;

/** Counters that other programs keep in the file, and that have to be whole and not negative. */
const COUNTERS = [
  "taskIndex",
  "totalTasks",
  "taskIteration",
  "maxTaskIterations",
  "globalIteration",
  "maxGlobalIterations",
] as const;

/** What a state file says, as far as it is understood. */
export interface State {
  /** The whole object, as it is on disk. */
  readonly raw: Readonly<Record<string, unknown>>;
  /** The phase. */
  readonly phase: Phase;
  /** Whether the spec runs without stops for approval. */
  readonly quick: boolean;
  /** Whether a finished phase waits for the user's approval. */
  readonly awaitingApproval: boolean;
  /** When the execution was completed. */
  readonly completedAt: string | null;
  /** The counters that are usable. */
  readonly counters: Readonly<Partial<Record<typeof COUNTERS[number], number>>>;
}

/** What was found where the state should be. */
export type StateRead =
  | { readonly kind: "ok"; readonly state: State }
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
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    return { kind: "corrupt", reason: "it is not a JSON object" };
  }
  const fields = raw as Record<string, unknown>;
  const phase = fields["phase"];
  if (!isPhase(phase)) {
    return {
      kind: "corrupt",
      reason: phase === undefined ? "it has no phase" : "its phase is unknown",
    };
  }
  const counters: Partial<Record<typeof COUNTERS[number], number>> = {};
  for (const name of COUNTERS) {
    const value = asCounter(fields[name]);
    if (value !== undefined) counters[name] = value;
  }
  return {
    kind: "ok",
    state: {
      raw: fields,
      phase,
      quick: fields["quickMode"] === true,
      awaitingApproval: fields["awaitingApproval"] === true,
      completedAt: typeof fields["completedAt"] === "string" ? fields["completedAt"] : null,
      counters,
    },
  };
}

/** Reads the state of a spec; changes nothing. */
export function readState(spec: Spec): StateRead {
  let text: string | null;
  try {
    text = readText(spec.cwd, specFile(spec, STATE_FILE));
  } catch (error) {
    if (!(error instanceof RefraktError)) throw error;
    return { kind: "corrupt", reason: "it cannot be read, is no file or leads outside" };
  }
  return text === null ? { kind: "missing" } : parseState(text);
}

/** The state of a spec as {@linkcode requireLocked} has it, for calls that do not hold the lock. */
export async function requireState(spec: Spec, signal: AbortSignal): Promise<State> {
  const read = readState(spec);
  if (read.kind === "ok") return read.state;
  if (read.kind === "missing") throw whyMissing(spec);
  try {
    return await withLock(spec.cwd, signal, () => requireLocked(spec));
  } catch (error) {
    // Without the lock nothing can be moved either.
    if (error instanceof RefraktError && error.code === "FILE_OPERATION_FAILED") {
      throw corruptState(spec.name, null, read.reason);
    }
    throw error;
  }
}

/**
 * The state of a spec. A corrupt file is moved to a backup that replaces no other.
 * The caller holds the lock.
 *
 * @throws {RefraktError} `INVALID_STATE` where it is corrupt or missing.
 */
export function requireLocked(spec: Spec): State {
  const read = readState(spec);
  if (read.kind === "ok") return read.state;
  if (read.kind === "missing") throw whyMissing(spec);
  throw corruptState(spec.name, backUp(spec), read.reason);
}

/** Moves the state file to a free backup name; `null` where that is not possible. */
export function backUp(spec: Spec): string | null {
  const stamp = new Date().toISOString().slice(0, 19).replace(/[-:]/g, "");
  for (let count = 0; count < 1000; count++) {
    const name = count === 0
      ? BACKUP
      : count === 1
      ? `${BACKUP}-${stamp}`
      : `${BACKUP}-${stamp}-${count}`;
    try {
      if (lstatIfExists(specFile(spec, name)) !== null) continue;
      Deno.renameSync(specFile(spec, STATE_FILE), specFile(spec, name));
      return name;
    } catch {
      return null;
    }
  }
  return null;
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

/**
 * Writes the state: what `changes` names is set (or removed, where it is `undefined`),
 * everything else stays. The caller holds the lock and has just read `before`.
 *
 * @returns The new state.
 */
export function writeState(
  spec: Spec,
  before: Readonly<Record<string, unknown>>,
  changes: Readonly<Record<string, unknown>>,
): State {
  const raw: Record<string, unknown> = { ...before };
  for (const name of COUNTERS) {
    if (raw[name] === undefined) continue;
    const value = asCounter(raw[name]);
    if (value === undefined) delete raw[name];
    else raw[name] = value;
  }
  // Other programs want these three; ours takes them from the folder.
  if (typeof raw["source"] !== "string") raw["source"] = "spec";
  if (typeof raw["name"] !== "string") raw["name"] = spec.name;
  if (typeof raw["basePath"] !== "string") raw["basePath"] = `./specs/${spec.name}`;
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) delete raw[key];
    else raw[key] = value;
  }
  raw["revision"] = (asCounter(raw["revision"]) ?? 0) + 1;
  raw["updatedAt"] = new Date().toISOString();
  const text = JSON.stringify(raw, null, 2);
  writeText(spec.cwd, specFile(spec, STATE_FILE), text);
  const read = parseState(text);
  if (read.kind !== "ok") throw corruptState(spec.name, null, "a write went wrong");
  return read.state;
}

/** Removes the state file. */
export function removeState(spec: Spec): void {
  removeFile(spec.cwd, specFile(spec, STATE_FILE));
}

/** A text field of the state, or `undefined`. */
export function textField(state: State, key: string): string | undefined {
  const value = state.raw[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** An object field of the state, or an empty one. */
export function objectField(state: State, key: string): Readonly<Record<string, unknown>> {
  const value = state.raw[key];
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Record<string, unknown>
    : {};
}

/** A value as a counter, or `undefined` where it cannot be one. */
export function asCounter(value: unknown): number | undefined {
  if (typeof value !== "number" || !Number.isFinite(value) || value < 0) return undefined;
  return Math.min(Math.floor(value), Number.MAX_SAFE_INTEGER);
}

/** Why there is no state: cancelled, moved away earlier, or never there. */
function whyMissing(spec: Spec): RefraktError {
  if (wasCancelled(spec)) return missingState(spec.name, true);
  const backup = newestBackup(spec);
  return backup === null
    ? missingState(spec.name, false)
    : corruptState(spec.name, backup, "it was moved away earlier");
}
