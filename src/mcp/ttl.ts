/**
 * How long clients of revision 2026-07-28 may reuse an answer without asking again.
 *
 * @module
 */

import type { Toolset } from "../tools/registry.ts";
import type { Session } from "./session.ts";
import { PERIOD_MS } from "./watcher.ts";

/** For what stays the same as long as the server runs, in milliseconds. */
const FIXED_TTL_MS = 3_600_000;

/** What a result says about its reuse; results of older revisions say nothing. */
type Reuse = { readonly ttlMs?: number };

/**
 * For a list: as long as a client that listens for changes would wait for a notification, and not
 * at all while packages are being loaded.
 */
export function reuseOfList(session: Session, { warnings }: Toolset): Reuse {
  const isLoading = warnings.some(({ code }) => code === "PLUGINS_LOADING");
  return reuse(session, isLoading ? 0 : PERIOD_MS);
}

/** For a resource: one that is fixed, such as a view, is kept; all others follow files. */
export function reuseOfResource(session: Session, fixed: boolean): Reuse {
  return reuse(session, fixed ? FIXED_TTL_MS : 0);
}

function reuse({ era }: Session, ttlMs: number): Reuse {
  return era === "legacy" ? {} : { ttlMs };
}
