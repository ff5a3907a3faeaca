/**
 * The name and the version of this server.
 *
 * @module
 */

import manifest from "../deno.json" with { type: "json" };

/** The version, as published. */
export const VERSION: string = manifest.version;
