/** Plugins in Workers: one for each package and set of writable folders. */

import { asObject } from "../io/json.ts";
import { resolveInside } from "../io/paths.ts";
import { mayWrite } from "../io/permissions.ts";
import { loadError } from "../npm/failures.ts";
import type { Origin } from "../npm/load.ts";
import type { PackageVersion } from "../npm/package.ts";
import type { Project } from "../project/project.ts";
import { isolate, type IsolatedCode } from "../sandbox/worker.ts";
import { plainLine } from "../plain_text.ts";
import type { CallContext } from "../tools/context.ts";
import type { McpHandlerContext } from "../tools/plugin.ts";
import { type LoadedFrom, pluginOf, type ReadPlugin } from "./contract.ts";

/** Timeout for downloading a package and running its top level, in milliseconds. */
const LOAD_TIMEOUT_MS = 60_000;

/** The part of it for the download. */
const DOWNLOAD_PART = 0.8;

export interface PluginWorkers {
  load(project: Project, version: PackageVersion): Promise<IsolatedPlugin>;
  stop(): void;
}

export interface IsolatedPlugin extends ReadPlugin {
  readonly loaded: LoadedFrom;
}

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
      // A Worker may take another second to stop.
      const timeoutMs = Math.min(LOAD_TIMEOUT_MS, project.code.timeoutMs / 2);
      // The Worker's permissions limit all code that it imports.
      const code = { ...project.code, trusted: ["all"], timeoutMs: timeoutMs * DOWNLOAD_PART };
      const version = { ...found, code };
      const reading = workerFor(project, version, []);
      const described = await reading.call("describe", { version }, { timeoutMs });
      const { copied, loaded, failed } = asObject(described);
      if (typeof failed === "string") throw loadError(found, "cli-plugin", new Error(failed));
      const read = pluginOf(() => copied, version.name, {
        command: (place, writes) => ({
          mcpHandler: (input: unknown, context: McpHandlerContext) => {
            const worker = workerFor(project, version, writable(project, writes));
            const params = { version, place, input, planDir: context.planDir ?? null };
            return worker.call("run", params, context);
          },
        }),
        call: (place, name, args) => {
          const contextAt = name === "complete" ? 2 : 1;
          const context = args[contextAt] as CallContext;
          const params = { version, place, name, args: args.with(contextAt, null), contextAt };
          return reading.call("call", params, context);
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

/** Checks what the Worker reports, because code of the package may have changed it. */
function checkedLoaded(value: unknown, { version }: PackageVersion): LoadedFrom {
  const { packageVersion, origin: given, path } = asObject(value);
  const origin = ORIGINS.find((one) => one === given);
  return {
    packageVersion: typeof packageVersion === "string" ? plainLine(packageVersion, 64) : version,
    ...(origin && { origin }),
    ...(typeof path === "string" ? { path: plainLine(path, 1024) } : {}),
  };
}

/** The declared paths that are in the project and writable. */
function writable({ cwd, readOnly }: Project, writes: readonly string[] = []): string[] {
  if (readOnly === "requested") return [];
  return writes.flatMap((path) => {
    try {
      return [resolveInside(cwd, path, "The written path")];
    } catch {
      return [];
    }
  }).filter(mayWrite).sort();
}
