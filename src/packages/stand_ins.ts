/**
 * What packages in this process get instead of the real modules and globals: captured output and
 * exits, an environment, atomic file writes, and no programs.
 *
 * The replacements only prevent accidents: packages in the process are trusted, and their limits are
 * Deno's permissions.
 */

import { Buffer } from "node:buffer";
import { Console } from "node:console";
import Module from "node:module";
import process, * as exported from "node:process";
import { Readable, Writable } from "node:stream";
import * as workerThreads from "node:worker_threads";
import { messageOf, rawMessage, RefraktError } from "../errors.ts";
import { lazily, nodeModule } from "../io/lazily.ts";
import { readVariable } from "../io/permissions.ts";
import { exitProcess, isStdioReserved, writeStderr, writeStdout } from "../io/pipes.ts";
import { withEscapes } from "../plain_text.ts";
import { packageFs } from "./package_fs.ts";
import { checkFile, importPolicy, isOfEmbedder, isOwn, replaceModule } from "./replaced_modules.ts";
import { appendOutput, currentCall, ExitRequest, owningCall } from "./stand_in_call.ts";

type Exports = Record<string, unknown>;

/** Installs the replacements, once: before any package is imported. */
export const installStandIns = lazily((): void => {
  replaceEnvironment();
  replaceConsole();
  replaceStreams();
  replaceExit();
  handleLateErrors();
  const { fs, promises } = packageFs();
  const modules: Record<string, Exports> = {
    "child_process": noPrograms(),
    fs,
    "fs/promises": promises,
    process: { ...exported, exit: process.exit, abort: process.abort, default: process },
  };
  replaceAll(modules);
  // A program that embeds the server keeps its Workers and hooks.
  if (importPolicy.ownsProcess) {
    const loaders = guardLoaders();
    replaceAll(loaders);
    Object.assign(modules, loaders);
  }
  // Load the real module now: from here on, only this package's code gets it.
  nodeModule("node:process");
  Object.defineProperty(process, "getBuiltinModule", {
    configurable: true,
    value: (name: string) => {
      const exports = modules[name.replace(/^node:/, "")];
      return exports === undefined ? nodeModule(name) : exports["default"] ?? exports;
    },
  });
});

function replaceAll(modules: Readonly<Record<string, Exports>>): void {
  for (const [name, exports] of Object.entries(modules)) {
    const specifiers = [name, `node:${name}`];
    replaceModule({ specifiers, from: (parent) => !isOwn(parent), exports });
  }
}

/** A function that packages may not call. */
function refuse(action: string, hint = "Every import is checked: see SECURITY.md."): () => never {
  return () => {
    throw new RefraktError("PERMISSION_DENIED", `Packages may not ${action}`, { hint });
  };
}

/** `node:child_process` for packages: they run no programs, not even git. */
function noPrograms(): Exports {
  const names = ["exec", "execFile", "execFileSync", "execSync", "fork", "spawn", "spawnSync"];
  const refused = refuse(
    "run programs here",
    "Run the command in a terminal: npx --package=@refrakt-md/cli refrakt …",
  );
  return {
    ...Object.fromEntries(names.map((name) => [name, (...args: unknown[]) => {
      if (!isOfEmbedder()) return refused();
      const real = nodeModule("node:child_process") as unknown as Record<
        string,
        (...args: unknown[]) => unknown
      >;
      return real[name]!(...args);
    }])),
    ChildProcess: class ChildProcess {},
  };
}

/** Disables Workers and further module hooks, and checks each file that CommonJS loads. */
function guardLoaders(): Record<string, Exports> {
  const noWorker = class Worker {
    constructor() {
      refuse("start Workers")();
    }
  };
  Object.defineProperty(globalThis, "Worker", { value: noWorker, configurable: true });
  const noHooks = refuse("register module hooks");
  Object.assign(Module, { registerHooks: noHooks, register: noHooks });
  type Handler = (module: unknown, path: string) => unknown;
  const { _extensions: handlers } = Module as unknown as { _extensions: Record<string, Handler> };
  for (const [ending, load] of Object.entries(handlers)) {
    handlers[ending] = function (this: unknown, module, path) {
      checkFile(path);
      return load.call(this, module, path);
    };
  }
  return {
    module: { ...Module, default: Module },
    worker_threads: { ...workerThreads, default: undefined, Worker: noWorker },
  };
}

/** Whether code belongs to a call, or runs in a server whose streams belong to the protocol. */
function isGuarded(): boolean {
  return owningCall() !== undefined || isStdioReserved();
}

