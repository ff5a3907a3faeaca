/**
 * Plugins that run in Workers of their own: one for each package and set of folders
 * that a command may write.
 *
 * @module
 */

import { asObject } from "../io/json.ts";
import { resolveInside } from "../io/paths.ts";
import { mayWrite } from "../io/permissions.ts";
import { loadError } from "../npm/failures.ts";
import type { Origin } from "../npm/load.ts";
import type { PackageVersion } from "../npm/package.ts";
import type { Project } from "../project/project.ts";
import { isolate, type IsolatedCode, type WorkerChannels } from "../sandbox/worker.ts";
import { plainLine } from "../plain_text.ts";
import type { CallContext } from "../tools/context.ts";
import type { McpHandlerContext } from "../tools/plugin.ts";
import { type LoadedFrom, pluginOf, type ReadPlugin } from "./contract.ts";

/** How long a package may take to be downloaded and to run its top level, in milliseconds. */
const LOAD_TIMEOUT_MS = 60_000;

/** The part of that in which it has to be downloaded: the rest is its own. */
const DOWNLOAD_PART = 0.8;

/** The Workers of a workspace. */
export interface PluginWorkers {
  load(project: Project, version: PackageVersion): Promise<IsolatedPlugin>;
  stop(): void;
}

/** What was read of a package in a Worker. */
export interface IsolatedPlugin extends ReadPlugin {
  readonly loaded: LoadedFrom;
}

/** Prepares the Workers of a workspace; none is started yet. */
export function createPluginWorkers(): PluginWorkers {
  const workers = new Map<string, IsolatedCode>();
  const workerFor = (
    { cwd, code }: Project,
    version: PackageVersion,
    write: readonly string[],
  ): IsolatedCode => {
    const key = JSON.stringify([cwd, version.name, version.version, write]);
    const known = workers.get(key);
    if (known !== undefined) return known;
    const made = isolate({
      url: new URL("./plugin_worker.ts", import.meta.url),
      name: `Plugin ${version.name}`,
      root: cwd,
      write,
      timeoutMs: code.timeoutMs,
    });
    workers.set(key, made);
    return made;
  };
  return {
    load: async (project, found) => {
      // A Worker may take another second to end.
      const timeoutMs = Math.min(LOAD_TIMEOUT_MS, project.code.timeoutMs / 2);
      // The Worker's permissions are narrow: whatever it imports may run in it.
      const code = { ...project.code, trusted: ["all"], timeoutMs: timeoutMs * DOWNLOAD_PART };
      const version = { ...found, code };
      const reading = workerFor(project, version, []);
      const described = await reading.call("describe", { version }, { timeoutMs });
      const { copied, loaded, failed } = asObject(described);
      if (typeof failed === "string") throw loadError(found, "cli-plugin", new Error(failed));
      const read = pluginOf(() => copied, version.name, {
        command: (place, { writes }) => ({
          mcpHandler: (input: unknown, context: McpHandlerContext) => {
            const worker = workerFor(project, version, writable(project, writes));
            const params = { version, place, input, planDir: context.planDir ?? null };
            return worker.call("run", params, channelsOf(context));
          },
        }),
        call: (place, name, args) => {
          const contextAt = name === "complete" ? 2 : 1;
          const context = args[contextAt] as CallContext;
          const params = { version, place, name, args: args.with(contextAt, null), contextAt };
          return reading.call("call", params, channelsOf(context));
        },
      });
      return { ...read, loaded: checkedLoaded(loaded, version) };
    },
    stop: () => {
      for (const worker of workers.values()) worker.stop();
      workers.clear();
    },
  };
}

const ORIGINS: readonly Origin[] = ["workspace", "linked", "node_modules", "registry", "embedded"];

/** What the Worker says of the package it loaded; code of the repository may have had a say in it. */
function checkedLoaded(value: unknown, { version }: PackageVersion): LoadedFrom {
  const { packageVersion, origin: given, path } = asObject(value);
  const origin = ORIGINS.find((one) => one === given);
  return {
    packageVersion: typeof packageVersion === "string" ? plainLine(packageVersion, 64) : version,
    ...(origin && { origin }),
    ...(typeof path === "string" ? { path: plainLine(path, 1024) } : {}),
  };
}

function channelsOf({ signal, progress, log, confirm }: WorkerChannels): WorkerChannels {
  return {
    ...(signal && { signal }),
    ...(progress && { progress }),
    ...(log && { log }),
    ...(confirm && { confirm }),
  };
}

/** Of what a command declares to write, what lies in the project and the process may write. */
function writable({ cwd, readOnly }: Project, writes: readonly string[] = []): string[] {
  if (readOnly === "requested") return [];
  return writes.flatMap((path) => {
    try {
      return [resolveInside(cwd, path, "What the command writes")];
    } catch {
      return [];
    }
  }).filter(mayWrite).sort();
}
