/**
 * The resources that a client wants to hear about: each must exist, and there is a
 * limit. An entity is followed when its file is renamed.
 *
 * @module
 */

import { RefraktError } from "../errors.ts";
import { NO_FILE } from "../io/stamp.ts";
import { unknownUri } from "../tools/call.ts";
import { toolsetFor } from "../tools/lookup.ts";
import { checkRequirements } from "../tools/registry.ts";
import { matchUri } from "../tools/uri.ts";
import type { Workspace } from "../tools/workspace.ts";
import { type Look, lookAt } from "./watch.ts";

/** The most subscriptions of one connection. */
export const MOST_SUBSCRIPTIONS = 200;

/** The subscriptions of one connection. */
export interface Subscriptions {
  /** The URIs. */
  uris(): Iterable<string>;
  /**
   * Adds one.
   *
   * @throws {RefraktError} `NOT_FOUND` for what does not exist, `INVALID_ARGS` for one too many.
   */
  add(uri: string): Promise<void>;
  /** Takes one away. */
  remove(uri: string): void;
  /** The URIs whose resources have changed since the last look. */
  changed(look: Look): Promise<string[]>;
}

function tooMany(most: number): RefraktError {
  return new RefraktError("INVALID_ARGS", `There are ${most} subscriptions`, {
    hint: "Unsubscribe from some; refrakt://plan/index changes with every entity.",
  });
}

/** How a resource is watched. */
interface Subscription {
  /** Finds the file behind it; absent where any change of the project counts. */
  readonly find: ((look: Look) => Promise<string | null>) | undefined;
  file: string | null;
  stamp: string;
}

/**
 * Makes the subscriptions of a connection.
 *
 * @param workspace What is served.
 * @param most How many there may be.
 */
export function createSubscriptions(
  workspace: Workspace,
  most: number = MOST_SUBSCRIPTIONS,
): Subscriptions {
  const entries = new Map<string, Subscription>();
  return {
    uris: () => entries.keys(),
    add: async (uri) => {
      if (entries.has(uri)) return;
      if (entries.size >= most) throw tooMany(most);
      const entry = await subscribe(workspace, uri);
      // Others may have been added meanwhile.
      if (entries.size >= most && !entries.has(uri)) throw tooMany(most);
      entries.set(uri, entry);
    },
    remove: (uri) => {
      entries.delete(uri);
    },
    changed: async (look) => {
      const uris: string[] = [];
      for (const [uri, entry] of entries) {
        if (
          entry.find !== undefined && (entry.file === null || look.file(entry.file) === NO_FILE)
        ) {
          // Renamed, or removed and perhaps back again: the declaration knows where it is now.
          entry.file = await entry.find(look).catch(() => null);
        }
        const stamp = stampOf(entry, look);
        if (stamp === entry.stamp) continue;
        entry.stamp = stamp;
        uris.push(uri);
      }
      return uris;
    },
  };
}

async function subscribe(workspace: Workspace, uri: string): Promise<Subscription> {
  const toolset = await toolsetFor(workspace, uri);
  const match = matchUri(toolset.resources, uri);
  if (match === undefined) throw unknownUri(toolset, uri);
  const { resource, params } = match;
  const look = lookAt(workspace);
  checkRequirements(look.project, resource.requires ?? []);
  const find = resource.fileOf === undefined
    ? undefined
    : async ({ project }: Look) => await resource.fileOf!(params, { project });
  const file = await find?.(look) ?? null;
  if (find !== undefined && file === null) throw unknownUri(toolset, uri);
  const entry: Subscription = { find, file, stamp: "" };
  entry.stamp = stampOf(entry, look);
  return entry;
}

function stampOf({ find, file }: Subscription, look: Look): string {
  if (find === undefined) return look.content();
  return file === null ? NO_FILE : `${file} ${look.file(file)}`;
}
