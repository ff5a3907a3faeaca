/** The server as a client starts it: a child process with the documented permissions. */

import { Client as ClientV1, StdioClientTransport as StdioV1 } from "./npm/client_v1.ts";
import { fileURLToPath } from "node:url";
import { checkAnswers, type GivenAnswer, LAZY_VALIDATOR } from "./answers.ts";

export const ROOT: string = fileURLToPath(new URL("../../", import.meta.url));

/**
 * The module to start: of the built package that `.ci/test.ts` names, else of the checkout.
 *
 * @param entry Relative to the checkout.
 */
export function programOf(entry = "mod.ts"): string {
  const built = Deno.env.get("REFRAKT_BUILT") ?? "";
  return built === "" ? `${ROOT}${entry}` : `${built}/${entry.replace(/ts$/, "js")}`;
}

/** The permissions of the documented command. */
export const README_PERMISSIONS: readonly string[] = [
  "--no-prompt",
  "--allow-read=.",
  "--allow-write=plan",
  "--allow-run=git",
];

export interface StartOptions {
  /** Flags of `deno run` that replace the documented ones. */
  grants?: readonly string[];
  args?: readonly string[];
  /** The entry point: relative to the checkout, `../` to the project, or a registry specifier. */
  entry?: string;
  client?: string;
  /** Listens to the client before it connects. */
  prepare?: (client: ClientV1) => void;
  prefix?: readonly string[];
  /** The command of another Deno; by default the one that runs the tests. */
  deno?: readonly string[];
  /** The environment of the process; by default only what the runtime needs. */
  env?: Record<string, string>;
}

export function serverArgs(options: StartOptions = {}): string[] {
  return [
    "run",
    ...(options.grants ?? README_PERMISSIONS),
    /^(?:jsr:|\.\.\/)/.test(options.entry ?? "") ? options.entry! : programOf(options.entry),
    ...(options.args ?? []),
  ];
}

export function commandOf(options: StartOptions): { command: string; args: string[] } {
  const [command, ...args] = [
    ...(options.prefix ?? []),
    ...(options.deno ?? [Deno.execPath()]),
    ...serverArgs(options),
  ] as [string, ...string[]];
  return { command, args };
}

export interface Answer {
  isError?: boolean;
  errorCode?: string;
  hint?: string;
  // deno-lint-ignore no-explicit-any -- tests look into it freely
  structuredContent?: any;
  // deno-lint-ignore no-explicit-any -- tests look into it freely
  content: any[];
  _meta?: Record<string, unknown>;
}

/** A connected 1.x client with helpers for tests. */
export interface Asked {
  client: ClientV1;
  call(name: string, args?: Record<string, unknown>): Promise<Answer>;
  /** Calls a tool that must succeed, and returns its structured content. */
  // deno-lint-ignore no-explicit-any -- tests look into it freely
  ok(name: string, args?: Record<string, unknown>): Promise<any>;
  read(uri: string): Promise<string>;
  readError(uri: string): Promise<{ code: number; message: string; data: Record<string, unknown> }>;
  tools(): Promise<string[]>;
}

export interface Session extends Asked {
  stderr(): string;
  pid(): number;
}

/** Starts the server in a directory, runs the test, and stops the server. */
export async function withServer(
  cwd: string,
  test: (session: Session) => Promise<void>,
  options: StartOptions = {},
): Promise<void> {
  const transport = new StdioV1({
    ...commandOf(options),
    cwd,
    stderr: "pipe",
    env: options.env ?? childEnvironment(),
  });
  const noise: string[] = [];
  let stderr = "";
  transport.stderr?.on("data", (chunk: Uint8Array) => stderr += new TextDecoder().decode(chunk));
  const client = new ClientV1(
    { name: options.client ?? "inspector-cli", version: "1.0.0" },
    { jsonSchemaValidator: LAZY_VALIDATOR },
  );
  try {
    // The transport reports everything on stdout that is not a message. A busy client reads an answer
    // together with the progress before it, and has forgotten the token when it handles that: their
    // order is checked here.
    client.onerror = ({ message }: Error) => {
      if (!message.startsWith("Received a progress notification for an unknown")) {
        noise.push(message);
      }
    };
    options.prepare?.(client);
    await client.connect(transport);
    const answered = new Set<unknown>();
    const receive = transport.onmessage;
    transport.onmessage = (message: unknown) => {
      const { id, method, params } = Object(message);
      if (method === undefined) answered.add(id);
      else if (method === "notifications/progress" && answered.has(params.progressToken)) {
        noise.push(`Progress after its answer: ${JSON.stringify(message)}`);
      }
      receive?.(message);
    };
    const given: GivenAnswer[] = [];
    const session = sessionOf(client, given);
    await test({ ...session, stderr: () => stderr, pid: () => transport.pid ?? 0 });
    // A test may have stopped the server itself.
    if (given.length > 0 && client.transport !== undefined) {
      checkAnswers((await client.listTools()).tools, given);
    }
    if (noise.length > 0) throw new Error(`Not JSON-RPC on stdout: ${noise.join("\n")}`);
  } catch (error) {
    if (error instanceof Error && stderr !== "") {
      error.message += `\nstderr:\n${stderr.slice(-2000)}`;
    }
    throw error;
  } finally {
    await client.close();
  }
}

/** Runs a test with several servers on one project. */
export async function withServers(
  cwd: string,
  count: number,
  test: (sessions: readonly Session[]) => Promise<void>,
  options: StartOptions = {},
  open: readonly Session[] = [],
): Promise<void> {
  if (open.length === count) return await test(open);
  const next = (one: Session) => withServers(cwd, count, test, options, [...open, one]);
  await withServer(cwd, next, options);
}

/** Waits for the notification of a method. */
export function hearing(
  client: Partial<Pick<ClientV1, "fallbackNotificationHandler">>,
): (method: string) => Promise<void> {
  const waiting = new Map<string, () => void>();
  client.fallbackNotificationHandler = ({ method }: { method: string }) => {
    waiting.get(method)?.();
    return Promise.resolve();
  };
  return (method) => new Promise<void>((resolve) => waiting.set(method, resolve));
}

/** The environment of the tests (caches, proxies, certificates); the server may not read it. */
export function childEnvironment(): Record<string, string> {
  return { ...Deno.env.toObject(), NO_COLOR: "1" };
}

/** Wraps a client; every answer is recorded, to be checked at the end. */
export function sessionOf(client: ClientV1, given: GivenAnswer[]): Asked {
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const answer = await client.callTool({ name, arguments: args }) as Answer;
    given.push({ name, answer });
    return answer;
  };
  return {
    client,
    call,
    ok: async (name, args) => {
      const answer = await call(name, args);
      if (answer.isError) {
        throw new Error(`${name}: ${answer.errorCode}: ${answer.content[0].text}`);
      }
      return answer.structuredContent;
    },
    read: async (uri) => {
      const { contents } = await client.readResource({ uri });
      return (contents[0] as { text: string }).text;
    },
    readError: async (uri) => {
      try {
        await client.readResource({ uri });
      } catch (error) {
        return error as { code: number; message: string; data: Record<string, unknown> };
      }
      throw new Error(`Reading ${uri} should have failed`);
    },
    tools: async () => (await client.listTools()).tools.map((tool: { name: string }) => tool.name),
  };
}
