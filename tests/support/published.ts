/** The published package, run from a registry on loopback, as its documented commands do. */

import { Client } from "./npm/client_v1.ts";
import { StdioClientTransport } from "./npm/client_v1.ts";
import { LAZY_VALIDATOR } from "./answers.ts";
import { type JsrRegistry, publishToRegistry } from "./jsr.ts";
import { type Run, runProcess } from "./process.ts";
import { type Answer, childEnvironment, README_PERMISSIONS } from "./server.ts";

/** Flags for a project whose packages are installed. */
export const FROM_DISK: readonly string[] = ["--no-config", "--node-modules-dir=manual"];

/** Flags for a project without installed packages. */
export const FROM_REGISTRY: readonly string[] = ["--no-config"];

/** What a test asks a running server. */
export interface PublishedSession {
  /** The client. */
  client: Client;
  /** Calls a tool. */
  call(name: string, args?: Record<string, unknown>): Promise<Answer>;
  /** Calls a tool that must go well, and gives its structured content. */
  // deno-lint-ignore no-explicit-any -- tests look into it freely
  ok(name: string, args?: Record<string, unknown>): Promise<any>;
}

/** The published package. */
export interface Published extends AsyncDisposable {
  /** Runs one command of it in a directory. */
  run(cwd: string, flags: readonly string[], ...args: string[]): Promise<Run>;
  /** Serves a directory to a client while the test runs. */
  serve(
    cwd: string,
    flags: readonly string[],
    test: (session: PublishedSession) => Promise<void>,
    env?: Record<string, string>,
    /** Flags of the server itself. */
    flagsOfServer?: readonly string[],
  ): Promise<void>;
}

/** Whether a flag is the server's rather than Deno's. */
function isOwn(flag: string): boolean {
  return flag.startsWith("--trust=");
}

/** Publishes the built package. */
export async function publish(): Promise<Published> {
  const registry: JsrRegistry = await publishToRegistry();
  const args = (flags: readonly string[]) => [
    "run",
    ...flags.filter((flag) => !isOwn(flag)),
    ...README_PERMISSIONS,
    "jsr:@refrakt/mcp",
    ...flags.filter(isOwn),
    ...(flags.includes("--unstable-worker-options") ? ["--isolate"] : []),
  ];
  return {
    run: (cwd, flags, ...rest) =>
      runProcess(Deno.execPath(), [...args(flags), ...rest], cwd, undefined, {
        JSR_URL: registry.url,
      }),
    serve: async (cwd, flags, test, env = {}, flagsOfServer = []) => {
      const client = new Client({ name: "inspector-client", version: "1.0.0" }, {
        jsonSchemaValidator: LAZY_VALIDATOR,
      });
      await client.connect(
        new StdioClientTransport({
          command: Deno.execPath(),
          args: [...args(flags), ...flagsOfServer],
          cwd,
          env: { ...childEnvironment(), JSR_URL: registry.url, ...env },
          stderr: "ignore",
        }),
      );
      const call = (name: string, input: Record<string, unknown> = {}) =>
        client.callTool({ name, arguments: input }) as Promise<Answer>;
      try {
        await test({
          client,
          call,
          ok: async (name, input) => {
            const answer = await call(name, input);
            if (answer.isError) {
              throw new Error(`${name}: ${answer.errorCode}: ${answer.content[0].text}`);
            }
            return answer.structuredContent;
          },
        });
      } finally {
        await client.close();
      }
    },
    [Symbol.asyncDispose]: () => registry[Symbol.asyncDispose](),
  };
}
