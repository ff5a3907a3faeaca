/**
 * How the tools reach the engine: the name of a method, its input, and the call that it
 * belongs to. The tools know this interface and nothing of the engine itself.
 *
 * @module
 */

import type { Project } from "../../project/project.ts";
import type { Channels } from "./channels.ts";
import type { InputOf, MethodName, ResultOf } from "./methods.ts";

/** The call that a question belongs to. */
export interface EngineCall extends Channels {
  /** The project as it was detected just before the call. */
  readonly project: Project;
}

/** A project as a message names it; the engine opens it for itself. */
export interface ProjectRef {
  /** The project's directory: real, absolute. */
  readonly cwd: string;
  /** Bundled plugins asked for by hand. */
  readonly plugins: readonly string[];
  /** The stamp of the snapshot and the text of its config: the engine looks again when it differs. */
  readonly stamp: string;
  /** How long a package may take to be downloaded, in milliseconds. */
  readonly timeoutMs: number;
}

/** The typed side of the messages. */
export interface SiteEngine {
  /**
   * Asks the engine.
   *
   * @param method The method.
   * @param input What it takes.
   * @param call The call that asks: its project, its signal, its progress.
   * @throws {RefraktError} As the method does.
   */
  ask<Name extends MethodName>(
    method: Name,
    input: InputOf<Name>,
    call: EngineCall,
  ): Promise<ResultOf<Name>>;
  /** Loads what the first question would have to wait for. */
  warm(project: Project): Promise<void>;
}

/** The engine in this process. Nothing of it is loaded before the first question. */
export function inProcess(): SiteEngine {
  let engine: Promise<import("./mod.ts").Engine> | undefined;
  return clientOf(async (method, input, call) => {
    engine ??= import("./mod.ts").then(({ createEngine }) => createEngine());
    return await (await engine).run(method, call.project, input, call);
  });
}

/** A client whose questions are carried by `ask`. */
export function clientOf(ask: SiteEngine["ask"]): SiteEngine {
  return {
    ask,
    warm: async (project) => {
      await ask("warm", {}, { project, signal: new AbortController().signal, progress: () => {} });
    },
  };
}

/** How much earlier than a call a download ends, in milliseconds: a Worker has to start, too. */
const MARGIN_MS = 5000;

/** The project as a message names it. */
export function projectRef({ cwd, config, requestedPlugins, stamp, code }: Project): ProjectRef {
  return {
    cwd,
    plugins: requestedPlugins,
    stamp: `${stamp} ${config?.text ?? ""}`,
    // Its own error, which says what was waited for, comes before the call is ended.
    timeoutMs: code.timeoutMs - Math.min(code.timeoutMs / 2, MARGIN_MS),
  };
}
