import type { CodePolicy } from "../../project/code_policy.ts";
import type { Project } from "../../project/project.ts";
import type { IsolatedCode } from "../../sandbox/worker.ts";
import type { Channels } from "./channels.ts";
import type { InputOf, MethodName, ProjectRef, ResultOf } from "./mod.ts";

export interface EngineCall extends Channels {
  readonly project: Project;
}

export interface SiteEngine {
  ask<Name extends MethodName>(
    method: Name,
    input: InputOf<Name>,
    call: EngineCall,
  ): Promise<ResultOf<Name>>;
  warm(project: Project): Promise<void>;
}

/** Runs the engine in a Worker if the policy isolates code, else in this process. */
export function engineFor({ isolate }: CodePolicy): SiteEngine {
  return isolate ? inWorker() : inProcess();
}

function inWorker(): SiteEngine {
  const workers = new Map<string, IsolatedCode>();
  return clientOf(async (method, input, { project, signal, progress }) => {
    const { cwd, code } = project;
    // Loaded on the first call.
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
    // The Worker runs the same code with the same types.
    return answer as never;
  });
}

/** Runs the engine in this process, loading it on the first call. */
export function inProcess(): SiteEngine {
  let engine: Promise<import("./mod.ts").Engine> | undefined;
  return clientOf(async (method, input, call) => {
    engine ??= import("./mod.ts").then(({ createEngine }) => createEngine());
    return await (await engine).run(method, call.project, input, call);
  });
}

export function clientOf(ask: SiteEngine["ask"]): SiteEngine {
  return {
    ask,
    warm: async (project) => {
      await ask("warm", {}, { project, signal: new AbortController().signal, progress: () => {} });
    },
  };
}

/**
 * How much earlier than the call a download times out, in milliseconds: starting a Worker takes time.
 */
const MARGIN_MS = 5000;

export function projectRef({ cwd, config, requestedPlugins, stamp, code }: Project): ProjectRef {
  return {
    cwd,
    plugins: requestedPlugins,
    stamp: `${stamp} ${config?.text ?? ""}`,
    // The download's error says what it waited for, so it must come before the call's timeout.
    timeoutMs: code.timeoutMs - Math.min(code.timeoutMs / 2, MARGIN_MS),
  };
}
