/**
 * What is thrown or rejected outside of any call that waits for it, such as in a timer. Errors of
 * packages end no server. An embedding program keeps its own errors, and may listen to those of
 * packages: calling `preventDefault()` of the event keeps them out of stderr.
 */

import { messageOf, saidBy } from "../errors.ts";
import { isStdioReserved, writeStderr } from "../io/pipes.ts";
import { shown } from "../plain_text.ts";
import { ExitRequest, settleExit } from "./stand_in_call.ts";
import { addressOf, isLoaded, isOwnProcess } from "./replaced_modules.ts";

/** The event of an embedding program: `detail` has the package and the error. */
export const PACKAGE_ERROR = "refrakt:package-error";

/** The package of a module: in `node_modules`, or in Deno's cache of a registry. */
const PACKAGE = /.*\/(?:node_modules|npm\/[^/]+)\/((?:@[^/]+\/)?[^/@]+)/;

/** Handles the errors that nobody has caught. */
export function handleLateErrors(): void {
  globalThis.addEventListener("unhandledrejection", (event) => {
    handle(event.reason, event, "Unhandled rejection");
  });
  globalThis.addEventListener("error", (event) => {
    handle(event.error, event, "Uncaught error");
  });
}

function handle(error: unknown, event: Event, what: string): void {
  if (error instanceof ExitRequest && settleExit(error)) return event.preventDefault();
  const modules = modulesIn(error);
  const module = modules.find(isLoaded);
  if (module === undefined) {
    // The errors of an embedding program, and defects of ours, are not hidden; a server goes on.
    if (!isOwnProcess() || !isStdioReserved() && modules.length > 0) return;
    event.preventDefault();
    return log(modules.length > 0 ? `Internal error, please report it` : what, error);
  }
  event.preventDefault();
  const name = PACKAGE.exec(module)?.[1] ?? module;
  const heard = new CustomEvent(PACKAGE_ERROR, {
    detail: { package: name, error },
    cancelable: true,
  });
  if (isOwnProcess() || globalThis.dispatchEvent(heard)) log(`${what} in ${name}`, error);
}

/** The modules that an error passed, the innermost first. */
function modulesIn(error: unknown): string[] {
  const stack = error instanceof Error ? error.stack ?? "" : "";
  return [...stack.matchAll(/(?:file|https?|npm|jsr|data|blob):\S*?(?=:\d+:\d+\)?$)/gm)]
    .map(([address]) => addressOf(address));
}

function log(what: string, error: unknown): void {
  const [said, stack = ""] = [saidBy(error), error instanceof Error ? error.stack : ""];
  const text = stack.includes(said)
    ? stack.replace(said, () => messageOf(error))
    : messageOf(error);
  writeStderr(`${shown(what)}: ${shown(text)}\n`);
}
