/**
 * What is thrown or rejected outside of any call that waits for it, such as in a timer. It ends no
 * server; a program that embeds one handles such errors itself.
 */

import { messageOf, saidBy } from "../errors.ts";
import { writeStderr } from "../io/pipes.ts";
import { shown } from "../plain_text.ts";
import { isOwnProcess } from "./replaced_modules.ts";
import { ExitRequest } from "./stand_in_call.ts";

/** Handles the errors that nobody has caught. */
export function handleLateErrors(): void {
  globalThis.addEventListener("unhandledrejection", (event) => {
    handle(event.reason, event, "Unhandled rejection");
  });
  globalThis.addEventListener("error", (event) => {
    handle(event.error, event, "Uncaught error");
  });
}

function handle(error: unknown, event: Event, kind: string): void {
  const isExit = error instanceof ExitRequest;
  if (!isExit && !isOwnProcess()) return;
  event.preventDefault();
  if (!isExit) writeStderr(`${kind}: ${shown(stackOf(error))}\n`);
}

function stackOf(error: unknown): string {
  const said = saidBy(error);
  const stack = error instanceof Error ? error.stack ?? "" : "";
  return stack.includes(said) ? stack.replace(said, () => messageOf(error)) : messageOf(error);
}
