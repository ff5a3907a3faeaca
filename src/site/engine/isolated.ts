/**
 * Where the engine runs: in this process, or in a Worker of its own.
 *
 * @module
 */

import type { CodePolicy } from "../../project/code_policy.ts";
import type { Project } from "../../project/project.ts";
import type { IsolatedCode } from "../../sandbox/worker.ts";
import { clientOf, inProcess, projectRef, type SiteEngine } from "./client.ts";

/** An engine in a Worker, which starts with the first question. */
export interface IsolatedEngine extends SiteEngine {
  /** Ends the Worker. */
  stop(): void;
}

/** Prepares the engine of a project, as code of it may run. */
export function engineFor({ isolate }: CodePolicy): SiteEngine {
  return isolate ? inWorker() : inProcess();
}

/** Prepares an engine that runs in a Worker. */
export function inWorker(): IsolatedEngine {
  const workers = new Map<string, IsolatedCode>();
  const workerFor = async ({ cwd, code }: Project): Promise<IsolatedCode> => {
    // Nothing of it is loaded before the first question.
    const { isolate } = await import("../../sandbox/worker.ts");
    const known = workers.get(cwd);
    if (known !== undefined) return known;
    const made = isolate({
      url: new URL("./engine_worker.ts", import.meta.url),
      name: "The site pipeline",
      root: cwd,
      timeoutMs: code.timeoutMs,
    });
    workers.set(cwd, made);
    return made;
  };
  const client = clientOf(async (method, input, { project, signal, progress }) => {
    const params = { project: projectRef(project), input };
    const worker = await workerFor(project);
    const answer = await worker.call("ask", { method, params }, { signal, progress });
    // The other side of the message is this server's own code, held to the same types.
    return answer as never;
  });
  return {
    ...client,
    stop: () => {
      for (const worker of workers.values()) worker.stop();
    },
  };
}
