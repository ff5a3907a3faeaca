/**
 * Progress of a request, for clients that ask for it: what the work reports, and a message each
 * second in which it reports nothing.
 *
 * @module
 */

import type { ServerContext } from "@modelcontextprotocol/server";
import type { CallContext, ProgressUpdate } from "../tools/context.ts";
import { boundedTitle } from "./listing.ts";

/** How long a request may go on without a progress message, in milliseconds. */
const BEAT_MS = 1000;

/** How far a message without progress of its own rises: each has to, and none may pass a whole step. */
const BEAT_STEP = 1e-6;

/** How long the last progress message and the answer are kept apart, in milliseconds. */
const ANSWER_GAP_MS = 2;

/** Does the work of a request, and sends its progress where the client gave a token. */
export async function withProgress<Answer>(
  { mcpReq }: ServerContext,
  work: (progress: CallContext["progress"]) => Promise<Answer>,
): Promise<Answer> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return await work(() => {});

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
  try {
    return await work((update) => {
      silent = false;
      send(update);
    });
  } finally {
    clearInterval(timer);
    await settle(sent);
  }
}

/**
 * Progress may not come after the answer. A client may forget a call as soon as it
 * has parsed the answer, so the two are not to be read in one go either.
 */
async function settle(sent: readonly Promise<void>[]): Promise<void> {
  if (sent.length === 0) return;
  await Promise.all(sent);
  await new Promise((resolve) => setTimeout(resolve, ANSWER_GAP_MS));
}
