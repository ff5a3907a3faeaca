/** The name and version of this server. */

import manifest from "../deno.json" with { type: "json" };

export const VERSION: string = manifest.version;
