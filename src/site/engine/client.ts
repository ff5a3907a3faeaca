/**
 * How the tools reach the engine: the name of a method, its input, and the call that it
 * belongs to. The tools know this interface and nothing of the engine itself.
 *
 * @module
 */

import type { CodePolicy } from "../../project/code_policy.ts";
import type { Project } from "../../project/project.ts";
import type { IsolatedCode } from "../../sandbox/worker.ts";
import type { Channels } from "./channels.ts";
import type { InputOf, MethodName, ProjectRef, ResultOf } from "./mod.ts";

/** The call that a question belongs to. */
export interface EngineCall extends Channels {
  readonly project: Project;
}

/** The typed side of the messages. */
export interface SiteEngine {
  /** Asks the engine; fails as the method does. */
  ask<Name extends MethodName>(
    method: Name,
    input: InputOf<Name>,
    call: EngineCall,
  ): Promise<ResultOf<Name>>;
  warm(project: Project): Promise<void>;
}

/** Prepares the engine of a project, as code of it may run: in this process, or in a Worker. */
export function engineFor({ isolate }: CodePolicy): SiteEngine {
  return isolate ? inWorker() : inProcess();
}

function inWorker(): SiteEngine {
  const workers = new Map<string, IsolatedCode>();
  return clientOf(async (method, input, { project, signal, progress }) => {
    const { cwd, code } = project;
    // Nothing of it is loaded before the first question.
    const { isolate } = await import("../../sandbox/worker.ts");
    let worker = workers.get(cwd);
    if (worker === undefined) {
      worker = isolate({
        url: new URL("./engine_worker.ts", import.meta.url),
        name: "The site pipeline",
        root: cwd,
        timeoutMs: code.timeoutMs,
      });
      workers.set(cwd, worker);
    }
    const params = { project: projectRef(project), input };
    const answer = await worker.call("ask", { method, params }, { signal, progress });
    // The other side of the message is this server's own code, held to the same types.
    return answer as never;
  });
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
