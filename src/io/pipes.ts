/**
 * The process's real streams and its real exit, taken before anything of it is
 * replaced. They are for the server and the program alone.
 *
 * @module
 */

const encoder = new TextEncoder();
const realStdin = Deno.stdin;
const stdoutWrite = Deno.stdout.write.bind(Deno.stdout);
const stdoutWriteSync = Deno.stdout.writeSync.bind(Deno.stdout);
const stderrWriteSync = Deno.stderr.writeSync.bind(Deno.stderr);
let reserved = false;
let dropped = false;

/** Ends the process for real. */
export const exitProcess: (code: number) => never = Deno.exit.bind(Deno);

/** Writes text to stderr. It never throws: a closed pipe is not worth dying for. */
export function writeStderr(text: string): void {
  if (dropped) return;
  try {
    const bytes = encoder.encode(text);
    let offset = 0;
    while (offset < bytes.length) offset += stderrWriteSync(bytes.subarray(offset));
  } catch {
    // stderr is closed: drop the message.
  }
}

/** Writes text to stdout, for the one-shot commands. */
export function writeStdout(text: string): void {
  const bytes = encoder.encode(text);
  let offset = 0;
  while (offset < bytes.length) offset += stdoutWriteSync(bytes.subarray(offset));
}

/**
 * Keeps stdin and stdout for the protocol: from now on, what anybody prints
 * outside a call goes to stderr, and nobody else reads the client's messages. A
 * program that embeds the library keeps its own streams.
 *
 * @returns What the client sends, and the way to answer; a write is complete when it is done.
 */
export function reserveStdio(): {
  readonly input: ReadableStream<Uint8Array>;
  write(bytes: Uint8Array): Promise<void>;
} {
  reserved = true;
  let last: Promise<void> = Promise.resolve();
  return {
    input: realStdin.readable,
    write: (bytes) => last = last.then(() => writeAll(bytes)),
  };
}

/** In a Worker, nobody but the process may print: what is written outside a call is dropped. */
export function dropOutput(): void {
  reserved = true;
  dropped = true;
}

/** Whether the streams are the protocol's. */
export function isStdioReserved(): boolean {
  return reserved;
}

async function writeAll(bytes: Uint8Array): Promise<void> {
  let offset = 0;
  while (offset < bytes.length) offset += await stdoutWrite(bytes.subarray(offset));
}
