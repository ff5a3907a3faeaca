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

export type Published = Awaited<ReturnType<typeof publish>>;

export async function publish() {
  const registry = await publishToRegistry();
  const JSR_URL = registry.url;
  const start = (grants: readonly string[], args: readonly string[], env = {}): StartOptions => ({
    entry: "jsr:@refrakt/mcp",
    grants: grants.filter((flag) => !isOwn(flag)),
    args: [...grants.filter(isOwn), ...args],
    env: { ...childEnvironment(), JSR_URL, ...env },
  });
  return {
    /** The options for installed packages, with the documented or other permissions. */
    options: (args: readonly string[] = [], permissions = README_PERMISSIONS, launch = FROM_DISK) =>
      start([...launch, ...permissions], args),
    run: (cwd: string, flags: readonly string[], ...args: string[]): Promise<Run> => {
      const command = serverArgs(start([...flags, ...README_PERMISSIONS], args));
      return runProcess(Deno.execPath(), command, cwd, undefined, { JSR_URL });
    },
    /** Serves a directory to a client during the test; `args` are the server's own. */
    serve: (
      cwd: string,
      flags: readonly string[],
      test: (session: Session) => Promise<void>,
      env: Record<string, string> = {},
      args: readonly string[] = [],
    ) => withServer(cwd, test, start([...flags, ...README_PERMISSIONS], args, env)),
    [Symbol.asyncDispose]: () => registry[Symbol.asyncDispose](),
  };
}

/** Whether a flag is the server's rather than Deno's. */
function isOwn(flag: string): boolean {
  return flag === "--trust";
}
