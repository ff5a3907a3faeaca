/**
 * What a list shows of the tools that every project with a plan has, as JSON sorted by name, for each
 * listed version of the plan plugin: the build replaces this module with one that contains them, so
 * that the first list waits for no other module.
 */

/** A checkout has none, and makes its lists of the declarations. */
export const BUILT_TOOLS: Readonly<Record<string, string>> = {};