/**
 * Packages read variables while they load, which throws without the permission. Gives them an empty
 * environment; only packages see what they set. A program with full access keeps the real one.
 */
function replaceEnvironment(): void {
  if (Deno.permissions.querySync({ name: "env" }).state === "granted") return;
  const value = new Proxy<Record<string, string>>({}, {
    get: (variables, name) =>
      typeof name === "string" ? variables[name] ?? readVariable(name) : undefined,
    set: (variables, name, newValue) => Reflect.set(variables, name, String(newValue)),
  });
  Object.defineProperty(process, "env", { value, configurable: true, enumerable: true });
}

/** Writes to the running call's buffer, or to the real stream outside a call. */
function emit(stream: "stdout" | "stderr", text: string): void {
  const call = currentCall();
  if (call !== undefined) appendOutput(call, stream, text);
  else if (stream === "stdout" && !isStdioReserved()) writeStdout(withEscapes(text));
  else writeStderr(withEscapes(text));
}

/** Deno's console bypasses `process.stdout`; in calls, use the methods of Node's console. */
function replaceConsole(): void {
  const nodeConsole = new Console({ stdout: streamFor("stdout"), stderr: streamFor("stderr") });
  for (const [name, print] of Object.entries(nodeConsole)) {
    const original: unknown = Reflect.get(globalThis.console, name);
    if (typeof print !== "function" || typeof original !== "function") continue;
    const value = (...values: unknown[]) => (isGuarded() ? print : original)(...values);
    Object.defineProperty(globalThis.console, name, { value, configurable: true, writable: true });
  }
}

/** A stream that never ends and writes synchronously, so that output before an exit is captured. */
function streamFor(name: "stdout" | "stderr"): Writable {
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => {
      emit(name, typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8"));
      done();
    },
  });
  return Object.assign(stream, {
    end: (...args: unknown[]) => {
      if (typeof args[0] === "string" || args[0] instanceof Uint8Array) stream.write(args[0]);
      return stream;
    },
    destroy: () => stream,
    fd: name === "stdout" ? 1 : 2,
    isTTY: false,
  });
}

/** Packages print to the call and read an empty stdin, because the real one is the client's. */
function replaceStreams(): void {
  for (const name of ["stdout", "stderr"] as const) {
    const real = process[name];
    const standIn = streamFor(name);
    Object.defineProperty(process, name, {
      configurable: true,
      get: () => isGuarded() ? standIn : real,
    });
  }
  const stdin = Object.getOwnPropertyDescriptor(process, "stdin");
  const empty = () => Object.assign(Readable.from([]), { fd: 0, isTTY: false });
  Object.defineProperty(process, "stdin", {
    configurable: true,
    get: () => isGuarded() ? empty() : stdin?.get?.call(process) ?? stdin?.value,
  });
}

/** An exit ends the call; outside of calls, only an embedding program may end the process. */
function replaceExit(): void {
  const exit = (code?: number | string | null): never => {
    if (!isGuarded()) exitProcess(Number(code ?? 0) || 0);
    const call = currentCall();
    const request = new ExitRequest(Number(code ?? 0) || 0);
    if (call !== undefined) {
      call.exitCode ??= request.exitCode;
      call.stop(request);
    }
    throw request;
  };
  const target = process as unknown as Record<string, unknown>;
  target["exit"] = target["reallyExit"] = exit;
  target["abort"] = () => exit(134);
  Object.defineProperty(Deno, "exit", { value: exit, configurable: true, writable: true });
  Object.defineProperty(globalThis, "close", { value: () => exit(0), configurable: true });
}

/**
 * Logs errors that no call waits for, such as those of timers, instead of ending the server. A
 * program that embeds the server handles them itself.
 */
function handleLateErrors(): void {
  const handle = (error: unknown, event: Event, kind: string) => {
    const isExit = error instanceof ExitRequest;
    if (!isExit && !importPolicy.ownsProcess) return;
    event.preventDefault();
    if (!isExit) writeStderr(`${kind}: ${withEscapes(stackOf(error))}\n`);
  };
  globalThis.addEventListener("unhandledrejection", (event) => {
    handle(event.reason, event, "Unhandled rejection");
  });
  globalThis.addEventListener("error", (event) => handle(event.error, event, "Uncaught error"));
}

function stackOf(error: unknown): string {
  const raw = rawMessage(error);
  const stack = error instanceof Error ? error.stack ?? "" : "";
  return stack.includes(raw) ? stack.replace(raw, () => messageOf(error)) : messageOf(error);
}
