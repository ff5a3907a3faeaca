/**
 * What lists show of the tools of this package, as JSON by their source and its version. The build
 * replaces this module with one that contains them, so that the first list waits for no other module.
 */

/** A checkout has none, and makes its lists of the declarations. */
export const BUILT_TOOLS: Readonly<Record<string, string>> = {};
