/** The published package, run from a registry on loopback, as its documented commands do. */

import { publishToRegistry } from "./jsr.ts";
import { type Run, runProcess } from "./process.ts";
import {
  childEnvironment,
  README_PERMISSIONS,
  serverArgs,
  type Session,
  type StartOptions,
  withServer,
} from "./server.ts";

/** Flags for a project whose packages are installed. */
export const FROM_DISK: readonly string[] = ["--no-config", "--node-modules-dir=manual"];

/** The same, with the project's code. */
export const TRUSTED: readonly string[] = [...FROM_DISK, "--trust"];

/** Flags for a project without installed packages. */
export const FROM_REGISTRY: readonly string[] = ["--no-config"];

export interface Published extends AsyncDisposable {
  /** The options for installed packages, with the documented or other permissions. */
  options(
    args?: readonly string[],
    permissions?: readonly string[],
    launch?: readonly string[],
  ): StartOptions;
  run(cwd: string, flags: readonly string[], ...args: string[]): Promise<Run>;
  /** Serves a directory to a client during the test; `args` are the server's own. */
  serve(
    cwd: string,
    flags: readonly string[],
    test: (session: Session) => Promise<void>,
    env?: Record<string, string>,
    args?: readonly string[],
  ): Promise<void>;
}

export async function publish(): Promise<Published> {
  const registry = await publishToRegistry();
  const JSR_URL = registry.url;
  const start = (grants: readonly string[], args: readonly string[], env = {}): StartOptions => ({
    entry: "jsr:@refrakt/mcp",
    grants: grants.filter((flag) => !isOwn(flag)),
    args: [...grants.filter(isOwn), ...args],
    env: { ...childEnvironment(), JSR_URL, ...env },
  });
  return {
    options: (args = [], permissions = README_PERMISSIONS, launch = FROM_DISK) =>
      start([...launch, ...permissions], args),
    run: (cwd, flags, ...args) => {
      const command = serverArgs(start([...flags, ...README_PERMISSIONS], args));
      return runProcess(Deno.execPath(), command, cwd, undefined, { JSR_URL });
    },
    serve: (cwd, flags, test, env = {}, args = []) =>
      withServer(cwd, test, start([...flags, ...README_PERMISSIONS], args, env)),
    [Symbol.asyncDispose]: () => registry[Symbol.asyncDispose](),
  };
}

/** Whether a flag is the server's rather than Deno's. */
function isOwn(flag: string): boolean {
  return flag === "--trust";
}
