/**
 * Looks at a project for all connected clients: once a second, and after a call.
 * However many subscriptions there are, one look reads each thing once.
 *
 * @module
 */

import { fileStamp } from "../io/stamp.ts";
import type { Project } from "../project/project.ts";
import type { Toolset } from "../tools/registry.ts";
import type { Workspace } from "../tools/workspace.ts";

/** How often the project is looked at, in milliseconds. */
const PERIOD_MS = 1000;

/** What one look finds; each part is read when it is first asked for. */
export interface Look {
  /** The project as it is now. */
  readonly project: Project;
  /** The toolset as it is now. */
  toolset(): Promise<Toolset>;
  /** Changes when anything that resources show may have changed. */
  content(): string;
  /** Changes when a file does; `gone` where there is none. */
  file(path: string): string;
}

/** Hears of each look. */
export type Listener = (look: Look) => Promise<void>;

/** The watch of a workspace. */
export interface Watch {
  /** Tells a listener of each look, until the returned function is called. */
  add(listener: Listener): () => void;
  /** Looks now; done when every listener has heard of it. */
  check(): Promise<void>;
}

const watches = new WeakMap<Workspace, Watch>();

/** The one watch of a workspace. */
export function watchOf(workspace: Workspace): Watch {
  const known = watches.get(workspace);
  if (known !== undefined) return known;
  const watch = createWatch(workspace);
  watches.set(workspace, watch);
  return watch;
}

/** Looks once. */
export function lookAt(workspace: Workspace): Look {
  const project = workspace.project();
  const files = new Map<string, string>();
  let toolset: Promise<Toolset> | undefined;
  let content: string | undefined;
  return {
    project,
    toolset: () => toolset ??= workspace.toolset(),
    content: () => content ??= `${project.stamp} ${workspace.contentStamp()}`,
    file: (path) => {
      const known = files.get(path) ?? fileStamp(path);
      files.set(path, known);
      return known;
    },
  };
}

function createWatch(workspace: Workspace): Watch {
  const listeners = new Set<Listener>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let looking: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const look = async () => {
    try {
      const found = lookAt(workspace);
      for (const listener of [...listeners]) {
        // A client has gone, or the project is being changed: the next look will tell.
        await listener(found).catch(() => {});
      }
    } catch {
      // The project's folder cannot be read at the moment.
    }
  };
  const check = (): Promise<void> => {
    if (listeners.size === 0) return Promise.resolve();
    if (looking === undefined) {
      return looking = look().finally(() => looking = undefined);
    }
    // The running check may have missed a change that came after it began.
    return next ??= looking.then(() => {
      next = undefined;
      return check();
    });
  };
  return {
    add: (listener) => {
      listeners.add(listener);
      if (timer === undefined) {
        timer = setInterval(() => void check(), PERIOD_MS);
        Deno.unrefTimer(timer);
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    check,
  };
}
