/**
 * What a running method of the engine talks to while it works.
 *
 * @module
 */

/** One step of long work: `progress` rises, `total` is known or left out. */
export interface EngineProgress {
  /** How much is done, in units of the work's own. */
  readonly progress: number;
  /** How much there is in all, in the same units. */
  readonly total?: number;
  /** One short line for a person. */
  readonly message?: string;
}

/** How a method is cancelled, and how it says how far it is. */
export interface Channels {
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Reports progress. */
  progress(update: EngineProgress): void;
}
