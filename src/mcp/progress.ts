/** Sends progress notifications: those of the work, and one for each second without any. */

import type { ServerContext } from "@modelcontextprotocol/server";
import type { CallContext, ProgressUpdate } from "../plugin/context.ts";
import { boundedTitle } from "./listing.ts";

/** The longest time without a notification, in milliseconds. */
const BEAT_MS = 1000;

/** By how much an idle notification raises the progress: each must, but never by a whole step. */
const BEAT_STEP = 1e-6;

/** Delay between the last notification and the response, in milliseconds. */
const ANSWER_GAP_MS = 2;

/**
 * Sends the progress of a request if the client passed a token; its disposal waits until everything is
 * sent.
 */
export function progressOf(
  { mcpReq }: ServerContext,
): AsyncDisposable & { readonly send: CallContext["progress"] } {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) {
    return { send: () => {}, [Symbol.asyncDispose]: () => Promise.resolve() };
  }

  const sent: Promise<void>[] = [];
  let last: ProgressUpdate | undefined;
  let silent = true;
  const send = (update: ProgressUpdate) => {
    const least = last === undefined ? update.progress : last.progress + BEAT_STEP;
    const message = update.message === undefined ? {} : { message: boundedTitle(update.message) };
    last = { ...update, ...message, progress: Math.max(update.progress, least) };
    const params = { progressToken, ...last };
    sent.push(mcpReq.notify({ method: "notifications/progress", params }).catch(() => {}));
  };
  const timer = setInterval(() => {
    if (silent) send({ message: "Still running", ...last, progress: last?.progress ?? 0 });
    silent = true;
  }, BEAT_MS);
  return {
    send: (update) => {
      silent = false;
      send(update);
    },
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await Promise.all(sent);
      // Clients may drop the token when they have parsed the response, even if both arrive in one read.
      if (sent.length > 0) await new Promise((resolve) => setTimeout(resolve, ANSWER_GAP_MS));
    },
  };
}
