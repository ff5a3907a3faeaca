/**
 * The ways to the standard streams that lead past `process.stdout` and the console.
 *
 * @module
 */

import * as fs from "node:fs";
import process from "node:process";
import * as tty from "node:tty";
import { RefraktError } from "../errors.ts";
import { isStdioReserved } from "../io/pipes.ts";

/**
 * Closes the standard streams of a Worker, which has its own table of descriptors:
 * what code of the repository finds there afterwards is nothing, by whatever way it looks.
 */
export function closeStandardStreams(): void {
  for (const fd of [0, 1, 2]) {
    try {
      fs.closeSync(fd);
    } catch {
      // It was closed before.
    }
  }
}

/** A handle of the runtime that takes over a descriptor. */
interface Handle {
  open(fd: number): unknown;
}

/**
 * Refuses the streams that are made of a descriptor (`net.Socket`, `tty.WriteStream`),
 * and hides the runtime's own objects, whose `print` writes to stdout.
 */
export function refuseRawStreams(): void {
  const binding = (process as unknown as { binding(name: string): Record<string, unknown> })
    .binding.bind(process);
  for (const [module, name] of [["pipe_wrap", "Pipe"], ["tcp_wrap", "TCP"]] as const) {
    const { prototype } = binding(module)[name] as { prototype: Handle };
    const { open } = prototype;
    Object.defineProperty(prototype, "open", {
      value(this: Handle, fd: number) {
        if (isStdioReserved()) throw refused();
        return open.call(this, fd);
      },
    });
  }
  Object.defineProperty(process, "binding", {
    value: (name: string) => {
      if (isStdioReserved()) throw refused();
      return binding(name);
    },
    configurable: true,
  });
  if (isStdioReserved()) {
    const { internal } = Deno as unknown as { internal: symbol };
    Reflect.deleteProperty(Deno, internal);
  }
}

/** The exports of `node:tty` whose streams may not take a descriptor of the process. */
export function ttyModule(): Record<string, unknown> {
  const guarded = <Class extends new (...args: never[]) => object>(Real: Class): Class =>
    new Proxy(Real, {
      construct(target, args, newTarget) {
        if (isStdioReserved()) throw refused();
        return Reflect.construct(target, args, newTarget);
      },
    });
  const module = {
    ...tty,
    ReadStream: guarded(tty.ReadStream),
    WriteStream: guarded(tty.WriteStream),
  };
  return { ...module, default: module };
}

function refused(): RefraktError {
  return new RefraktError("PERMISSION_DENIED", "The sandbox keeps the process's streams", {
    hint: "Print with console.log or process.stdout: it belongs to the call.",
  });
}
