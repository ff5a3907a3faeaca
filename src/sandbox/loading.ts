/**
 * Modules that a Worker loads of code that may be anybody's. One that never ends loading
 * takes the Worker with it: the server ends that, and starts another one without the module.
 *
 * @module
 */

import { RefraktError } from "../errors.ts";
import { currentCall } from "./call.ts";

const leftOut = new Set<string>();
let last: Promise<unknown> = Promise.resolve();

/** Leaves modules out from now on, by the names that {@linkcode loading} gives them. */
export function leaveOut(modules: readonly string[]): void {
  for (const module of modules) leftOut.add(module);
}

/**
 * Loads a module. In a Worker the server is told so meanwhile, and one is loaded after the
 * other, so that it is known which one does not end.
 *
 * @param module A name of the module that changes with its content.
 * @throws {RefraktError} `PLUGIN_LOAD_FAILED` for one that is left out; what loading it throws.
 */
export async function loading<Loaded>(
  module: string,
  load: () => Promise<Loaded>,
): Promise<Loaded> {
  if (leftOut.has(module)) {
    throw new RefraktError("PLUGIN_LOAD_FAILED", "it did not end loading, and is left out", {
      hint: "Mend the module, and call again; a package is loaded again when the server restarts.",
    });
  }
  const onLoading = currentCall()?.onLoading;
  if (onLoading === undefined) return await load();
  const loaded = last.then(async () => {
    onLoading(module);
    try {
      return await load();
    } finally {
      onLoading(undefined);
    }
  });
  last = loaded.catch(() => {});
  return await loaded;
}
