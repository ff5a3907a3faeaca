/**
 * The library: what `mod.ts` exports. It imports npm packages only when a
 * function is called.
 *
 * @module
 */

export { RefraktError } from "./errors.ts";
