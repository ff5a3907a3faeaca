/**
 * What clients of the newer era listen to: each request names its resources, and counts until
 * it ends.
 *
 * @module
 */

import { RefraktError } from "../errors.ts";
import { fieldOf, textsOf } from "../io/json.ts";
import type { Workspace } from "../tools/workspace.ts";
import { rpcError } from "./results.ts";
import type { RpcError } from "./requests.ts";
import { createSubscriptions, MOST_SUBSCRIPTIONS } from "./subscriptions.ts";

/** The most requests that listen at a time. */
const MOST_LISTENING = 64;

/** The requests that listen. */
export interface Listened {
  /** The resources of all of them. */
  readonly uris: ReadonlySet<string>;
  /**
   * Adds what a request names, if all of it exists and is not too much.
   *
   * @param params Those of `subscriptions/listen`.
   * @returns What ends it, or why it is refused.
   */
  add(params: unknown): Promise<{ readonly end: () => void } | { readonly refusal: RpcError }>;
}

/**
 * Makes them: at first there are none.
 *
 * @param most How many resources all requests may name together.
 * @param mostRequests How many requests may listen.
 */
export function createListened(
  workspace: Workspace,
  most: number,
  mostRequests: number = MOST_LISTENING,
): Listened {
  const uris = new Set<string>();
  const counts = new Map<string, number>();
  let requests = 0;
  // One after the other: what one adds counts for the next.
  let turn: Promise<unknown> = Promise.resolve();
  const problemOf = async (wanted: readonly string[]): Promise<RefraktError | undefined> => {
    if (requests >= mostRequests) {
      return new RefraktError("INVALID_ARGS", `There are ${mostRequests} requests that listen`, {
        hint: "End one of them first.",
      });
    }
    if (new Set([...uris, ...wanted]).size > most) {
      return new RefraktError("INVALID_ARGS", `There may be ${most} subscriptions`, {
        hint: "Listen to less; refrakt://plan/index changes with every entity.",
      });
    }
    return await missing(workspace, wanted);
  };
  const add = async (params: unknown) => {
    const wanted = wantedResources(params);
    const problem = await problemOf(wanted);
    if (problem !== undefined) return { refusal: rpcError(problem) };
    requests++;
    for (const uri of wanted) {
      uris.add(uri);
      counts.set(uri, (counts.get(uri) ?? 0) + 1);
    }
    let hasEnded = false;
    const end = () => {
      if (hasEnded) return;
      hasEnded = true;
      requests--;
      for (const uri of wanted) {
        const left = counts.get(uri)! - 1;
        counts.set(uri, left);
        if (left > 0) continue;
        counts.delete(uri);
        uris.delete(uri);
      }
    };
    return { end };
  };
  return {
    uris,
    add: (params) => {
      const added = turn.then(() => add(params));
      turn = added.catch(() => {});
      return added;
    },
  };
}

/** Why some of these resources cannot be listened to; `undefined` where all can. */
async function missing(
  workspace: Workspace,
  uris: readonly string[],
): Promise<RefraktError | undefined> {
  const tried = createSubscriptions(workspace, Math.max(uris.length, MOST_SUBSCRIPTIONS));
  try {
    for (const uri of uris) await tried.add(uri);
    return undefined;
  } catch (error) {
    return error instanceof RefraktError ? error : undefined;
  }
}

/** The resources that the parameters of `subscriptions/listen` name. */
function wantedResources(params: unknown): string[] {
  const named = fieldOf(fieldOf(params, "notifications"), "resourceSubscriptions");
  return [...new Set(textsOf(named))];
}
