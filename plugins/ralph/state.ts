/** The state file of a spec. Fields that other programs wrote survive every write. */

import * as z from "zod";
import { orElse } from "../../src/errors.ts";
import { renameFile } from "../../src/io/files.ts";
import { isObject } from "../../src/io/json.ts";
import { exists } from "../../src/io/paths.ts";
import { readFile, readFolder, specsFolder } from "./files.ts";
import { specFile, type SpecFolder, specPath } from "./folders.ts";
import { DOCUMENT_PHASES, type Phase, PHASES } from "./phases.ts";

export const STATE_FILE = ".ralph-state.json";

const BACKUP = `${STATE_FILE}.bak`;

// An invalid value of a field counts as none.
const FLAG = z.boolean().catch(false);
const TEXT = z.string().min(1).optional().catch(undefined);
const DOCUMENT_PHASE = z.enum(DOCUMENT_PHASES).optional().catch(undefined);
const COUNT = z.number().min(0)
  .transform((count) => Math.min(Math.floor(count), Number.MAX_SAFE_INTEGER));
const COUNTER = COUNT.optional().catch(undefined);

/** What is stored about a task by its id. */
const ENTRIES = z.record(
  z.string(),
  z.looseObject({
    attempts: COUNTER,
    count: COUNTER,
    fixTaskIds: z.array(z.string()).optional().catch(undefined),
  }).catch({}),
).catch({});

/** Counters that other programs read: integers of at least 0 in every state that is written. */
const COUNTERS = z.object({
  taskIndex: COUNT.catch(0),
  totalTasks: COUNT.catch(0),
  taskIteration: COUNT.catch(0),
  maxTaskIterations: COUNT.catch(5),
  globalIteration: COUNT.catch(0),
  maxGlobalIterations: COUNT.refine((count) => count > 0).catch(100),
});

const BLOCKED = z.object({
  /** Its stamp; a task that was rewritten since is not blocked any more. */
  stamp: z.string(),
  reason: z.string(),
  /** How often it had been handed out, if that is the reason. */
  attempts: COUNTER,
});

const STATE = COUNTERS.extend({
  phase: z.enum(PHASES),
  goal: TEXT,
  quickMode: FLAG,
  workflow: z.enum(["poc", "tdd", "bugfix"]).optional().catch(undefined),
  granularity: z.enum(["auto", "fine", "coarse"]).optional().catch(undefined),
  /** Whether a document waits for the user's approval, and which one. */
  awaitingApproval: FLAG,
  approvalFor: DOCUMENT_PHASE,
  /** The earlier phases whose documents are being revised. */
  redoPhases: z.array(DOCUMENT_PHASE).catch([])
    .transform((phases) => phases.filter((phase) => phase !== undefined)),
  blockedTask: BLOCKED.optional().catch(undefined),
  /** When the execution was completed, as an ISO date, and how many tasks were open then. */
  completedAt: TEXT,
  openAtCompletion: COUNT.catch(0),
  /** How often each open task was handed out, by its stamp. */
  taskAttempts: z.record(z.string(), COUNT.catch(0)).catch({}),
  fixTaskMap: ENTRIES,
  modificationMap: ENTRIES,
});

export type Blocked = z.output<typeof BLOCKED>;

export interface State extends z.output<typeof STATE> {
  readonly raw: Readonly<Record<string, unknown>>;
  /** The text of the file. */
  readonly text: string;
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
  const fields = STATE.safeParse(raw);
  if (fields.success) return { ...fields.data, raw, text };
  return raw["phase"] === undefined ? "it has no phase" : "its phase is unknown";
}

/** The state with changes: `undefined` removes a field, and all other fields stay. */
export function changedState(
  { name, state }: { readonly name: string; readonly state: State | null },
  changes: Readonly<Record<string, unknown>>,
): State {
  const raw: Record<string, unknown> = {
    // Other programs need these; here the folder decides.
    source: "spec",
    name,
    basePath: `./specs/${name}`,
    phase: "research",
    ...state?.raw,
  };
  Object.assign(raw, COUNTERS.parse(raw), changes, {
    revision: COUNT.catch(0).parse(raw["revision"]) + 1,
    updatedAt: new Date().toISOString(),
  });
  // They say more about fields that are gone.
  if (raw["awaitingApproval"] !== true) delete raw["approvalFor"];
  if (raw["completedAt"] === undefined) delete raw["openAtCompletion"];
  for (const [key, value] of Object.entries(raw)) if (value === undefined) delete raw[key];
  return { ...STATE.parse(raw), raw, text: JSON.stringify(raw, null, 2) };
}

/** The field `redoPhases` without these phases: what else it holds stays; `undefined` if empty. */
export function redoWithout({ raw }: State, phases: readonly Phase[]): unknown[] | undefined {
  const items: unknown = raw["redoPhases"];
  const others = Array.isArray(items) ? items.filter((item) => !phases.includes(item)) : [];
  return others.length > 0 ? others : undefined;
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
