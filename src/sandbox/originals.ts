/**
 * What this module uses of the runtime, taken before foreign code gets replacements
 * of it.
 *
 * @module
 */

/** The real Worker. */
export const RealWorker: typeof Worker = globalThis.Worker;

/** Ends the process. */
export const realExit: typeof Deno.exit = Deno.exit.bind(Deno);
